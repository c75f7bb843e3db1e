"""Irregularities as the pack rules on them, the supervisor's decision where it is silent, and what must follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pit.record.contract import Refused
from pit.rules.model import HOUSE
from tables.domain import decide_faults, faults, irregular, rounds, stages
from tables.domain import events_play as e
from tables.domain.checks_irregular import open_one
from tables.domain.context import Context
from tables.domain.event import Event, Staged
from tables.domain.exposure import exposure
from tables.domain.rulings import Ruling
from tables.domain.wrong import is_whole

_OF_DEVICES = {"shuffler_stopped": "SHUF_JAM", "shuffler_out": "SHUF_INOP", "reader_out": "READER_INOP"}
"""Irregularities of a device: the fault that is recorded with them."""


def record_irregularity(context: Context) -> Sequence[Event] | Refused:
    kind = context.get("kind")
    facts = irregular.complete(kind, context.get("facts"), context.state)
    if "device" in facts and context.state.device(facts["device"]) is None and kind != "shoe_stopped":
        return context.refuse(
            "UNKNOWN_DEVICE", HOUSE, "There is no such device here.", fields={"device": "no such device"}
        )
    events: list[Event] = []
    if kind in _OF_DEVICES:
        events += decide_faults.events_of(
            context, device=facts["device"], code=_OF_DEVICES[kind], batch=str(facts.get("batch", ""))
        )
    if kind == "electronic_shaker":
        events += decide_faults.out_of_order(context, facts["device"], "malfunction while uncovered")
    recorded = recorded_as(context, kind, facts, stage=_stage_after(events, context.state.stage))
    return recorded if isinstance(recorded, Refused) else [*events, recorded]


def report_fault(context: Context) -> Sequence[Event] | Refused:
    code = context.get("code")
    events = decide_faults.events_of(
        context,
        device=context.get("device"),
        code=code,
        batch=context.get("batch"),
        seat=context.get("seat"),
        expected=context.get("expected"),
        found=context.get("found"),
        detail=context.get("detail"),
    )
    kind = faults.CODES[code]
    if not kind.irregularity:
        return events
    told = {
        "device": context.get("device"),
        "expected": context.get("expected"),
        "dealt": context.get("found"),
    }
    facts = {key: value for key, value in told.items() if value is not None} | {"uncovered": True}
    if kind.irregularity == "electronic_shaker":
        events += decide_faults.out_of_order(context, context.get("device"), kind.words)
    stage = _stage_after(events, context.state.stage)
    full = irregular.complete(kind.irregularity, facts, context.state)
    recorded = recorded_as(context, kind.irregularity, full, stage=stage)
    return events if isinstance(recorded, Refused) else [*events, recorded]


def _stage_after(events: Sequence[Event], stage: str) -> str:
    staged = [one.stage for one in events if isinstance(one, Staged)]
    return staged[-1] if staged else stage


def recorded_as(
    context: Context, kind: str, facts: Mapping[str, Any], *, stage: str
) -> e.IrregularityRecorded | Refused:
    """The event of an irregularity: what the pack states, and what follows from it at once."""
    state, rules = context.state, context.rules
    found = irregular.foresee(state, rules, kind, facts)
    if isinstance(found, Refused):
        return found
    refill = kind == "shoe_short" and state.stage in stages.IN_PLAY and state.refill is None
    stated = found.consequences
    due = bool(stated.get("reshuffle")) and kind not in ("shoe_short", "shuffler_stopped")
    after, pending = (
        (stages.SHUFFLE_DUE, False) if refill else after_reshuffle(context, stage) if due else (stage, False)
    )
    cards = facts.get("cards")
    return e.IrregularityRecorded(
        stage=after,
        clause=found.clauses[0] if found.clauses else HOUSE,
        id=state.irregularities_seen + 1,
        kind=kind,
        words=irregular.words_of(kind, found, rules),
        facts=facts,
        clauses=found.clauses,
        consequences=found.consequences,
        defaults=_defaults(context, found),
        steps=found.steps,
        prompts=found.prompts,
        needs=irregular.needs(found),
        seat=_seat(facts),
        device=str(facts.get("device", "")),
        void=irregular.voids(found, rules),
        reshuffle=due,
        shuffle_pending=pending,
        refill=refill,
        refill_cards=cards if is_whole(cards) and cards >= 0 and refill else None,
        no_roll=bool(stated.get("reshake")),
        burn=found.clauses[0] if stated.get("burn") and not refill else "",
        face_up=1 if kind == "face_up_in_shoe" else 0,
        exposure=exposure(state, now=context.now) if state.card_set is not None else None,
    )


def _seat(facts: Mapping[str, Any]) -> int | None:
    seat = facts.get("seat")
    return seat if is_whole(seat) else None


def _defaults(context: Context, found: Ruling) -> dict[str, bool]:
    """What the house asks a supervisor to confirm where the text is silent (A-37)."""
    told: dict[str, bool] = {}
    for key in found.keys:
        inferred = context.rules.pack.irregularities[key].inferred
        told |= {name: value for name, value in inferred.items() if isinstance(value, bool)}
    return {name: value for name, value in told.items() if found.consequences.get(name) is None}


def after_reshuffle(context: Context, stage: str) -> tuple[str, bool]:
    """Where a table goes whose cards are to be shuffled, and whether only when its round is over."""
    if context.state.round_open:
        return stage, True
    return (stages.SHUFFLE_DUE if stage in stages.IN_PLAY else stage), False


def record_ruling(context: Context) -> Sequence[Event]:
    state, one = context.state, open_one(context)
    assert one is not None
    stated, defaults = one.consequences, one.defaults
    returned = stated.get("wagers_returned")
    if returned is None:
        returned = defaults.get("wagers_returned")
    wagers = context.get("wagers") or {True: "returned", False: "stand", None: ""}[returned]
    told = context.get("reshuffle")
    wanted = told if told is not None else bool(stated.get("reshuffle") or defaults.get("reshuffle"))
    new = wanted and not stated.get("reshuffle")
    stage, pending = after_reshuffle(context, state.stage) if new else (state.stage, False)
    return [
        e.RulingRecorded(
            stage=stage,
            clause=one.clauses[0] if one.clauses else HOUSE,
            irregularity=one.id,
            kind=one.kind,
            wagers=wagers,
            reshuffle=new,
            shuffle_pending=pending,
            void=_void(context, defaults),
            instruction=context.get("instruction"),
            needs=tuple(need for need in one.needs if need not in ("floorperson", "ruling")),
        )
    ]


def _void(context: Context, defaults: Mapping[str, bool]) -> str:
    """Under what the round is void after this ruling; what the text has voided already stays under its clause."""
    if rounds.facts_now(context.state).void or not context.state.round_open:
        return ""
    told = context.get("round") or ("void" if defaults.get("round_void") else "stands")
    return HOUSE if told == "void" else ""


def record_player_choice(context: Context) -> Sequence[Event]:
    one = open_one(context)
    assert one is not None
    return [e.PlayerChose(irregularity=one.id, seat=one.seat, choice=context.get("choice"))]


def settle_wagers(context: Context) -> Sequence[Event]:
    one, by = open_one(context), context.by
    assert one is not None
    second = by.second.name if by.second is not None else ""
    return [
        e.WagersSettled(
            stage=stages.GAMING_CEASED,
            clause=context.rules.command("SettleWagers").clause,
            irregularity=one.id,
            device=one.device,
            supervisor=second or by.name,
            before=context.state.stage,
        )
    ]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "RecordIrregularity": record_irregularity,
    "ReportFault": report_fault,
    "RecordRuling": record_ruling,
    "RecordPlayerChoice": record_player_choice,
    "SettleWagers": settle_wagers,
}
