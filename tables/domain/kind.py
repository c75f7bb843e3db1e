"""The pure parts of the stream kind "table": what the door needs, assembled. `tables.apps` registers it."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from typing import Any

from pit.record.contract import StreamKind
from pit.rules import load
from pit.rules.model import HOUSE, Game, Rules
from tables.domain.commands import COMMANDS
from tables.domain.deadlines import deadlines, due_command
from tables.domain.decide import decide
from tables.domain.events import EVENTS, DueSaid
from tables.domain.evolve import evolve
from tables.domain.messages import messages
from tables.domain.state import TableState

NO_GAME = Game(key="", name="This table", uses=())
"""A table that has not been set up yet."""


def rules(state: TableState, property_state: Any, at: datetime) -> Rules:
    """The rules in force for this table at that moment: the property's jurisdiction, readings and house settings.

    Raises pit.rules.load.UnknownRules when the property has no pack in force on that day.
    """
    game = state.config.game if state.config else ""
    return _in_force(
        property_state.jurisdiction if property_state is not None else "",
        game,
        at.date().toordinal(),
        _frozen(property_state.readings if property_state is not None else {}),
        _frozen(property_state.house if property_state is not None else {}),
    )


def _frozen(settings: Any) -> tuple[tuple[str, Any], ...]:
    return tuple(
        sorted((key, tuple(value) if isinstance(value, list) else value) for key, value in settings.items())
    )


@lru_cache(maxsize=256)
def _in_force(
    place: str, game: str, day: int, readings: tuple[tuple[str, Any], ...], house: tuple[tuple[str, Any], ...]
) -> Rules:

    pack = load.pack_on(place, date.fromordinal(day))
    return load.with_pack(pack, load.games().get(game, NO_GAME), readings=dict(readings), house=dict(house))


def clause_of(command: Any, event: Any, rules: Rules) -> str:
    """The clause under which an event stands: that of its row, else that of its command; "house" where none governs."""
    told = getattr(event, "clause", "")
    if not told and isinstance(event, DueSaid):
        told = rules.command("RemoveDice").clause if event.kind.startswith("dice_over") else HOUSE
    return rules.under(told or rules.command(type(command).__name__).clause)


KIND = StreamKind(
    name="table",
    state=TableState,
    commands=COMMANDS,
    events=EVENTS,
    initial=TableState,
    decide=decide,
    evolve=evolve,
    clause_of=clause_of,
    rules=rules,
    due_command=due_command,
    deadlines=deadlines,
    messages=messages,
)
"""Pure: `tables.apps` adds `project` and registers it."""
