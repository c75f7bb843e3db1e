"""Faults of devices and their latches, cards that are counted or replaced, and when cards were last known good."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

from msgspec.structs import replace

from pit.record.contract import Entry
from tables.domain import cutting, faults, holding
from tables.domain import events_integrity as e
from tables.domain.button import Counted
from tables.domain.integrity import BadCard, Exposure, Fault, Good
from tables.domain.state import Alert, Batch, Device, Hold, TableState


def good(state: TableState, at: datetime, by: str, batch: str = "") -> TableState:
    """These cards, or all of the table, are known good from here on."""
    known = Good(at=at, round=state.round, by=by)
    batches = tuple(replace(one, good=known) if batch in ("", one.id) else one for one in state.batches)
    return replace(state, batches=batches)


def met(state: TableState, at: datetime, how: Literal["count", "shuffle"], batch: str = "") -> TableState:
    """What a latched fault of these cards asked for was recorded."""

    def asked(one: Fault) -> bool:
        kind = faults.CODES.get(one.code)
        wanted = kind.meets if kind else "either"
        return wanted in ("either", how) and (not batch or one.batch in ("", batch))

    known = tuple(
        replace(one, met_at=at) if one.met_at is None and asked(one) else one for one in state.faults
    )
    return replace(state, faults=known)


def count_due(
    state: TableState, entry: Entry, why: str, found: Exposure | None, blocks: str = "dealing"
) -> TableState:
    """The cards are counted before anything else is dealt."""
    hold = Hold(
        kind="count_due", since=entry.at, blocks=blocks, clause=entry.clause, detail=why, exposure=found
    )
    return holding.put(state, hold)


def reported(state: TableState, entry: Entry, event: e.FaultReported) -> TableState:
    if faults.standing(state, event.device, event.code, event.seat) is not None:
        return state
    fault = Fault(
        device=event.device,
        code=event.code,
        since=entry.at,
        batch=event.batch,
        seat=event.seat,
        latched=event.latched,
        detail=event.detail,
    )
    state = replace(state, faults=(*state.faults, fault))
    told = faults.detail(event.device, event.code, event.seat)
    if not event.hold:
        state = _noticed(state, event, on=True)
        return holding.warn(state, Alert(kind="fault", since=entry.at, clause=entry.clause, detail=told))
    hold = Hold(
        kind=event.hold,
        since=entry.at,
        blocks="dealing",
        clause=entry.clause,
        detail=told,
        exposure=event.exposure,
    )
    state = _unshuffled(holding.put(state, hold), event)
    return count_due(state, entry, told, event.exposure) if event.count else state


def _noticed(state: TableState, event: e.FaultReported | e.FaultCleared, *, on: bool) -> TableState:
    """Faults that switch something off rather than hold the table: a light, the progressive system."""
    if event.code == "SIDEBET_LIGHT_FAIL" and event.seat is not None:
        seats = {*state.lights_out, event.seat} if on else {*state.lights_out} - {event.seat}
        return replace(state, lights_out=tuple(sorted(seats)))
    if event.code == "PROG_LINK_LOST":
        return replace(state, link_lost=on)
    return state


def _unshuffled(state: TableState, event: e.FaultReported) -> TableState:
    moves = {one.batch: one for one in event.moves}
    batches = tuple(
        replace(one, progress=moves[one.id].progress, place=moves[one.id].place, shuffled_at=None)
        if one.id in moves
        else one
        for one in state.batches
    )
    state = replace(state, batches=batches, shuffle_pending=state.shuffle_pending or event.shuffle_pending)
    if event.stage == "SHUFFLE_DUE" or event.shuffle_pending:
        state = replace(state, shuffle_cause="irregularity", cut=cutting.reset("irregularity"))
    return state


def cleared(state: TableState, entry: Entry, event: e.FaultCleared) -> TableState:
    """Over by itself: alerts go; what is latched stays until it is released (K2)."""
    one = faults.standing(state, event.device, event.code, event.seat)
    if one is not None and one.latched:
        known = tuple(replace(other, over_at=entry.at) if other == one else other for other in state.faults)
        return replace(state, faults=known)
    return _noticed(_gone(state, event.device, event.code, event.seat), event, on=False)


def _gone(state: TableState, device: str, code: str, seat: int | None) -> TableState:
    known = tuple(one for one in state.faults if (one.device, one.code, one.seat) != (device, code, seat))
    told = faults.detail(device, code, seat)
    state = holding.calm(replace(state, faults=known), "fault", told)
    kept = tuple(one for one in state.holds if one.kind == "count_due" or one.detail != told)
    return replace(state, holds=kept)


def released(state: TableState, entry: Entry, event: e.FaultReleased) -> TableState:
    return _gone(state, event.device, event.code, event.seat)


def _device(state: TableState, id: str, **changes: Any) -> TableState:
    return replace(
        state, devices=tuple(replace(one, **changes) if one.id == id else one for one in state.devices)
    )


def emptied(state: TableState, entry: Entry, event: e.DeviceEmptied) -> TableState:
    state = _device(state, event.device, emptied_at=entry.at)
    state = replace(state, batches=tuple(_out(one) for one in state.batches))
    return count_due(state, entry, f"{event.device} emptied", event.exposure) if event.count else state


def _out(batch: Batch) -> Batch:
    """A batch that was being shuffled lies beside the device, its shuffle worth nothing; one in play stays in play."""
    if batch.place != "device" or batch.progress == "IN_PLAY":
        return batch
    return replace(batch, place="table", progress="WAITING", shuffled_at=None)


def repaired(state: TableState, entry: Entry, event: e.DeviceRepaired) -> TableState:
    return _device(state, event.device, repaired_at=entry.at, tested_at=None)


def tested(state: TableState, entry: Entry, event: e.DeviceTested) -> TableState:
    return _device(state, event.device, tested_at=entry.at if event.passed else None)


def swapped(state: TableState, entry: Entry, event: e.DeviceSwapped) -> TableState:
    kept = tuple(one for one in state.devices if one.id != event.replaces)
    spec = event.device
    new = (
        (
            Device(
                id=spec.id,
                kind=spec.kind,
                approval_ref=spec.approval_ref,
                reshuffles=spec.reshuffles,
                counts=spec.counts,
            ),
        )
        if spec is not None
        else ()
    )
    config = state.config
    if config is not None:
        specs = tuple(one for one in config.devices if one.id != event.replaces)
        config = replace(config, devices=(*specs, spec) if spec is not None else specs)
    state = replace(state, devices=(*kept, *new), config=config)
    state = replace(state, batches=tuple(_out(one) for one in state.batches))
    state = holding.lift(state, "cover_or_sign", event.replaces)
    return count_due(state, entry, "device exchanged", event.exposure) if event.count else state


def spilled(state: TableState, entry: Entry, event: e.CardsSpilled) -> TableState:
    return count_due(state, entry, "cards spilled", event.exposure)


def required(state: TableState, entry: Entry, event: e.CountRequired) -> TableState:
    return count_due(state, entry, event.reason, event.exposure)


def card_reported(state: TableState, entry: Entry, event: e.UnsuitableCardReported) -> TableState:
    card = BadCard(
        finding=event.finding,
        rank=event.rank,
        suit=event.suit,
        back=event.back,
        since=entry.at,
        batch=event.batch,
    )
    hold = Hold(
        kind="card_to_be_replaced",
        since=entry.at,
        blocks="dealing",
        clause=entry.clause,
        detail=f"{event.rank} of {event.suit}, {event.finding.replace('_', ' ')}",
        exposure=event.exposure,
    )
    return holding.put(replace(state, bad_cards=(*state.bad_cards, card)), hold)


def card_replaced(state: TableState, entry: Entry, event: e.CardReplaced) -> TableState:
    """After the replacement the cards are counted (K6)."""
    found = next(
        (
            one
            for one in state.bad_cards
            if not one.replaced and (one.rank, one.suit, one.back) == (event.rank, event.suit, event.back)
        ),
        None,
    )
    if found is None:
        return state
    cards = list(state.bad_cards)
    cards[cards.index(found)] = replace(found, replaced=True)
    told = f"{found.rank} of {found.suit}, {found.finding.replace('_', ' ')}"
    hold = next((one for one in state.holds if one.detail == told), None)
    state = holding.lift(replace(state, bad_cards=tuple(cards)), "card_to_be_replaced", told)
    return count_due(state, entry, f"{told}: replaced", hold.exposure if hold else None)


def sampled(state: TableState, entry: Entry, event: e.CardsSampled) -> TableState:
    """Cards that lie in factory order are not shuffled: the set does not come into play."""
    if state.card_set is None:
        return state
    if not event.in_order:
        return replace(state, card_set=replace(state.card_set, sampled_at=entry.at))
    hold = Hold(
        kind="set_in_order",
        since=entry.at,
        blocks="dealing",
        clause=entry.clause,
        detail=f"{state.card_set.id} lies in factory order",
    )
    return holding.put(state, hold)


def new_cards(state: TableState, at: datetime) -> TableState:
    """Other cards, or none: what was to be counted, replaced or reshuffled left with the old ones."""
    for kind in ("count_due", "count_wrong", "card_to_be_replaced", "set_in_order", "deck_to_be_removed"):
        state = holding.lift(state, kind)
    known = tuple(replace(one, met_at=one.met_at or at) for one in state.faults)
    return replace(state, bad_cards=(), faults=known, burn_due="", held_hands=state.held_hands)


def counted(state: TableState, entry: Entry, event: Any) -> TableState:
    """`DeckCounted`: a good one meets what asked for it, a wrong one holds the table, or takes the deck off it."""
    removing = event.removal and not event.good
    remove = removing or (state.counted.remove and not event.overrules)
    state = replace(state, counted=Counted(last_verified=event.verified_round, remove=remove))
    if event.good:
        return _right(state, entry, event)
    kind, detail = ("deck_to_be_removed", "") if removing else ("count_wrong", event.batch)
    hold = Hold(
        kind=kind,
        since=entry.at,
        blocks="next_round",
        clause=entry.clause,
        detail=detail,
        exposure=event.exposure,
    )
    return holding.put(state, hold)


def _right(state: TableState, entry: Entry, event: Any) -> TableState:
    batch = event.batch
    kept = tuple(one for one in state.holds if not _lifted(one, batch))
    cards = tuple(one for one in state.bad_cards if not one.replaced)
    state = replace(state, holds=kept, bad_cards=cards, house_counted_round=state.round)
    return met(good(state, entry.at, "count", batch), entry.at, "count", batch)


def _lifted(hold: Hold, batch: str) -> bool:
    if hold.kind == "count_wrong":
        return not batch or hold.detail in ("", batch)
    if hold.kind != "count_due":
        return False
    of = hold.exposure.batch if hold.exposure else ""
    return not batch or of in ("", batch)


APPLY: dict[str, Callable[[TableState, Entry, Any], TableState]] = {
    "FaultReported": reported,
    "FaultCleared": cleared,
    "FaultReleased": released,
    "DeviceEmptied": emptied,
    "DeviceRepaired": repaired,
    "DeviceTested": tested,
    "DeviceSwapped": swapped,
    "CardsSpilled": spilled,
    "CountRequired": required,
    "UnsuitableCardReported": card_reported,
    "CardReplaced": card_replaced,
    "CardsSampled": sampled,
    "DeckCounted": counted,
}
