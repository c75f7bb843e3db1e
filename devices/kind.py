"""The `device` stream as the door serves it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from devices import project
from devices.domain.commands import COMMANDS
from devices.domain.decide import DeviceRules, decide, evolve
from devices.domain.events import EVENTS
from devices.domain.state import DeviceState
from pit.record.contract import Due, StreamKind

RULES = DeviceRules()


def rules(state: DeviceState, property_state: Any, at: datetime) -> DeviceRules:
    """House procedure, everywhere the same."""
    return RULES


def clause_of(command: Any, event: Any, rules: DeviceRules) -> str:
    """Everything about a device in itself is the house's own."""
    return "house"


def due_command(state: DeviceState, due: Due) -> None:
    """A device has no deadlines."""


KIND = StreamKind(
    name="device",
    state=DeviceState,
    commands=COMMANDS,
    events=EVENTS,
    initial=DeviceState,
    decide=decide,
    evolve=evolve,
    clause_of=clause_of,
    rules=rules,
    due_command=due_command,
    project=project.project,
    differs=project.differs,
)
