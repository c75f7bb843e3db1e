"""A round step by step, irregularities and their rulings, and a shoe that is filled again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pit.record.contract import Entry
from tables.domain import cutting, holding, rounds
from tables.domain import events_play as e
from tables.domain.round_facts import Ceased, Irregularity, Refill, RoundFacts
from tables.domain.state import Hold, TableState


def _facts(state: TableState, **changes: Any) -> TableState:
    return replace(state, facts=replace(rounds.facts_now(state), **changes))


def start_found(state: TableState, entry: Entry, event: e.StartFound) -> TableState:
    state = _facts(
        state, start=event.position, start_by=event.by, total=event.total, no_roll=False, marked=False
    )
    return replace(state, shaker_open=state.shaker_open or event.by == "shaker")


def start_marked(state: TableState, entry: Entry, event: e.StartMarked) -> TableState:
    return _facts(state, marked=True)


def shaker_closed(state: TableState, entry: Entry, event: e.ShakerClosed) -> TableState:
    return replace(state, shaker_open=False)


def no_more_bets(state: TableState, entry: Entry, event: e.NoMoreBetsAnnounced) -> TableState:
    return _facts(state, bets_closed_at=entry.at)


def locked_out(state: TableState, entry: Entry, event: e.ProgressiveLockedOut) -> TableState:
    return _facts(state, locked_out=True)


def accepted(state: TableState, entry: Entry, event: e.WagersAccepted) -> TableState:
    return _facts(state, accepted=event.accepted, in_tray=False)


def chips_verified(state: TableState, entry: Entry, event: e.ChipsVerified) -> TableState:
    return _facts(state, chips=event.chips, accepted=event.accepted, in_tray=False)


def in_tray(state: TableState, entry: Entry, event: e.ChipsPlacedInTray) -> TableState:
    return _facts(state, in_tray=True)


def stub(state: TableState, entry: Entry, event: e.StubDiscarded) -> TableState:
    return _facts(state, stub=True)


def from_hand(state: TableState, entry: Entry, event: e.RestTakenInHand) -> TableState:
    return _facts(state, from_hand=True)


def hand_changed(state: TableState, entry: Entry, event: e.HandChanged) -> TableState:
    return replace(state, hand=event.hand)


def collected(state: TableState, entry: Entry, event: e.HandCollected) -> TableState:
    known = rounds.facts_now(state).collected
    return _facts(state, collected=tuple(sorted({*known, event.seat})))


def held(state: TableState, entry: Entry, event: e.HandHeld) -> TableState:
    hold = Hold(
        kind="hand_held",
        since=entry.at,
        blocks="collecting",
        clause=entry.clause,
        detail=f"seat {event.seat}",
    )
    hands = tuple(sorted({*state.held_hands, event.seat}))
    return holding.put(replace(state, held_hands=hands), hold)


def documented(state: TableState, entry: Entry, event: e.PayoutDocumented) -> TableState:
    hands = tuple(one for one in state.held_hands if one != event.seat)
    return holding.lift(replace(state, held_hands=hands), "hand_held", f"seat {event.seat}")


def wager_taken(state: TableState, entry: Entry, event: Any) -> TableState:
    return state


def over(state: TableState) -> TableState:
    """The round is over: what was recorded of it is the past."""
    return replace(state, round_open=False, facts=RoundFacts(number=state.round))


def voided(state: TableState, entry: Entry, event: e.RoundVoided) -> TableState:
    return over(state)


def continued(state: TableState, entry: Entry, event: e.RoundContinued) -> TableState:
    return replace(state, refill=None, dealt=True, idle=None)


def settled(state: TableState, entry: Entry, event: e.WagersSettled) -> TableState:
    ceased = Ceased(device=event.device, since=entry.at, before=event.before, clause=entry.clause)
    state = replace(over(state), ceased=ceased)
    state = _less(state, event.irregularity, "settlement")
    hold = Hold(
        kind="gaming_ceased",
        since=entry.at,
        blocks="everything",
        clause=entry.clause,
        detail=event.device,
    )
    return holding.put(state, hold)


def resumed(state: TableState, entry: Entry, event: e.GamingResumed) -> TableState:
    return holding.lift(replace(state, ceased=None), "gaming_ceased")


def held_as(one: Irregularity) -> str:
    """Object of the hold of an irregularity."""
    return f"{one.words} (no. {one.id})"


def recorded(state: TableState, entry: Entry, event: e.IrregularityRecorded) -> TableState:
    one = Irregularity(
        id=event.id,
        kind=event.kind,
        words=event.words,
        since=entry.at,
        clauses=event.clauses,
        facts=event.facts,
        consequences=event.consequences,
        defaults=event.defaults,
        steps=event.steps,
        prompts=event.prompts,
        needs=event.needs,
        seat=event.seat,
        device=event.device,
    )
    state = _followed(replace(state, irregularities_seen=event.id), event, entry)
    if not event.needs:
        return state
    hold = Hold(
        kind="irregularity",
        since=entry.at,
        blocks="dealing",
        clause=entry.clause,
        detail=held_as(one),
        exposure=event.exposure,
    )
    return holding.put(replace(state, irregularities=(*state.irregularities, one)), hold)


def _followed(state: TableState, event: e.IrregularityRecorded, entry: Entry) -> TableState:
    """What follows at once: void, no roll, a burn, a shuffle that falls due, a shoe to be filled."""
    facts = rounds.facts_now(state)
    changes: dict[str, Any] = {"face_up": facts.face_up + event.face_up}
    if event.void and state.round_open:
        changes["void"] = facts.void or event.void
    if event.no_roll:
        changes |= {"no_roll": True, "start": None, "total": None, "marked": False}
        state = replace(state, shaker_open=False)
    state = _facts(state, **changes)
    if event.burn:
        state = replace(state, burn_due=event.burn)
    if event.reshuffle:
        state = due(state, pending=event.shuffle_pending)
    if event.refill:
        refill = Refill(since=entry.at, cards=event.refill_cards, counted=not state.round_open)
        state = replace(due(state, pending=False), refill=refill)
    return state


def due(state: TableState, *, pending: bool) -> TableState:
    """The cards are to be shuffled because of what happened (A-08)."""
    return replace(
        state,
        shuffle_cause="irregularity",
        shuffle_pending=state.shuffle_pending or pending,
        cut=cutting.reset("irregularity") if not pending else state.cut,
    )


def ruled(state: TableState, entry: Entry, event: e.RulingRecorded) -> TableState:
    if event.void:
        state = _facts(state, void=rounds.facts_now(state).void or event.void)
    if event.reshuffle:
        state = due(state, pending=event.shuffle_pending)
    state = _less(state, event.irregularity, "floorperson")
    return _less(state, event.irregularity, "ruling")


def chose(state: TableState, entry: Entry, event: e.PlayerChose) -> TableState:
    return _less(state, event.irregularity, "choice")


def _less(state: TableState, id: int, need: str) -> TableState:
    """With that need met; an irregularity that needs nothing more is closed and its hold lifted."""
    kept = []
    for one in state.irregularities:
        left = tuple(other for other in one.needs if other != need) if one.id == id else one.needs
        if left:
            kept.append(replace(one, needs=left))
        else:
            state = holding.lift(state, "irregularity", held_as(one))
    return replace(state, irregularities=tuple(kept))


APPLY: dict[str, Callable[[TableState, Entry, Any], TableState]] = {
    "StartFound": start_found,
    "StartMarked": start_marked,
    "ShakerClosed": shaker_closed,
    "NoMoreBetsAnnounced": no_more_bets,
    "ProgressiveLockedOut": locked_out,
    "WagersAccepted": accepted,
    "ChipsVerified": chips_verified,
    "ChipsPlacedInTray": in_tray,
    "StubDiscarded": stub,
    "RestTakenInHand": from_hand,
    "HandChanged": hand_changed,
    "HandCollected": collected,
    "HandHeld": held,
    "PayoutDocumented": documented,
    "SideWagerTaken": wager_taken,
    "VerbalWagerTaken": wager_taken,
    "RoundVoided": voided,
    "RoundContinued": continued,
    "WagersSettled": settled,
    "GamingResumed": resumed,
    "IrregularityRecorded": recorded,
    "RulingRecorded": ruled,
    "PlayerChose": chose,
}
