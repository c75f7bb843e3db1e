"""What may be done at a table now, what may not and why, and what it needs: all of it asked of the decider.

No second implementation of any rule: each command is tried with the fields that follow from the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal

import msgspec

from pit.record.contract import By, Refused
from pit.rules.model import Rules
from tables.domain import asking, attest, cutting, sequence, stages
from tables.domain.commands import COMMANDS, Command
from tables.domain.context import Context
from tables.domain.decide import decide, may_give
from tables.domain.labels import label
from tables.domain.needing import needs
from tables.domain.offer import Offer
from tables.domain.procedure import track
from tables.domain.state import SHUFFLERS, TableState

__all__ = ["needs", "offers", "track"]

GROUPS: dict[str, str] = {
    **dict.fromkeys(("PlayerArrives", "PlayerLeaves", "PlayersLeave"), "seat"),
    **dict.fromkeys(("OfferCut", "RefuseCut", "RecordCut", "OrderRecut"), "cut"),
    **dict.fromkeys(
        ("StartRound", "EndRound", "AdvanceRounds", "RecordCoverCardOut", "RecordBurn", "RecordCount"), "round"
    ),
    **dict.fromkeys(
        ("RecordNoGamingActivity", "WithdrawIdle", "RemoveCards", "RequestFaceUp", "RequestReshuffle"), "idle"
    ),
    **dict.fromkeys(("PlaceDice", "RemoveDice", "HandOverDice", "RelieveDealer"), "dice"),
    **dict.fromkeys(("DeclareOutOfOrder", "CoverDevice", "SignDevice", "ReturnDevice"), "device"),
    **dict.fromkeys(("DirectReshuffle", "CorrectEntry", "ReplaceDeck"), "decision"),
    **dict.fromkeys(("SetUpTable", "ReceiveCards", "InspectCards", "OpenTable", "CloseTable", "TakeCardsAway"), "table"),
}
NOT_OFFERED = frozenset({"SetUpTable", "SayDue", "AttestThrough"})
_SIGNED = By(signed=True)


def offers(state: TableState, rules: Rules, *, by: By, now: datetime) -> tuple[Offer, ...]:
    """Every command that makes sense at this table, lawful or refused; at most one is marked as the next step."""
    if state.config is None:
        return ()
    led = sequence.leading(state, rules)
    signing = _as_signed(by, rules)
    found = [_offer(name, state, rules, signing, now, led.command if led else "") for name in _sensible(state, rules)]
    found.sort(key=lambda one: (not one.next, not one.lawful))
    return (*found, *_attestations(state, rules, by=signing, now=now))


def _as_signed(by: By, rules: Rules) -> By:
    """The same person as if the PIN were given and a second one stood beside: the form asks for both."""
    second = By(id=-1, name="—", role="table_games_shift_manager", signed=True)
    return msgspec.structs.replace(by, signed=True, second=second)


def _sensible(state: TableState, rules: Rules) -> Iterator[str]:
    """Commands that this table's game and equipment know."""
    on_track = {step.command for name in sequence.tracks(state, rules) for step in rules.steps(name)}
    sequenced = {step.command for steps in rules.by_track.values() for step in steps}
    for name in COMMANDS:
        if name in NOT_OFFERED or (name in sequenced and name not in on_track):
            continue
        if _has_what_it_takes(name, state, rules):
            yield name


def _has_what_it_takes(name: str, state: TableState, rules: Rules) -> bool:
    steps = rules.house.get("rounds_recorded_by") == "steps"
    cards, uses = rules.game.has_cards, rules.game.uses
    match name:
        case "StartRound" | "EndRound":
            return steps or (name == "EndRound" and state.round_open)
        case "AdvanceRounds":
            return not steps
        case "PlaceDice":
            return "dice" in uses or "shaker" in uses
        case "RemoveDice" | "HandOverDice":
            return bool(state.dice)
        case "DeclareOutOfOrder":
            return any(not one.failed for one in state.devices)
        case "CoverDevice" | "SignDevice":
            return any(one.failed and one.kind in SHUFFLERS for one in state.devices)
        case "ReturnDevice":
            return any(one.failed for one in state.devices)
        case "RecordCount":
            return cards and rules.param("count_every_rounds") is not None
        case "WithdrawIdle":
            return state.stage == stages.IDLE_MUST_CLEAR
        case "PlayerLeaves" | "PlayersLeave":
            return bool(state.players)
        case "OfferCut" | "RefuseCut":
            return state.config is not None and state.config.cut_mode != cutting.DEALER_ONLY
        case "RecordBurn":
            return state.stage == stages.READY
        case "DirectReshuffle" | "OrderRecut" | "ReplaceDeck":
            return cards
        case _:
            return True


def _offer(name: str, state: TableState, rules: Rules, by: By, now: datetime, led: str) -> Offer:
    fields = prefilled(name, state, rules, by=by, now=now)
    command = COMMANDS[name](**fields)
    context = Context(state, command, by=by, rules=rules, now=now)
    answer = decide(state, command, by=by, rules=rules, now=now)
    refused = answer if isinstance(answer, Refused) else None
    asks = asking.asks(context) if refused is None or refused.status == 422 else ()
    if refused is not None and _only_unanswered(refused, asks):
        refused = None  # lawful once the form is filled in; the decider judges it then
    rule = rules.command(name)
    clause = rules.under(context.step.clause if context.step else rule.clause)
    needs: list[Literal["signature", "second"]] = (["signature"] if rule.signed else [])
    if rule.second:
        needs.append("second")
    return Offer(
        command=name,
        label=_label(name, state, rules, fields),
        lawful=refused is None,
        next=name == led and refused is None,
        fields=fields,
        refused=refused,
        clause=clause,
        cite=rules.cite(clause),
        paraphrase=rules.paraphrase(clause),
        needs=tuple(needs),
        asks=asks,
        group=GROUPS.get(name, "step"),
    )


def _only_unanswered(refused: Refused, asks: tuple[Any, ...]) -> bool:
    """Every reason is a field that the form asks for and that is still empty."""
    asked = {one.name for one in asks}
    return bool(asked) and all(
        one.status == 422 and one.fields and set(one.fields) <= asked for one in (refused, *refused.also)
    )


def prefilled(name: str, state: TableState, rules: Rules, *, by: By, now: datetime) -> dict[str, Any]:
    """Fields that follow from the table; what only a person knows stands there empty or at its likeliest."""
    blank = _blank(name, state, rules)
    context = Context(state, COMMANDS["AttestThrough"](to="READY"), by=by, rules=rules, now=now)
    fields = blank | attest.known_fields(name, context)
    if "batch" in COMMANDS[name].__struct_fields__ and name != "StartRound":
        row = sequence.find(state, rules, name)
        if row is not None and row.batch_from:
            fields["batch"] = sequence.batch_of(state, row)
    return fields


def _blank(name: str, state: TableState, rules: Rules) -> dict[str, Any]:
    free, taken = asking.free(state), asking.taken(state)
    asked = cutting.asked_now(state, rules) if name in ("RecordCut", "RefuseCut") else None
    match name:
        case "PlayerArrives":
            return {"seat": free[0] if free else 1}
        case "PlayerLeaves":
            return {"seat": taken[0] if taken else 1}
        case "RefuseCut":
            return {"seat": asked.seat if asked else 1}
        case "RecordCut":
            return {"seat": asked.seat if asked else None}
        case "ReceiveCards" | "PlaceDice":
            return {"set_id": ""}
        case "RemoveDice":
            return {"set_id": state.dice[0].id}
        case "HandOverDice":
            return {"set_id": state.dice[0].id, "to": ""}
        case "RecordCoverCardOut":
            return {"on": "dealer"}
        case "DeclareOutOfOrder":
            return {"device": next(one.id for one in state.devices if not one.failed)}
        case "CoverDevice" | "SignDevice":
            return {"device": next(one.id for one in state.devices if one.failed)}
        case "ReturnDevice":
            return {"device": next(one.id for one in state.devices if one.failed), "repair": ""}
        case "WithdrawIdle":
            return {"reason": ""}
        case "ReplaceDeck":
            return {"set_id": "", "reason": ""}
        case "CorrectEntry":
            return {"of": 0, "reason": "", "back_to": ""}
        case "RemoveCards":
            return {"sources": ()}
        case _:
            return {}


def _label(name: str, state: TableState, rules: Rules, fields: dict[str, Any]) -> str:
    """The button, with the batch or the seat it speaks of."""
    text = label(name, rules)
    if name == "RecordCut":
        who = f"seat {fields['seat']}" if fields.get("seat") else f"the {rules.word('dealer')}"
        return f"{text}: {who}"
    if name == "RefuseCut":
        return f"Seat {fields['seat']} refuses the cut"
    batch = fields.get("batch")
    known = state.batch(batch) if batch and len(state.batches) > 1 else None
    return f"{text}: {known.back} batch" if known else text


def _attestations(state: TableState, rules: Rules, *, by: By, now: datetime) -> Iterator[Offer]:
    """*Attest through …* as one offer, to the furthest stage that a run of steps reaches now."""
    if state.stage in stages.IN_PLAY or not state.open or not may_give(by, rules.command("AttestThrough")):
        return
    fields: dict[str, Any] = {"to": stages.READY}
    if not state.players:
        fields["arrival_seat"] = None
    command: Command = COMMANDS["AttestThrough"](**fields)
    answer = decide(state, command, by=by, rules=rules, now=now)
    events = [] if isinstance(answer, Refused) else answer
    if len(events) < 2:
        return
    rule = rules.command("AttestThrough")
    clause = rules.under(rule.clause)
    yield Offer(
        command="AttestThrough",
        label=f"Attest through “{stages.WORDS[stages.READY]}” ({len(events)} steps)",
        lawful=True,
        fields=fields,
        clause=clause,
        cite=rules.cite(clause),
        paraphrase=rules.paraphrase(clause),
        asks=_attested(state, rules),
        group="step",
    )


def _attested(state: TableState, rules: Rules) -> tuple[Any, ...]:
    if not state.players:
        return ()
    order = cutting.order(state, rules) or state.players
    return (asking.seats("seat", "Who cuts", [one.seat for one in order], optional=True),)
