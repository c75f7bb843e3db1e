"""Notice of a change before it takes effect (NY (t), reading A-29), as the calculators of a table answer."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from pit.rules.notice import KINDS as KINDS
from pit.rules.notice import objections
from tables.domain.wrong import Wrong


def needs_notice(change: str, *, kinds: Collection[str] = KINDS) -> bool:
    return change in kinds


def may_take_effect(
    *, effective_at: datetime, commission_at: datetime | None, surveillance_at: datetime | None
) -> tuple[Wrong, ...]:
    """Both were told strictly before it takes effect. Every reason is told, commission first."""
    codes = objections(
        effective_at=effective_at, commission_at=commission_at, surveillance_at=surveillance_at
    )
    return tuple(Wrong(code=code) for code in codes)
