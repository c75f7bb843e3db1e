"""The gaming day of a property (the pure part is in domain/gaming_day.py)."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from pit.floor.domain import gaming_day as days
from pit.floor.models import Property


def gaming_day(at: datetime, property: Property) -> date:
    """The gaming day at this property to which the instant belongs."""
    return days.gaming_day(at, zone=ZoneInfo(property.zone), starts=property.gaming_day_starts)


def bounds(day: date, property: Property) -> tuple[datetime, datetime]:
    """[from, until) of a gaming day of this property, UTC."""
    return days.bounds(day, zone=ZoneInfo(property.zone), starts=property.gaming_day_starts)
