"""What has happened to a property. Kept for ever: add versions, never edit."""

from __future__ import annotations

import msgspec

from pit.floor.domain.state import Value


class PropertySetUp(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The property's identity as it stands from here on."""

    name: str
    jurisdiction: str
    zone: str
    gaming_day_starts: str
    clock: int


class HouseSettingChanged(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """`now` None: back to the default."""

    setting: str
    was: Value | None
    now: Value | None


class ReadingSettled(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """`now` None: back to the default reading."""

    reading: str
    was: Value | None
    now: Value | None


Event = PropertySetUp | HouseSettingChanged | ReadingSettled
EVENTS: dict[str, type[Event]] = {
    "PropertySetUp": PropertySetUp,
    "HouseSettingChanged": HouseSettingChanged,
    "ReadingSettled": ReadingSettled,
}
