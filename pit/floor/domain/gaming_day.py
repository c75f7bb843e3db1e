"""The gaming day: one 24-hour period for the whole casino, starting at a local time (23 or 25 hours when clocks change)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def starts_at(day: date, *, zone: ZoneInfo, starts: time) -> datetime:
    """The instant (UTC) at which this gaming day starts.

    A local time that the clock skips counts as that much after the gap; one that comes twice counts the first time.
    """
    return datetime.combine(day, starts, tzinfo=zone).astimezone(UTC)


def gaming_day(at: datetime, *, zone: ZoneInfo, starts: time) -> date:
    """The gaming day to which the instant belongs. Half-open: the first instant of a day is its own."""
    local = at.astimezone(zone).date()
    if at >= starts_at(local, zone=zone, starts=starts):
        return local
    return local - timedelta(days=1)


def bounds(day: date, *, zone: ZoneInfo, starts: time) -> tuple[datetime, datetime]:
    """[from, until) of a gaming day, UTC."""
    return (
        starts_at(day, zone=zone, starts=starts),
        starts_at(day + timedelta(days=1), zone=zone, starts=starts),
    )
