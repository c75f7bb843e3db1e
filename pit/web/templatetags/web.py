"""Filters for what every page shows: instants, spans of time, roles."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django import template

from pit.people.roles import ROLE_WORDS

register = template.Library()


@register.filter
def utc(instant: datetime | None) -> str:
    """An instant as the browser's modules read it: "2026-03-04T18:00:00Z"; nothing for none."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if instant else ""


@register.filter
def wall(instant: datetime | None, zone: str = "UTC") -> str:
    """The time of day at the property, hours to seconds."""
    return instant.astimezone(ZoneInfo(zone or "UTC")).strftime("%H:%M:%S") if instant else ""


@register.filter
def wall_day(instant: datetime | None, zone: str = "UTC") -> str:
    """Day and time at the property: "Wed 4 Mar 13:00:05"."""
    local = instant.astimezone(ZoneInfo(zone or "UTC")) if instant else None
    return f"{local:%a} {local.day} {local:%b %H:%M:%S}" if local else ""


@register.filter
def role(key: str) -> str:
    """The neutral name of a role; the place's own words come from its rule pack."""
    return ROLE_WORDS.get(key, key.replace("_", " "))


@register.filter
def spaced(key: str) -> str:
    """A key as words: "cut_mode" as "cut mode"."""
    return key.replace("_", " ")


@register.filter
def span(seconds: float) -> str:
    """A span of time as the clocks write it: "0:42", "12:05", "3:07:20"."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def short_cite(cite: str) -> str:
    """A citation where there is little room: "(b)(11)" of "5324.2(b)(11)", "house" of "house procedure"."""
    return re.sub(r"^[^()]*\d(?=\()", "", cite).removesuffix(" procedure")
