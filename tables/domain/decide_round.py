"""A round step by step: its start, its wagers, its hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pit.record.contract import Refused
from tables.domain import events_play as e
from tables.domain import parameters, position, rounds, stages
from tables.domain.checks_round import faces, positions
from tables.domain.context import Context
from tables.domain.event import Event
from tables.domain.position import Start
from tables.domain.wrong import is_whole


def record_dice(context: Context) -> Sequence[Event]:
    found = position.by_shaker(positions=positions(context), dice=faces(context))
    assert isinstance(found, Start)
    return [
        e.StartFound(
            by="shaker",
            position=found.position,
            total=found.total,
            dice=faces(context),
            shakes=context.get("shakes"),
        )
    ]


def record_rng_number(context: Context) -> Sequence[Event]:
    number = context.get("number")
    found = position.by_generator(
        number, positions=positions(context), reading=parameters.rng_range(context.rules)
    )
    assert isinstance(found, Start)
    return [e.StartFound(by="rng", position=found.position, number=number, device=context.get("device"))]


def mark_start(context: Context) -> Sequence[Event]:
    start = rounds.facts_now(context.state).start
    assert start is not None
    return [e.StartMarked(position=start)]


def close_shaker(context: Context) -> Sequence[Event]:
    return [e.ShakerClosed()]


def announce_no_more_bets(context: Context) -> Sequence[Event]:
    return [e.NoMoreBetsAnnounced()]


def record_lock_out(context: Context) -> Sequence[Event]:
    return [e.ProgressiveLockedOut(device=context.get("device"))]


def record_accepted_wagers(context: Context) -> Sequence[Event]:
    return [e.WagersAccepted(accepted=context.get("accepted"), device=context.get("device"))]


def verify_chips(context: Context) -> Sequence[Event]:
    return [e.ChipsVerified(chips=context.get("chips"), accepted=context.get("chips"))]


def place_chips_in_tray(context: Context) -> Sequence[Event]:
    return [e.ChipsPlacedInTray(chips=rounds.facts_now(context.state).chips or 0)]


def discard_stub(context: Context) -> Sequence[Event] | Refused:
    if rounds.facts_now(context.state).stub:
        return context.refuse("OUT_OF_SEQUENCE", "house", "The stub is in the discard rack already.")
    return [e.StubDiscarded()]


def take_rest_in_hand(context: Context) -> Sequence[Event] | Refused:
    if rounds.facts_now(context.state).from_hand:
        return context.refuse("OUT_OF_SEQUENCE", "house", "The rest is out of the shoe already.")
    return [e.RestTakenInHand()]


def collect_hand(context: Context) -> Sequence[Event]:
    return [e.HandCollected(seat=context.get("seat"), bonus=context.get("bonus"))]


def hold_hand(context: Context) -> Sequence[Event] | Refused:
    if context.get("seat") in context.state.held_hands:
        return context.refuse("ALREADY_HELD", "house", "That hand is held already.")
    return [e.HandHeld(seat=context.get("seat"))]


def record_payout_documents(context: Context) -> Sequence[Event]:
    return [e.PayoutDocumented(seat=context.get("seat"), reference=context.get("reference"))]


def take_side_wager(context: Context) -> Sequence[Event]:
    return [e.SideWagerTaken(seat=context.get("seat"), progressive=context.get("progressive"))]


def take_verbal_wager(context: Context) -> Sequence[Event]:
    seat = context.get("seat")
    return [e.VerbalWagerTaken(seat=seat if is_whole(seat) else None)]


def void_round(context: Context) -> Sequence[Event]:
    state = context.state
    stage = stages.SHUFFLE_DUE if state.shuffle_pending else state.stage
    return [e.RoundVoided(stage=stage, clause=rounds.facts_now(state).void, round=state.round)]


def continue_round(context: Context) -> Sequence[Event]:
    return [e.RoundContinued(**context.staged(), round=context.state.round)]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "RecordDice": record_dice,
    "RecordRngNumber": record_rng_number,
    "MarkStart": mark_start,
    "CloseShaker": close_shaker,
    "AnnounceNoMoreBets": announce_no_more_bets,
    "RecordLockOut": record_lock_out,
    "RecordAcceptedWagers": record_accepted_wagers,
    "VerifyChips": verify_chips,
    "PlaceChipsInTray": place_chips_in_tray,
    "DiscardStub": discard_stub,
    "TakeRestInHand": take_rest_in_hand,
    "CollectHand": collect_hand,
    "HoldHand": hold_hand,
    "RecordPayoutDocuments": record_payout_documents,
    "TakeSideWager": take_side_wager,
    "TakeVerbalWager": take_verbal_wager,
    "VoidRound": void_round,
    "ContinueRound": continue_round,
}
