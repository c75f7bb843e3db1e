"""Dice, devices, counts and what the clock has said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pit.record.contract import Entry
from pit.rules.model import HOUSE
from tables.domain import cutting, evolve_integrity, holding, stages
from tables.domain import events as e
from tables.domain.button import Counted
from tables.domain.integrity import Stint
from tables.domain.state import SHUFFLERS, Alert, Batch, CardSet, Device, DiceSet, Hold, Idle, TableState

STINTS_KEPT = 20
GONE_KEPT = 20
"""Sets that left and are remembered for their clock."""


def dice_placed(state: TableState, entry: Entry, event: e.DicePlaced) -> TableState:
    placed = DiceSet(
        id=event.set_id,
        number=event.number,
        placed_at=event.placed_at,
        shaker=event.shaker,
        responsible=event.responsible,
        due_at=event.due_at,
    )
    gone = tuple(one for one in state.dice_gone if one.id != event.set_id)
    return replace(state, dice=(*state.dice, placed), dice_gone=gone)


def dice_removed(state: TableState, entry: Entry, event: e.DiceRemoved) -> TableState:
    left = tuple(one for one in state.dice if one.id == event.set_id)
    here = tuple(one for one in state.dice if one.id != event.set_id)
    state = replace(state, dice=here, dice_gone=(*state.dice_gone, *left)[-GONE_KEPT:])
    for kind in ("dice_warning", "dice_over"):
        state = holding.calm(state, kind, event.set_id)
    return state


def dice_handed_over(state: TableState, entry: Entry, event: e.DiceHandedOver) -> TableState:
    dice = tuple(replace(one, responsible=event.to) if one.id == event.set_id else one for one in state.dice)
    return replace(state, dice=dice)


def dealer_relieved(state: TableState, entry: Entry, event: e.DealerRelieved) -> TableState:
    dice = tuple(
        replace(one, responsible=event.to) if one.shaker and event.dice_accepted else one
        for one in state.dice
    )
    stints = (*state.dealers, Stint(name=event.to, since=entry.at))[-STINTS_KEPT:]
    burn = HOUSE if event.burn else state.burn_due
    return replace(state, dealer=event.to, dice=dice, dealers=stints, burn_due=burn)


def _device(state: TableState, id: str, **changes: Any) -> TableState:
    return replace(
        state, devices=tuple(replace(one, **changes) if one.id == id else one for one in state.devices)
    )


def out_of_order(state: TableState, entry: Entry, event: e.DeviceOutOfOrder) -> TableState:
    state = _device(
        state,
        event.device,
        failed_at=entry.at,
        fault=event.fault,
        fixed_at=None,
        emptied_at=None,
        repaired_at=None,
        tested_at=None,
    )
    device = state.device(event.device)
    if event.must_cover:
        state = holding.put(
            state,
            Hold(
                kind="cover_or_sign",
                since=entry.at,
                blocks="other_method",
                clause=entry.clause,
                detail=event.device,
            ),
        )
    if device is None or device.kind not in SHUFFLERS:
        return state
    return _without_shuffler(state, entry, event, device)


def _without_shuffler(
    state: TableState, entry: Entry, event: e.DeviceOutOfOrder, device: Device
) -> TableState:
    """Cards inside come out and are shuffled again (h)(1); from here on the table is shuffled by another method."""
    inside = device.kind in ("continuous", "counting")
    before = "SPREAD" if event.stage == stages.INSPECTED else "WAITING"
    batches = tuple(_out_of(one, "IN_PLAY" if inside else before) for one in state.batches)
    due_after_round = inside and state.round_open
    state = replace(state, batches=batches, shuffle_pending=state.shuffle_pending or due_after_round)
    if event.stage == stages.SHUFFLE_DUE and state.shuffle_cause != "cover_card":
        state = replace(state, shuffle_cause="irregularity")
    if event.stage != stages.IDLE_MUST_CLEAR or (state.idle and state.idle.before == stages.IDLE_MUST_CLEAR):
        return state
    if not any(one.kind == "idle_reinspection" for one in state.holds):
        state = replace(
            state,
            idle=state.idle or Idle(since=entry.at, before=stages.ACTIVE),
            cut=cutting.reset("game_beginning"),
        )
        hold = Hold(kind="idle_reinspection", since=entry.at, blocks="dealing", clause=entry.clause)
        return holding.put(state, hold)
    return state


def _out_of(batch: Batch, progress: str) -> Batch:
    """A batch from the device lies on the table again: to be washed anew before play, else waiting beside the rack."""
    if batch.place != "device":
        return replace(batch, progress="SPREAD") if batch.progress in ("FACE_DOWN", "WASHED") else batch
    return replace(batch, place="table", progress=progress)


def device_covered(state: TableState, entry: Entry, event: e.DeviceCovered) -> TableState:
    return holding.lift(_device(state, event.device, covered_at=entry.at), "cover_or_sign", event.device)


def device_signed(state: TableState, entry: Entry, event: e.DeviceSigned) -> TableState:
    return holding.lift(_device(state, event.device, signed_at=entry.at), "cover_or_sign", event.device)


def device_returned(state: TableState, entry: Entry, event: e.DeviceReturned) -> TableState:
    state = _device(
        state,
        event.device,
        failed_at=None,
        fault="",
        covered_at=None,
        signed_at=None,
        fixed_at=entry.at,
        emptied_at=None,
        repaired_at=None,
        tested_at=None,
    )
    return holding.lift(state, "cover_or_sign", event.device)


def deck_replaced(state: TableState, entry: Entry, event: e.DeckReplaced) -> TableState:
    """The replacement was inspected and verified; it is prepared like cards that have just come to the table."""
    held = CardSet(
        id=event.set_id,
        received_at=entry.at,
        inspected_by=event.inspected_by,
        verified_by=event.verified_by,
        verified_at=entry.at,
    )
    batches = tuple(replace(one, progress="", place="table", shuffled_at=None) for one in state.batches)
    state = replace(
        state,
        card_set=held,
        batches=batches,
        last_batch="",
        counted=Counted(last_verified=state.round),
        shuffle_cause="game_beginning",
        shuffle_pending=False,
        cover_out=None,
        cut=cutting.reset("game_beginning"),
        dealt=False,
        burned=False,
        refill=None,
        house_counted_round=state.round,
    )
    state = evolve_integrity.good(evolve_integrity.new_cards(state, entry.at), entry.at, "verification")
    return holding.calm(state, "card_set_life")


def due_said(state: TableState, entry: Entry, event: e.DueSaid) -> TableState:
    """Said out loud: eyes are needed. Nothing physical follows from a clock."""
    kind, _, rest = event.kind.partition(":")
    object_, _, _ = rest.partition(":")
    return holding.warn(state, Alert(kind=kind, since=event.due_at, clause=entry.clause, detail=object_))


APPLY: dict[str, Callable[[TableState, Entry, Any], TableState]] = {
    "DicePlaced": dice_placed,
    "DiceRemoved": dice_removed,
    "DiceHandedOver": dice_handed_over,
    "DealerRelieved": dealer_relieved,
    "DeviceOutOfOrder": out_of_order,
    "DeviceCovered": device_covered,
    "DeviceSigned": device_signed,
    "DeviceReturned": device_returned,
    "DeckReplaced": deck_replaced,
    "DueSaid": due_said,
}
