"""Dice and their clock, dealers, devices out of order, counts and replaced decks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pit.record.contract import Refused
from tables.domain import button, stages
from tables.domain.checks_equipment import expected_cards
from tables.domain.context import Context
from tables.domain.events import (
    DealerRelieved,
    DeckCounted,
    DeckReplaced,
    DeviceCovered,
    DeviceOutOfOrder,
    DeviceReturned,
    DeviceSigned,
    DiceHandedOver,
    DicePlaced,
    DiceRemoved,
    Event,
)
from tables.domain.events_play import GamingResumed
from tables.domain.exposure import exposure
from tables.domain.state import SHUFFLERS, Device
from tables.domain.wrong import Wrong

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def place_dice(context: Context) -> Sequence[Event] | Refused:
    shaker = context.get("shaker") or (context.config.shaker if "shaker" in context.game.uses else "")
    first = context.get("first_placed_at")
    if not _ID.fullmatch(context.get("set_id")) or _not_before(first, context.now):
        text = "A set has an id of letters, digits, dots and dashes, and was not placed after now."
        return context.refuse(
            "OUT_OF_RANGE", "pitstand", text, fields={"set_id": "letters, digits, dots and dashes"}
        )
    placed_at = _placed_at(context, first)
    hours = dice_hours(context, shaker)
    return [
        DicePlaced(
            set_id=context.get("set_id"),
            number=context.get("number"),
            placed_at=placed_at,
            shaker=shaker,
            responsible=context.get("responsible") or context.state.dealer,
            due_at=placed_at + timedelta(hours=hours) if hours else None,
            handed_by=context.get("handed_by"),
        )
    ]


def _not_before(first: datetime | None, now: datetime) -> bool:
    return first is not None and (first.tzinfo is None or first > now)


def _placed_at(context: Context, first: datetime | None) -> datetime:
    """A set that was here, or at another table, and was not inspected again keeps its first clock (A-18)."""
    if context.get("reinspected"):
        return context.now
    gone = next((one for one in context.state.dice_gone if one.id == context.get("set_id")), None)
    known = [one for one in (first, gone.placed_at if gone else None) if one is not None]
    return min(max(known, default=context.now), context.now)


def dice_hours(context: Context, shaker: str) -> int:
    """Hours of this table's dice; 0 where no clock runs. The text's are those of a shaker's dice (A-50)."""
    house = context.rules.house
    told = context.rules.param("dice_hours") if context.rules.governed and shaker else None
    hours = told or house.get("shaker_dice_hours" if shaker else "craps_dice_hours", 0)
    return hours if isinstance(hours, int) and 0 <= hours <= 168 else 0


def remove_dice(context: Context) -> Sequence[Event]:
    return [DiceRemoved(set_id=context.get("set_id"), to=context.get("to"))]


def hand_over_dice(context: Context) -> Sequence[Event] | Refused:
    if not context.get("to").strip():
        return context.refuse(
            "TEXT_REQUIRED", "house", "Say who answers for the dice.", fields={"to": "needed"}
        )
    return [DiceHandedOver(set_id=context.get("set_id"), to=context.get("to"))]


def relieve_dealer(context: Context) -> Sequence[Event]:
    burn = bool(context.rules.house.get("burn_at_dealer_change")) and context.state.stage in stages.IN_PLAY
    return [
        DealerRelieved(
            to=context.get("to"),
            dice_accepted=context.get("dice_accepted"),
            checks=context.get("checks"),
            burn=burn and bool(context.get("to")) and context.game.has_cards,
        )
    ]


def declare_out_of_order(context: Context) -> Sequence[Event] | Refused:
    device = context.state.device(context.get("device"))
    if device is None or device.failed:
        return context.refuse("DEVICE_OUT_OF_ORDER", "house", "It is out of order already.")
    asks = any(one.check == "cover_or_sign" for one in context.rules.guards("RecordShuffle"))
    return [
        DeviceOutOfOrder(
            stage=stage_without(context, device),
            clause=context.rules.command("DeclareOutOfOrder").clause,
            device=device.id,
            fault=context.get("fault"),
            must_cover=asks and device.kind in SHUFFLERS,
        )
    ]


def stage_without(context: Context, device: Device) -> str:
    """Where a failing shuffler leaves the table: cards inside a device that failed are shuffled again."""
    state = context.state
    if device.kind not in SHUFFLERS:
        return state.stage
    if state.idle is not None and state.stage == stages.LOADED:
        return stages.INSPECTED  # without a shuffler in use the table's cards are washed first (PA (g)(1))
    if state.stage == stages.IDLE_NO_SPREAD_DUTY:
        return stages.IDLE_MUST_CLEAR  # without the approved device the idle duty is back at once
    inside = (
        device.kind in ("continuous", "counting") and state.stage in stages.IN_PLAY and not state.round_open
    )
    return stages.SHUFFLE_DUE if inside or state.stage == stages.LOADED else state.stage


def cover_device(context: Context) -> Sequence[Event]:
    return [DeviceCovered(device=context.get("device"))]


def sign_device(context: Context) -> Sequence[Event]:
    return [DeviceSigned(device=context.get("device"))]


def return_device(context: Context) -> Sequence[Event] | Refused:
    if not context.get("repair").strip():
        return context.refuse("TEXT_REQUIRED", "house", "Say what was repaired.", fields={"repair": "needed"})
    returned = DeviceReturned(device=context.get("device"), repair=context.get("repair"))
    ceased = context.state.ceased
    if ceased is None or ceased.device != returned.device:
        return [returned]
    # (k)(4): gaming may go on once that very device is fixed
    return [returned, GamingResumed(stage=ceased.before, clause=ceased.clause, device=returned.device)]


def record_count(context: Context) -> Sequence[Event]:
    """A reading before round n verifies up to n − 1; a wrong number takes the deck off the table (A-45)."""
    state, cards = context.state, context.get("cards")
    by_device = context.get("by_device") or context.by.kind == "device"
    good = context.get("good") if cards is None else cards == expected_cards(context)
    found = (
        button.counted_by_device(state.counted, good=bool(good), before_round=state.round + 1)
        if cards is None or by_device
        else button.counted_by_hand(
            state.counted, cards=cards, expected=expected_cards(context), after_round=state.round
        )
    )
    verified = state.counted.last_verified if isinstance(found, Wrong) else found.last_verified
    removal = context.rules.governed and context.rules.param("count_every_rounds") is not None
    return [
        DeckCounted(
            cards=cards if isinstance(cards, int) else None,
            by_device=by_device,
            good=bool(good),
            verified_round=verified,
            device=context.get("device"),
            batch=context.get("batch"),
            removal=removal,
            overrules=bool(good) and not by_device and not removal,
            exposure=None if good else exposure(state, batch=context.get("batch"), now=context.now),
        )
    ]


def replace_deck(context: Context) -> Sequence[Event] | Refused:
    if not context.get("set_id").strip() or not context.get("reason").strip():
        return context.refuse(
            "TEXT_REQUIRED",
            "house",
            "Say which set replaces the deck, and why.",
            fields={"set_id": "needed", "reason": "needed"},
        )
    if context.step is None:
        return context.refuse("OUT_OF_SEQUENCE", "house", "The deck is replaced between rounds.")
    second = context.by.second
    return [
        DeckReplaced(
            **context.staged(),
            set_id=context.get("set_id"),
            reason=context.get("reason"),
            inspected_by=second.name if second else "",
            verified_by=context.by.name,
        )
    ]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "PlaceDice": place_dice,
    "RemoveDice": remove_dice,
    "HandOverDice": hand_over_dice,
    "RelieveDealer": relieve_dealer,
    "DeclareOutOfOrder": declare_out_of_order,
    "CoverDevice": cover_device,
    "SignDevice": sign_device,
    "ReturnDevice": return_device,
    "RecordCount": record_count,
    "ReplaceDeck": replace_deck,
}
