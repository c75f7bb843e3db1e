"""Holds and alerts of a table: what blocks it beside its stage, and what only needs eyes (design §4)."""

from __future__ import annotations

from datetime import datetime

import msgspec

from pit.record.contract import Entry
from pit.rules.model import Rules
from tables.domain import dice, parameters, stages
from tables.domain.state import Alert, Hold, TableState

_BEFORE_THE_STACK = frozenset({stages.SHUFFLE_DUE, stages.WASHED, stages.LOADED})
"""Stages through which a shuffle that is due goes before it is done."""


def put(state: TableState, hold: Hold) -> TableState:
    """With this hold, in place of another of its kind and object."""
    kept = tuple(one for one in state.holds if (one.kind, one.detail) != (hold.kind, hold.detail))
    return msgspec.structs.replace(state, holds=(*kept, hold))


def lift(state: TableState, kind: str, detail: str | None = None) -> TableState:
    """Without the holds of this kind (and object)."""
    kept = tuple(
        one for one in state.holds if one.kind != kind or (detail is not None and one.detail != detail)
    )
    return state if len(kept) == len(state.holds) else msgspec.structs.replace(state, holds=kept)


def warn(state: TableState, alert: Alert) -> TableState:
    """With this alert, once."""
    if any((one.kind, one.detail) == (alert.kind, alert.detail) for one in state.alerts):
        return state
    return msgspec.structs.replace(state, alerts=(*state.alerts, alert))


def calm(state: TableState, kind: str, detail: str | None = None) -> TableState:
    """Without the alerts of this kind (and object)."""
    kept = tuple(
        one for one in state.alerts if one.kind != kind or (detail is not None and one.detail != detail)
    )
    return state if len(kept) == len(state.alerts) else msgspec.structs.replace(state, alerts=kept)


def shuffle_due(state: TableState, entry: Entry) -> TableState:
    """The table came to a shuffle that is due: what was in play waits to be shuffled."""
    used = tuple(
        msgspec.structs.replace(one, progress="USED", place="rack") if one.progress == "IN_PLAY" else one
        for one in state.batches
    )
    state = msgspec.structs.replace(state, batches=used, shuffle_pending=False)
    return put(state, Hold(kind="shuffle_due", since=entry.at, blocks="dealing", clause=entry.clause))


def settled(state: TableState) -> TableState:
    """Holds that the stage itself has ended."""
    if state.stage not in _BEFORE_THE_STACK:
        state = lift(state, "shuffle_due")
    if state.idle is None:
        state = lift(state, "idle_reinspection")
    return state


def at(state: TableState, rules: Rules, *, now: datetime) -> tuple[Hold, ...]:
    """All holds at this moment: those recorded, and dice that are over by the clock whether or not anybody said so."""
    over = tuple(
        Hold(
            kind="dice_over",
            since=one.due_at,
            blocks="dice",
            clause=parameters.dice_clause(rules, in_shaker=bool(one.shaker)),
            detail=one.id,
        )
        for one in state.dice
        if one.due_at is not None
        and dice.status(one.placed_at, now=now, limit=one.due_at - one.placed_at) == "OVER_24H"
    )
    return (*state.holds, *over)
