"""Folds the entries of a table into its state. The events carry all that a rule decided; nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from pit.record.contract import Entry
from tables.domain import (
    evolve_cards,
    evolve_equipment,
    evolve_integrity,
    evolve_play,
    evolve_round,
    holding,
    stages,
    terms,
)
from tables.domain.events import Staged
from tables.domain.state import TableState

APPLY: dict[str, Callable[[TableState, Entry, Any], TableState]] = {
    **evolve_cards.APPLY,
    **evolve_play.APPLY,
    **evolve_equipment.APPLY,
    **evolve_round.APPLY,
    **evolve_integrity.APPLY,
    **terms.APPLY,
}


def evolve(state: TableState, entry: Entry) -> TableState:
    """The state after one entry."""
    event = entry.event
    before = state.stage
    if isinstance(event, Staged) and event.stage != state.stage:
        state = msgspec.structs.replace(state, stage=event.stage, stage_since=entry.at)
    state = APPLY[type(event).__name__](state, entry, event)
    if state.stage == before:
        return state
    if before != stages.SHUFFLE_DUE and state.stage == stages.SHUFFLE_DUE:
        return holding.shuffle_due(state, entry)
    return holding.settled(state)
