"""What falls due at a table, recomputed from the state; "overdue" itself is a fact of the clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from pit.record.contract import Due
from pit.rules.model import HOUSE, Rules
from tables.domain import parameters, stages
from tables.domain.commands import SayDue
from tables.domain.state import TableState

_NOT_YET = frozenset(
    {stages.CLOSED, stages.CARDS_RECEIVED, stages.CARDS_VERIFIED, stages.SPREAD, stages.CLOSING}
)


def deadlines(state: TableState, rules: Rules) -> tuple[Due, ...]:
    """All stored due times: idle reminder, dice warnings and their last instant, life of the card set, signatures."""
    return (*_idle(state, rules), *_dice(state, rules), *_card_set(state, rules), *_signatures(state, rules))


def _idle(state: TableState, rules: Rules) -> Iterator[Due]:
    """A reminder that never changes the table (A-24); 0 minutes turns it off."""
    minutes = _whole(rules.house.get("idle_reminder_minutes"))
    if not state.is_dead_game or state.idle is not None or state.empty_since is None or not minutes:
        return
    if rules.game.has_cards and state.stage not in _NOT_YET:
        yield Due(kind="idle_reminder", due_at=state.empty_since + timedelta(minutes=minutes), clause=HOUSE)


def _dice(state: TableState, rules: Rules) -> Iterator[Due]:
    told = rules.house.get("dice_warning_minutes")
    warnings = (
        sorted({m for m in map(_whole, told) if m}, reverse=True) if isinstance(told, (list, tuple)) else []
    )
    for one in state.dice:
        if one.due_at is None:
            continue
        for minutes in warnings:
            warned_at = one.due_at - timedelta(minutes=minutes)
            if warned_at > one.placed_at:
                yield Due(kind=f"dice_warning:{one.id}:{minutes}", due_at=warned_at, clause=HOUSE)
        clause = parameters.dice_clause(rules, in_shaker=bool(one.shaker))
        yield Due(kind=f"dice_over:{one.id}", due_at=one.due_at, clause=clause)


def _card_set(state: TableState, rules: Rules) -> Iterator[Due]:
    hours = _whole(rules.house.get("card_set_life_hours"))
    if state.card_set is not None and hours:
        yield Due(
            kind="card_set_life", due_at=state.card_set.received_at + timedelta(hours=hours), clause=HOUSE
        )


def _signatures(state: TableState, rules: Rules) -> Iterator[Due]:
    """Cards that lie here and were not yet inspected and verified under two signatures (K9)."""
    minutes, held = _whole(rules.house.get("signature_grace_minutes")), state.card_set
    if minutes and held is not None and not held.preshuffled and held.verified_at is None:
        yield Due(kind="signature_due", due_at=held.received_at + timedelta(minutes=minutes), clause=HOUSE)


def _whole(value: Any) -> int:
    """A number of minutes or hours that a person could mean; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 100_000 else 0


def due_command(state: TableState, due: Due) -> SayDue | None:
    """What the sweep submits for a passed deadline; None when the table no longer has what it is about."""
    kind, _, rest = due.kind.partition(":")
    object_ = rest.partition(":")[0]
    there = {
        "idle_reminder": state.is_dead_game and state.idle is None,
        "dice_warning": state.dice_set(object_) is not None,
        "dice_over": state.dice_set(object_) is not None,
        "card_set_life": state.card_set is not None,
        "signature_due": state.card_set is not None and state.card_set.verified_at is None,
    }
    return SayDue(kind=due.kind) if there.get(kind) else None
