"""Rounds of play, the cover card that comes out, reshuffles by discretion, and the burn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pit.record.contract import Refused
from tables.domain import batches, rounds, sequence, stages
from tables.domain.context import Context
from tables.domain.events import (
    CardBurned,
    CoverCardCameOut,
    DealingBegun,
    Event,
    ReshuffleDirected,
    RoundEnded,
    RoundsAdvanced,
    RoundStarted,
)
from tables.domain.ring import Place


def start_round(context: Context) -> Sequence[Event] | Refused:
    state = context.state
    batch = context.get("batch") or state.next_batch
    if context.get("batch") and context.game.alternation_unit == "round" and len(state.batches) > 1:
        used = state.last_batch if state.dealt else None
        if found := batches.may_use(batch, last=used, batches=[one.id for one in state.batches]):
            return context.refuse(found.code, context.row.clause, "The batches alternate every round.")
    place: Place | None = None
    start = rounds.facts_now(state).start
    delivery: tuple[Place, ...] = ()
    if rounds.has_button(state, context.rules):
        place, delivery = rounds.button_and_delivery(state, context.rules, context.get("antes"))
    return [
        RoundStarted(
            **context.staged(),
            round=state.round + 1,
            batch=batch,
            button=place,
            start=delivery[0] if delivery else start,
            delivery=delivery,
        )
    ]


def end_round(context: Context) -> Sequence[Event]:
    state = context.state
    unit = context.game.alternation_unit == "round" and len(state.batches) > 1
    alternates = (
        unit and sequence.shuffling(state, context.rules) == "automated"
    )  # the other batch is next (g)(3)
    due = state.shuffle_pending or alternates
    stage = stages.SHUFFLE_DUE if due else state.stage
    clause = context.rules.command("EndRound").clause
    return [RoundEnded(stage=stage, clause=clause, round=context.state.round)]


def advance_rounds(context: Context) -> Sequence[Event]:
    """The first round after loading is an entry, for it brings the table into play; the rest only counts."""
    counted = RoundsAdvanced(count=context.get("count"))
    if context.state.stage == stages.ACTIVE:
        return [counted]
    return [DealingBegun(**context.staged(), batch=context.state.next_batch), counted]


def record_cover_card_out(context: Context) -> Sequence[Event] | Refused:
    """Where a shoe only saw it come out, a person may still say where, before the cards are shuffled."""
    out, told = context.state.cover_out, context.state.stage == stages.SHUFFLE_DUE
    if told and (out is None or out.on != "unknown"):
        return context.refuse("OUT_OF_SEQUENCE", "house", "Where it came out has been said.")
    on, seat = context.get("on"), context.get("seat")
    player = context.state.player_at(seat) if on == "seat" else None
    staged = context.staged()
    pending = context.state.round_open  # the round is finished first
    if pending:
        staged["stage"] = context.state.stage
    return [
        CoverCardCameOut(
            **staged,
            on=on,
            seat=seat if on == "seat" else None,
            token=player.token if player else "",
            pending=pending,
        )
    ]


def direct_reshuffle(context: Context) -> Sequence[Event]:
    staged = context.staged()
    pending = context.state.round_open
    if pending:
        staged["stage"] = context.state.stage
    return [ReshuffleDirected(**staged, pending=pending)]


def record_burn(context: Context) -> Sequence[Event] | Refused:
    """After loading, at a new dealer, or a card that was found face up."""
    if context.state.stage == stages.ACTIVE and not context.state.burn_due:
        return context.refuse("OUT_OF_SEQUENCE", "house", "No card is to be burned now.")
    if context.state.refill is not None:
        return [CardBurned(**context.staged())]
    if context.state.burned and not context.state.burn_due:
        return context.refuse("OUT_OF_SEQUENCE", "house", "A card has been burned from this shoe already.")
    return [CardBurned(**context.staged())]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "StartRound": start_round,
    "EndRound": end_round,
    "AdvanceRounds": advance_rounds,
    "RecordCoverCardOut": record_cover_card_out,
    "DirectReshuffle": direct_reshuffle,
    "RecordBurn": record_burn,
}
