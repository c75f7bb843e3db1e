"""What the house has chosen, beside what it could choose."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pit.floor import door
from pit.floor.forms import text_of
from pit.floor.models import Property


@dataclass(frozen=True)
class Choice:
    """One house setting or reading as a page shows it."""

    key: str
    label: str
    about: str
    unit: str
    value: str
    default: str
    options: tuple[str, ...]
    is_default: bool
    is_switch: bool


def house_choices(property: Property, *, now: datetime) -> tuple[list[Choice], list[Choice]]:
    """(house settings, readings of open texts) of the property, in their files' order."""
    rules = door.rules_for(property, now=now)
    state = door.state(property)
    settings = [
        _choice(one.key, one.label or one.key, one.governs, one.default, one.options, state.house, one.unit)
        for one in rules.settings.values()
    ]
    readings = [
        _choice(one.id, one.id, one.matter, one.default, one.options, state.readings)
        for one in rules.readings.values()
    ]
    return settings, readings


def _choice(
    key: str, label: str, about: str, default: Any, options: tuple[Any, ...], held: Any, unit: str = ""
) -> Choice:
    value = held.get(key, default)
    switch = isinstance(default, bool)
    return Choice(
        key=key,
        label=label,
        about=about,
        unit=unit,
        value=text_of(value),
        default=text_of(default),
        options=("yes", "no") if switch else tuple(map(text_of, options)),
        is_default=key not in held or value == default,
        is_switch=switch,
    )
