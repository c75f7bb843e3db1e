"""Faults of devices, and how a device that failed comes back or is exchanged (h)(1), (h)(2); K2–K4, K7."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pit.record.contract import Refused
from tables.domain import decide_equipment, faults
from tables.domain import events_integrity as e
from tables.domain.checks_equipment import expected_cards
from tables.domain.commands import DeclareOutOfOrder
from tables.domain.context import Context, Ground
from tables.domain.event import Event
from tables.domain.events import DeckCounted
from tables.domain.exposure import exposure
from tables.domain.state import SHUFFLERS


def events_of(
    context: Context,
    *,
    device: str,
    code: str,
    batch: str = "",
    seat: int | None = None,
    expected: int | None = None,
    found: int | None = None,
    detail: str = "",
) -> list[Event]:
    """The events of a fault: the fault itself, and the device out of order where it cannot work."""
    state, kind = context.state, faults.CODES[code]
    hold = faults.holds(state, code)
    meant = faults.suspect(state, code, batch) if hold else None
    new = faults.standing(state, device, code, seat) is None
    stage, moves, pending = (
        faults.unshuffled(context, meant) if kind.reshuffle and hold and new else (state.stage, (), False)
    )
    reported = e.FaultReported(
        stage=stage,
        clause=faults.clause_of(code, context.rules),
        device=device,
        code=code,
        batch=meant.id if meant else batch,
        seat=faults.seat_of(code, seat),
        expected=expected,
        found=found,
        detail=detail,
        hold=hold if new else "",
        latched=bool(hold),
        count=kind.meets == "count" and new,
        moves=moves,
        shuffle_pending=pending,
        exposure=exposure(state, batch=meant.id if meant else "", now=context.now)
        if hold and state.card_set
        else None,
    )
    if not kind.out:
        return [reported, *_removal(context, reported)]
    after = Context(
        Ground(replace(state, stage=stage), context.rules), context.command, by=context.by, now=context.now
    )
    return [reported, *out_of_order(after, device, detail or kind.words)]


def _removal(context: Context, event: e.FaultReported) -> list[Event]:
    """Where the text asks for a count, a device that reveals a wrong number takes the deck off the table (NJ (g))."""
    rules, state = context.rules, context.state
    counted = event.code in ("SHUF_COUNT_SHORT", "SHUF_COUNT_OVER") and bool(event.hold)
    if not counted or not rules.governed or rules.param("count_every_rounds") is None:
        return []
    return [
        DeckCounted(
            cards=event.found,
            by_device=True,
            good=False,
            verified_round=state.counted.last_verified,
            device=event.device,
            batch=event.batch,
            exposure=event.exposure,
        )
    ]


def out_of_order(context: Context, device: str, fault: str) -> list[Event]:
    """The device is out of order from now on; nothing where it is already."""
    known = context.state.device(device)
    if known is None or known.failed:
        return []
    command = DeclareOutOfOrder(device=device, fault=fault)
    asked = Context(context.ground, command, by=context.by, now=context.now)
    found = decide_equipment.declare_out_of_order(asked)
    return [] if isinstance(found, Refused) else list(found)


def clear_fault(context: Context) -> Sequence[Event]:
    return [
        e.FaultCleared(
            device=context.get("device"),
            code=context.get("code"),
            seat=faults.seat_of(context.get("code"), context.get("seat")),
        )
    ]


def release_fault(context: Context) -> Sequence[Event]:
    return [
        e.FaultReleased(
            device=context.get("device"),
            code=context.get("code"),
            seat=faults.seat_of(context.get("code"), context.get("seat")),
            reason=context.get("reason"),
        )
    ]


def empty_device(context: Context) -> Sequence[Event]:
    """What was inside is reconciled: a batch that lay in it has its cards, otherwise nothing may be found (K7)."""
    cards = context.get("cards")
    state = context.state
    inside = [one for one in state.batches if one.place == "device"]
    expected = expected_cards(context) * len(inside) if state.batches else None
    device = state.device(context.get("device"))
    unsure = device is not None and device.kind in ("continuous", "counting")
    known = None if unsure or cards is None else expected
    wrong = cards is not None and (cards != known if known is not None else False)
    return [
        e.DeviceEmptied(
            device=context.get("device"),
            cards=cards if isinstance(cards, int) else None,
            expected=known,
            count=wrong,
            exposure=exposure(state, now=context.now) if wrong else None,
        )
    ]


def repair_device(context: Context) -> Sequence[Event]:
    return [e.DeviceRepaired(device=context.get("device"), repair=context.get("repair"))]


def test_device(context: Context) -> Sequence[Event]:
    return [
        e.DeviceTested(
            device=context.get("device"), passed=context.get("passed"), detail=context.get("detail")
        )
    ]


def swap_device(context: Context) -> Sequence[Event]:
    """K4: cards are counted after a swap, where the house says so."""
    state, replaces = context.state, context.get("replaces")
    old = state.device(replaces) if replaces else None
    spec = context.get("device")
    touches = any(one is not None and one.kind in SHUFFLERS for one in (old, spec))
    count = (
        touches
        and state.open
        and state.card_set is not None
        and bool(context.rules.house.get("count_after_device_swap", True))
    )
    return [
        e.DeviceSwapped(
            stage=decide_equipment.stage_without(context, old) if old is not None else state.stage,
            clause=context.rules.command("SwapDevice").clause,
            device=spec,
            replaces=replaces,
            count=count,
            exposure=exposure(state, now=context.now) if count else None,
        )
    ]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "ClearFault": clear_fault,
    "ReleaseFault": release_fault,
    "EmptyDevice": empty_device,
    "RepairDevice": repair_device,
    "TestDevice": test_device,
    "SwapDevice": swap_device,
}
