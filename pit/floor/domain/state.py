"""What is known of a property: its identity, its readings of open texts and its house settings."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pit.rules.model import HouseSetting, Reading

Value = bool | int | str | list[int | str]
"""A setting's value as TOML and JSON have it."""


class PropertyState(msgspec.Struct, frozen=True, kw_only=True):
    """`gaming_day_starts` is local "HH:MM"; `clock` 12 or 24; `readings` and `house` hold only what differs from default."""

    name: str = ""
    jurisdiction: str = ""
    zone: str = "UTC"
    gaming_day_starts: str = "06:00"
    clock: int = 24
    readings: Mapping[str, Value] = {}
    house: Mapping[str, Value] = {}

    @property
    def is_set_up(self) -> bool:
        return bool(self.jurisdiction)


class PropertyRules(msgspec.Struct, frozen=True, kw_only=True):
    """What the property decider needs to know from outside: the settings there are, places and zones."""

    settings: Mapping[str, HouseSetting]
    readings: Mapping[str, Reading]
    jurisdictions: frozenset[str]
    zones: frozenset[str]
    house: Mapping[str, Value] = {}
    """House settings in force (the door reads `late_entry_minutes` here)."""
    version: str = "house"
