"""Notice of a change before it takes effect (NY (t), reading A-29)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from tables.domain.wrong import Wrong

KINDS = frozenset({"procedure", "vigorish_percentage", "rake_percentage", "pay_table"})
"""The matters of (t). Limits, rosters and seats are none of them."""


def needs_notice(change: str, *, kinds: Collection[str] = KINDS) -> bool:
    return change in kinds


def may_take_effect(
    *, effective_at: datetime, commission_at: datetime | None, surveillance_at: datetime | None
) -> tuple[Wrong, ...]:
    """Both were told strictly before it takes effect; sending counts. Every reason is told, commission first."""
    found = [
        _one("COMMISSION", commission_at, effective_at),
        _one("SURVEILLANCE", surveillance_at, effective_at),
    ]
    return tuple(one for one in found if one is not None)


def _one(who: str, told_at: datetime | None, effective_at: datetime) -> Wrong | None:
    if told_at is None:
        return Wrong(code=f"{who}_NOT_NOTIFIED")
    return None if told_at < effective_at else Wrong(code=f"{who}_NOTICE_NOT_PRIOR")
