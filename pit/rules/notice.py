"""Notice of a change before it takes effect (NY (t), reading A-29): the one calculator of it."""

from __future__ import annotations

from datetime import datetime

KINDS = frozenset({"procedure", "vigorish_percentage", "rake_percentage", "pay_table"})
"""The matters of (t). Limits, rosters and seats are none of them."""


def objections(
    *, effective_at: datetime, commission_at: datetime | None, surveillance_at: datetime | None
) -> tuple[str, ...]:
    """Codes of what stands against it: both are told strictly before it takes effect; sending counts.

    COMMISSION_NOT_NOTIFIED, COMMISSION_NOTICE_NOT_PRIOR, then the same of SURVEILLANCE. Empty: it may take effect.
    """
    found = [
        _one("COMMISSION", commission_at, effective_at),
        _one("SURVEILLANCE", surveillance_at, effective_at),
    ]
    return tuple(code for code in found if code)


def _one(who: str, told_at: datetime | None, effective_at: datetime) -> str:
    if told_at is None:
        return f"{who}_NOT_NOTIFIED"
    return "" if told_at < effective_at else f"{who}_NOTICE_NOT_PRIOR"
