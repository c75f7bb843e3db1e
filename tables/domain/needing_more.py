"""What irregularities, faults of devices, counts and cards ask of somebody now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pit.rules.model import HOUSE, Rules
from tables.domain import faults
from tables.domain.offer import Need
from tables.domain.round_facts import Irregularity
from tables.domain.rounds import facts_now
from tables.domain.state import Hold, TableState

Make = Callable[..., Need]
_OF_NEED = {
    "settlement": "SettleWagers",
    "choice": "RecordPlayerChoice",
    "floorperson": "RecordRuling",
    "ruling": "RecordRuling",
}
_OF_HOLD: dict[str, tuple[str, str]] = {
    "count_due": ("Count the cards: {detail}", "RecordCount"),
    "count_wrong": ("Wrong count: count again, or replace the deck", "RecordCount"),
    "card_to_be_replaced": ("Replace the card: {detail}", "ReplaceCard"),
    "set_in_order": ("{detail}: it does not come into play", "ReplaceDeck"),
    "hand_held": ("Winning hand stays: {detail}", "RecordPayoutDocuments"),
    "gaming_ceased": ("All gaming has ceased until {detail} is fixed", "ReturnDevice"),
}
_LATCHES = frozenset({"fault_latch", "wrong_mode", "not_cycled", "wrong_batch"})


def needs(state: TableState, rules: Rules, make: Make) -> Iterator[Need]:
    """Open irregularities, holds of faults, counts and cards, a round that is void, a card to be burned."""
    for one in state.irregularities:
        yield _irregularity(one, rules, make)
    for hold in state.holds:
        if hold.kind in _LATCHES:
            yield _latched(state, hold, rules, make)
        elif hold.kind in _OF_HOLD:
            yield _held(state, hold, rules, make)
    void = facts_now(state).void
    if state.round_open and void:
        yield make(
            rules, kind="void_round", title="The round is void", command="VoidRound", clause=void, blocks=True
        )
    if state.burn_due:
        yield make(
            rules,
            kind="burn_due",
            title="A card is to be burned",
            command="RecordBurn",
            clause=state.burn_due,
            blocks=True,
        )


def _irregularity(one: Irregularity, rules: Rules, make: Make) -> Need:
    return make(
        rules,
        kind=f"irregularity:{one.id}",
        title=one.words,
        command=_OF_NEED[one.needs[0]],
        clause=one.clauses[0] if one.clauses else HOUSE,
        since=one.since,
        blocks=True,
        fields={"irregularity": one.id},
        detail="; ".join((*one.steps, *one.prompts)),
    )


def _latched(state: TableState, hold: Hold, rules: Rules, make: Make) -> Need:
    """A fault that waits for its count or reshuffle, then for the supervisor's release."""
    fault = next(
        (one for one in state.faults if faults.detail(one.device, one.code, one.seat) == hold.detail), None
    )
    words = (
        faults.CODES[fault.code].words if fault is not None and fault.code in faults.CODES else hold.detail
    )
    ready = fault is not None and faults.may_release(fault)
    fields: dict[str, Any] = {}
    if ready and fault is not None:
        fields = {"device": fault.device, "code": fault.code}
    count = fault is not None and not ready and faults.CODES[fault.code].meets == "count"
    return make(
        rules,
        kind=f"{hold.kind}:{hold.detail}",
        title=f"{fault.device if fault else ''}: {words}".removeprefix(": "),
        command="ReleaseFault" if ready else "RecordCount" if count else "",
        clause=hold.clause,
        since=hold.since,
        blocks=True,
        fields=fields,
        detail="A supervisor releases it with a reason"
        if ready
        else "First a count or a reshuffle of these cards",
        exposure=hold.exposure,
    )


def _held(state: TableState, hold: Hold, rules: Rules, make: Make) -> Need:
    title, command = _OF_HOLD[hold.kind]
    return make(
        rules,
        kind=f"{hold.kind}:{hold.detail}",
        title=title.format(detail=hold.detail),
        command=command,
        clause=hold.clause,
        since=hold.since,
        blocks=True,
        fields=_fields(state, hold),
        exposure=hold.exposure,
    )


def _fields(state: TableState, hold: Hold) -> dict[str, Any]:
    if hold.kind == "hand_held":
        return {"seat": int(hold.detail.rpartition(" ")[2])}
    if hold.kind == "gaming_ceased":
        return {"device": hold.detail}
    if hold.kind == "card_to_be_replaced":
        one = next((one for one in state.bad_cards if not one.replaced), None)
        return {"rank": one.rank, "suit": one.suit, "back": one.back} if one else {}
    return {}
