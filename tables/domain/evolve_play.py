"""The cut, the shoe, rounds of play and what makes a shuffle fall due."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pit.record.contract import Entry
from tables.domain import cutting, evolve_round, holding, rounds, stages
from tables.domain import events as e
from tables.domain.evolve_cards import ready
from tables.domain.state import Answer, CoverOut, TableState


def cut_offered(state: TableState, entry: Entry, event: e.CutOffered) -> TableState:
    return replace(state, cut=replace(state.cut, order=event.order))


def cut_refused(state: TableState, entry: Entry, event: e.CutRefused) -> TableState:
    answer = Answer(seat=event.seat, token=event.token, accepted=False)
    return replace(state, cut=replace(state.cut, order=event.order, answers=(*state.cut.answers, answer)))


def cards_cut(state: TableState, entry: Entry, event: e.CardsCut) -> TableState:
    answers = state.cut.answers
    if event.seat is not None:
        answers = (*answers, Answer(seat=event.seat, token=event.cutter, accepted=True))
    cut = replace(
        state.cut, order=event.order, answers=answers, cutter=event.cutter, seat=event.seat, depth=event.depth
    )
    return replace(state, cut=cut)


def cover_card_inserted(state: TableState, entry: Entry, event: e.CoverCardInserted) -> TableState:
    return replace(state, cut=replace(state.cut, cover_depth=event.depth))


def loaded(state: TableState, entry: Entry, event: Any) -> TableState:
    if isinstance(event, e.DeckTakenInHand):
        state = replace(state, hand=event.hand)
    return ready(state, event.batch)


def recut_ordered(state: TableState, entry: Entry, event: e.RecutOrdered) -> TableState:
    """The stack is on the table again; those who are asked now, in the order the event says."""
    batches = tuple(
        replace(one, progress="OUT", place="table") if one.id == state.next_batch else one
        for one in state.batches
    )
    cut = replace(
        state.cut,
        order=event.order,
        answers=(),
        cutter="",
        seat=None,
        depth=None,
        cover_depth=None,
        fixed=event.fixed,
        recuts=state.cut.recuts + 1,
    )
    return replace(state, batches=batches, cut=cut)


def burned(state: TableState, entry: Entry, event: e.CardBurned) -> TableState:
    refill = replace(state.refill, burned=True) if state.refill is not None else None
    return replace(state, burned=True, burn_due="", refill=refill)


def round_started(state: TableState, entry: Entry, event: e.RoundStarted) -> TableState:
    return replace(
        state,
        round=event.round,
        round_open=True,
        dealt=True,
        idle=None,
        unspread_batch=False,
        button=event.button if event.button is not None else state.button,
        last_batch=event.batch or state.last_batch,
        facts=replace(rounds.facts_now(state), number=event.round),
    )


def round_ended(state: TableState, entry: Entry, event: e.RoundEnded) -> TableState:
    if event.stage == stages.SHUFFLE_DUE and not state.shuffle_pending:
        state = replace(state, shuffle_cause="discretion")
    return evolve_round.over(state)


def dealing_begun(state: TableState, entry: Entry, event: e.DealingBegun) -> TableState:
    return replace(state, dealt=True, idle=None, unspread_batch=False)


def rounds_advanced(state: TableState, entry: Entry, event: e.RoundsAdvanced) -> TableState:
    """The counter, and nothing else (contract: a counted event is no entry)."""
    return replace(state, round=state.round + event.count)


def cover_card_came_out(state: TableState, entry: Entry, event: e.CoverCardCameOut) -> TableState:
    out = CoverOut(on=event.on, seat=event.seat, token=event.token, round=entry.round)
    return replace(state, cover_out=out, shuffle_cause="cover_card", shuffle_pending=event.pending)


def reshuffle_directed(state: TableState, entry: Entry, event: e.ReshuffleDirected) -> TableState:
    return replace(state, shuffle_cause="discretion", shuffle_pending=event.pending)


def corrected(state: TableState, entry: Entry, event: e.EntryCorrected) -> TableState:
    """Back to a stage with more left to do: what was recorded after it has to be recorded again."""
    if event.stage in stages.STACK - {stages.SHUFFLED}:
        return replace(state, dealt=False)
    batches = tuple(_as_at(one, event.stage) for one in state.batches)
    return holding.settled(
        replace(
            state,
            batches=batches,
            cut=cutting.reset(state.shuffle_cause),
            dealt=False,
            burned=False,
            round_open=False,
            refill=None,
        )
    )


def _as_at(batch: Any, stage: str) -> Any:
    """A batch that is not in the shuffler stands where the table stands again."""
    if batch.place == "device":
        return batch
    progress = {stages.SHUFFLED: "OUT", stages.SHUFFLE_DUE: "USED"}.get(stage, "SPREAD")
    return replace(batch, progress=progress, place="rack" if progress == "USED" else "table")


APPLY: dict[str, Callable[[TableState, Entry, Any], TableState]] = {
    "CutOffered": cut_offered,
    "CutRefused": cut_refused,
    "CardsCut": cards_cut,
    "CoverCardInserted": cover_card_inserted,
    "ShoeLoaded": loaded,
    "DeckTakenInHand": loaded,
    "RecutOrdered": recut_ordered,
    "CardBurned": burned,
    "RoundStarted": round_started,
    "RoundEnded": round_ended,
    "DealingBegun": dealing_begun,
    "RoundsAdvanced": rounds_advanced,
    "CoverCardCameOut": cover_card_came_out,
    "ReshuffleDirected": reshuffle_directed,
    "EntryCorrected": corrected,
}
