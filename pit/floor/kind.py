"""The `property` stream as the door serves it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

import msgspec

from pit.floor import project
from pit.floor.domain.commands import COMMANDS
from pit.floor.domain.decide import decide, evolve
from pit.floor.domain.events import EVENTS
from pit.floor.domain.state import PropertyRules, PropertyState
from pit.record.contract import Due, StreamKind
from pit.rules import load
from pit.rules.model import HouseSetting, Reading

RETENTION = "record_retention_years"


def rules(state: PropertyState, property_state: Any, at: datetime) -> PropertyRules:
    """What may be set at this property, and what is in force. A property that is not set up yet has no readings."""
    settings = _settings(state.jurisdiction, at)
    return PropertyRules(
        settings=settings,
        readings=_readings(state.jurisdiction, at) if state.is_set_up else {},
        jurisdictions=frozenset(load.jurisdictions()),
        zones=_zones(),
        house={key: state.house.get(key, one.default) for key, one in settings.items()},
    )


def _settings(jurisdiction: str, at: datetime) -> Mapping[str, HouseSetting]:
    """The house settings that there are; retention is never less than what the place's pack asks for."""
    settings = load.house_settings()
    try:
        least = load.pack_on(jurisdiction, at.date()).params.get("record_retention_years", 0)
    except load.UnknownRules:
        return settings
    kept = settings[RETENTION]
    if least <= (kept.least or 0):
        return settings
    return {
        **settings,
        RETENTION: msgspec.structs.replace(kept, least=least, default=max(least, kept.default)),
    }


def _readings(jurisdiction: str, at: datetime) -> Mapping[str, Reading]:
    try:
        return load.pack_on(jurisdiction, at.date()).readings
    except load.UnknownRules:
        return {}


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def clause_of(command: Any, event: Any, rules: PropertyRules) -> str:
    """Everything about a property is the house's own."""
    return "house"


def due_command(state: PropertyState, due: Due) -> None:
    """A property has no deadlines."""


KIND = StreamKind(
    name="property",
    state=PropertyState,
    commands=COMMANDS,
    events=EVENTS,
    initial=PropertyState,
    decide=decide,
    evolve=evolve,
    clause_of=clause_of,
    rules=rules,
    due_command=due_command,
    project=project.project,
    differs=project.differs,
)
