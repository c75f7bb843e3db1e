"""What may be asked of a property."""

from __future__ import annotations

import msgspec

from pit.floor.domain.state import Value


class SetUpProperty(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """Sets the property up, or corrects its name, zone or clock. The jurisdiction stays for good."""

    name: str
    jurisdiction: str
    zone: str
    gaming_day_starts: str = "06:00"
    clock: int = 24


class ChangeHouseSetting(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """Changes a house setting; `value` None goes back to the default."""

    setting: str
    value: Value | None = None


class SettleReading(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """Settles how this house reads an open text; `choice` None goes back to the default reading."""

    reading: str
    choice: Value | None = None


Command = SetUpProperty | ChangeHouseSetting | SettleReading
COMMANDS: dict[str, type[Command]] = {
    "SetUpProperty": SetUpProperty,
    "ChangeHouseSetting": ChangeHouseSetting,
    "SettleReading": SettleReading,
}
