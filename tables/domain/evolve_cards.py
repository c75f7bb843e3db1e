"""Set-up, cards, batches, players, looking and an idle table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pit.record.contract import Entry
from tables.domain import cutting, evolve_integrity, holding, stages
from tables.domain import events as e
from tables.domain.button import Counted
from tables.domain.event import Staged
from tables.domain.integrity import Exposure
from tables.domain.round_facts import RoundFacts
from tables.domain.state import Batch, CardSet, Device, Hold, Idle, Player, TableState


def _progressed(state: TableState, id: str, **changes: Any) -> tuple[Batch, ...]:
    return tuple(replace(one, **changes) if one.id == id else one for one in state.batches)


def set_up(state: TableState, entry: Entry, event: e.TableSetUp) -> TableState:
    known = {one.id: one for one in state.devices}
    devices = tuple(
        replace(
            known.get(one.id, Device(id=one.id, kind=one.kind)),
            kind=one.kind,
            approval_ref=one.approval_ref,
            reshuffles=one.reshuffles,
            counts=one.counts,
        )
        for one in event.config.devices
    )
    return replace(state, config=event.config, devices=devices, stage_since=state.stage_since or entry.at)


def received(state: TableState, entry: Entry, event: e.CardsReceived) -> TableState:
    batches = tuple(
        Batch(id=one.id, back=one.back, design=one.design, progress=_at_first(event.preshuffled, nth))
        for nth, one in enumerate(event.batches)
    )
    held = CardSet(
        id=event.set_id,
        received_at=entry.at,
        preshuffled=event.preshuffled,
        seal=event.seal,
        receipt=event.receipt,
        handed_by=event.handed_by,
        received_by=event.received_by,
    )
    first = batches[0].id if batches else ""
    return replace(state, card_set=held, batches=batches, next_batch=first, last_batch="", counted=Counted())


def _at_first(preshuffled: bool, nth: int) -> str:
    if not preshuffled:
        return ""
    return "OUT" if nth == 0 else "WAITING"


def verified(state: TableState, entry: Entry, event: e.CardsVerified) -> TableState:
    if state.card_set is None:
        return state
    held = replace(
        state.card_set, inspected_by=event.inspected_by, verified_by=event.verified_by, verified_at=entry.at
    )
    state = evolve_integrity.good(replace(state, card_set=held), entry.at, "verification")
    return holding.calm(state, "signature_due")


def opened(state: TableState, entry: Entry, event: e.TableOpened) -> TableState:
    return replace(
        state,
        open=True,
        opened_at=entry.at,
        empty_since=entry.at,
        players=(),
        arrivals=0,
        idle=None,
        shuffle_cause="game_beginning",
        cut=cutting.reset("game_beginning"),
        cover_out=None,
        button=None,
        counted=Counted(last_verified=state.round),
        dealt=False,
        burned=False,
        burn_due="",
        facts=RoundFacts(number=state.round),
        shaker_open=False,
        house_counted_round=state.round,
    )


def closed(state: TableState, entry: Entry, event: e.TableClosed) -> TableState:
    """Closing ends idle duties and shuffles that are due; dice time goes on (A-49)."""
    ended = ("shuffle_due", "idle_reinspection", "irregularity", "gaming_ceased")
    kept = tuple(one for one in state.holds if one.kind not in ended)
    state = replace(
        state,
        open=False,
        opened_at=None,
        players=(),
        empty_since=None,
        idle=None,
        holds=kept,
        shuffle_pending=False,
        unspread_batch=False,
        cover_out=None,
        irregularities=(),
        refill=None,
        ceased=None,
        burn_due="",
        facts=RoundFacts(number=state.round),
    )
    state = holding.calm(state, "idle_reminder")
    if not event.count:
        return state
    found = Exposure(until=entry.at)
    return evolve_integrity.count_due(state, entry, "closed table", found, blocks="closing")


def taken_away(state: TableState, entry: Entry, event: e.CardsTakenAway) -> TableState:
    state = replace(state, card_set=None, batches=(), next_batch="", last_batch="", spread_face="", hand="")
    state = evolve_integrity.new_cards(state, entry.at)
    return holding.calm(holding.calm(state, "card_set_life"), "signature_due")


def spread(state: TableState, entry: Entry, event: e.CardsSpread) -> TableState:
    lying = tuple(replace(one, progress="SPREAD") if one.place != "device" else one for one in state.batches)
    if event.stage == stages.REQUESTED_MUST_RESHUFFLE:
        lying = state.batches
    return replace(state, batches=lying, spread_face=event.face)


def player_arrived(state: TableState, entry: Entry, event: e.PlayerArrived) -> TableState:
    player = Player(seat=event.seat, token=event.token, order=event.order, since=entry.at)
    others = tuple(one for one in state.players if one.seat != event.seat)
    players = tuple(sorted((*others, player), key=lambda one: one.seat))
    state = replace(state, players=players, arrivals=max(state.arrivals, event.order), empty_since=None)
    return holding.calm(state, "idle_reminder")


def player_left(state: TableState, entry: Entry, event: e.PlayerLeft) -> TableState:
    players = tuple(one for one in state.players if one.seat != event.seat)
    return replace(state, players=players, empty_since=None if players or not state.open else entry.at)


def players_left(state: TableState, entry: Entry, event: e.PlayersLeft) -> TableState:
    return replace(state, players=(), empty_since=entry.at if state.open else None)


def batch_moved(state: TableState, entry: Entry, event: Any) -> TableState:
    """Turned down or washed: on the table's stage, and on the batch where they are handled one by one."""
    if not event.progress:
        return state
    return _to_stack(replace(state, batches=_progressed(state, event.batch, progress=event.progress)), event)


def stacked(state: TableState, entry: Entry, event: e.CardsStacked) -> TableState:
    return state


def shuffled(state: TableState, entry: Entry, event: e.CardsShuffled) -> TableState:
    """By hand or another device: this batch is the stack, one that lies beside it waits and is out of the rack."""
    batches = tuple(
        replace(one, progress="OUT", place="table", shuffled_at=entry.at)
        if one.id == event.batch
        else _aside(one)
        for one in state.batches
    )
    state = _shuffled_good(replace(state, batches=batches, next_batch=event.batch), entry, event.batch)
    return _new_stack(state, entry)


def _shuffled_good(state: TableState, entry: Entry, batch: str) -> TableState:
    """A finished shuffle: known good from here on, and what a latched fault of these cards asked for."""
    state = evolve_integrity.good(state, entry.at, "shuffle", batch)
    return evolve_integrity.met(state, entry.at, "shuffle", batch)


def _aside(batch: Batch) -> Batch:
    return batch if batch.place == "device" else replace(batch, progress="WAITING", place="table")


def shuffler_loaded(state: TableState, entry: Entry, event: e.ShufflerLoaded) -> TableState:
    if event.progress:
        batches = _progressed(
            state,
            event.batch,
            progress=event.progress,
            place="device",
            shuffled_at=None,
            loaded_at=entry.at,
            cycles=event.cycles,
        )
        return _to_stack(replace(state, batches=batches), event)
    done = entry.at if event.stage == stages.READY else None
    batches = tuple(
        replace(one, place="device", progress="IN_PLAY", loaded_at=entry.at, shuffled_at=done)
        for one in state.batches
    )
    if done is not None:
        state = evolve_integrity.met(state, entry.at, "shuffle")
    state = _new_stack(replace(state, batches=batches), entry)
    return ready(state, event.batch) if event.stage == stages.READY else state


def completed(state: TableState, entry: Entry, event: e.ShuffleCompleted) -> TableState:
    if event.progress:
        batches = _progressed(state, event.batch, progress=event.progress, shuffled_at=entry.at)
        state = _shuffled_good(replace(state, batches=batches), entry, event.batch)
        return _to_stack(state, event)
    batches = tuple(replace(one, shuffled_at=entry.at) for one in state.batches)
    state = _new_stack(_shuffled_good(replace(state, batches=batches), entry, ""), entry)
    return ready(state, event.batch) if event.stage == stages.READY else state


def removed(state: TableState, entry: Entry, event: e.BatchRemoved) -> TableState:
    batches = _progressed(state, event.batch, progress=event.progress, place="table")
    state = replace(state, batches=batches, next_batch=event.batch, unspread_batch=event.unspread)
    if event.stage == stages.INSPECTED:
        return state
    return _new_stack(state, entry)


def _to_stack(state: TableState, event: Staged) -> TableState:
    """The last batch went where it must be: the one that is out is the stack."""
    if event.stage != stages.SHUFFLED:
        return state
    out = next((one.id for one in state.batches if one.progress == "OUT"), state.next_batch)
    return replace(state, next_batch=out, cut=cutting.reset(state.shuffle_cause))


def _new_stack(state: TableState, entry: Entry) -> TableState:
    """Shuffled: nobody was asked to cut yet, and these cards are known good from here on."""
    return replace(
        state,
        cut=cutting.reset(state.shuffle_cause),
        shuffled_at=entry.at,
        shuffled_round=state.round,
        shuffle_pending=False,
    )


def ready(state: TableState, batch: str) -> TableState:
    """Loaded or in hand: a dead game's duty is done, the alternation knows which batch is in play."""
    batches = tuple(
        replace(one, progress="IN_PLAY", place="shoe" if one.place == "table" else one.place)
        if one.id == batch
        else one
        for one in state.batches
    )
    return replace(
        state,
        batches=batches,
        next_batch=batch,
        last_batch=batch,
        idle=None,
        cover_out=None,
        burned=False,
        dealt=False,
    )


def idle_recorded(state: TableState, entry: Entry, event: e.GamingActivityAbsent) -> TableState:
    state = replace(
        state,
        idle=Idle(since=entry.at, before=event.before),
        shuffle_pending=False,
        unspread_batch=False,
    )
    state = holding.calm(holding.lift(state, "shuffle_due"), "idle_reminder")
    if event.stage == stages.IDLE_NO_SPREAD_DUTY:
        return state
    return holding.put(
        state, Hold(kind="idle_reinspection", since=entry.at, blocks="dealing", clause=entry.clause)
    )


def withdrawn(state: TableState, entry: Entry, event: e.IdleWithdrawn) -> TableState:
    return replace(state, idle=None)


def cards_removed(state: TableState, entry: Entry, event: e.CardsRemoved) -> TableState:
    """Out of devices and rack onto the table; where the shuffler was emptied too, the alternation begins anew."""
    batches = tuple(
        replace(one, place="table", progress="") if event.all_batches or one.place != "device" else one
        for one in state.batches
    )
    return replace(
        state,
        batches=batches,
        last_batch="" if event.all_batches else state.last_batch,
        cover_out=None,
        shuffle_cause="game_beginning",
        cut=cutting.reset("game_beginning"),
        dealt=False,
        burned=False,
    )


def face_up_requested(state: TableState, entry: Entry, event: e.FaceUpRequested) -> TableState:
    return replace(state, idle=replace(state.idle, face_up_requested=True)) if state.idle else state


def reshuffle_requested(state: TableState, entry: Entry, event: e.ReshuffleRequested) -> TableState:
    """Before the batch is out the request is kept; afterwards its spread is due, whatever was done with the stack."""
    idle = replace(state.idle or Idle(since=entry.at, before=event.stage), reshuffle_requested=True)
    state = replace(state, idle=idle, unspread_batch=False)
    return holding.put(
        state, Hold(kind="idle_reinspection", since=entry.at, blocks="dealing", clause=entry.clause)
    )


def inspected(state: TableState, entry: Entry, event: e.InspectionAfforded) -> TableState:
    return state


APPLY: dict[str, Callable[[TableState, Entry, Any], TableState]] = {
    "TableSetUp": set_up,
    "CardsReceived": received,
    "CardsVerified": verified,
    "TableOpened": opened,
    "TableClosed": closed,
    "CardsTakenAway": taken_away,
    "CardsSpread": spread,
    "PlayerArrived": player_arrived,
    "PlayerLeft": player_left,
    "PlayersLeft": players_left,
    "InspectionAfforded": inspected,
    "TurnedFaceDown": batch_moved,
    "CardsWashed": batch_moved,
    "CardsStacked": stacked,
    "CardsShuffled": shuffled,
    "ShufflerLoaded": shuffler_loaded,
    "ShuffleCompleted": completed,
    "BatchRemoved": removed,
    "GamingActivityAbsent": idle_recorded,
    "IdleWithdrawn": withdrawn,
    "CardsRemoved": cards_removed,
    "FaceUpRequested": face_up_requested,
    "ReshuffleRequested": reshuffle_requested,
}
