"""The 24-hour clock of the dice (NY (c)(1)(x), reading A-18): elapsed time from the placing, whatever the wall shows.

Local times of the property are turned into instants here: an hour that a spring night does not have is refused, an
hour that an autumn night has twice must be told apart.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from tables.domain.wrong import Wrong, is_whole

Status = Literal["WITHIN_24H", "WITHIN_24H_LIMIT_REACHED", "OVER_24H"]
DAY = timedelta(hours=24)


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """When the dice were placed and when they must be gone. `placed_at` and `due_at` are UTC."""

    placed_at: datetime
    placed_local: datetime
    due_at: datetime
    due_local: datetime
    wall_hours: float
    """What the clock on the wall moves on meanwhile: 24, or 23 and 25 on the nights the clocks change."""


def instant(local: datetime, *, zone: ZoneInfo, fold: object = None) -> datetime | Wrong:
    """A local time as UTC. `fold` 0 is the first pass of a doubled hour, 1 the second; None: not told.

    A time that bears its own offset is an instant already. Codes: NONEXISTENT_LOCAL_TIME, AMBIGUOUS_LOCAL_TIME,
    NOT_AN_INTEGER and OUT_OF_RANGE (a fold that is neither 0 nor 1, a year beyond the calendar).
    """
    if fold is not None and not is_whole(fold):
        return Wrong(code="NOT_AN_INTEGER")
    if fold not in (None, 0, 1):
        return Wrong(code="OUT_OF_RANGE")
    try:
        return _instant(local, zone, fold if is_whole(fold) else None)
    except OverflowError:
        return Wrong(code="OUT_OF_RANGE")


def _instant(local: datetime, zone: ZoneInfo, fold: int | None) -> datetime | Wrong:
    if local.tzinfo is not None:
        return local.astimezone(UTC)
    first, second = (local.replace(tzinfo=zone, fold=one).astimezone(UTC) for one in (0, 1))
    if not any(one.astimezone(zone).replace(tzinfo=None) == local.replace(fold=0) for one in (first, second)):
        return Wrong(code="NONEXISTENT_LOCAL_TIME")
    if first != second and fold is None:
        return Wrong(code="AMBIGUOUS_LOCAL_TIME")
    return second if fold == 1 else first


def due_at(placed_at: datetime, *, limit: timedelta = DAY) -> datetime:
    """The last lawful instant: exactly 24 hours is not yet more than 24 hours."""
    return placed_at + limit


def clock(placed_at: datetime, *, zone: ZoneInfo, limit: timedelta = DAY) -> Clock | Wrong:
    """The placing and its deadline, in UTC and as the wall shows them."""
    try:
        due = due_at(placed_at, limit=limit)
        placed_local, due_local = placed_at.astimezone(zone), due.astimezone(zone)
    except OverflowError:
        return Wrong(code="OUT_OF_RANGE")
    walked = due_local.replace(tzinfo=None) - placed_local.replace(tzinfo=None)
    return Clock(
        placed_at=placed_at,
        placed_local=placed_local,
        due_at=due,
        due_local=due_local,
        wall_hours=walked.total_seconds() / 3600,
    )


def status(placed_at: datetime, *, now: datetime, limit: timedelta = DAY) -> Status:
    """A fact of the clock, whether or not any worker ran."""
    due = due_at(placed_at, limit=limit)
    if now < due:
        return "WITHIN_24H"
    return "WITHIN_24H_LIMIT_REACHED" if now == due else "OVER_24H"
