"""What may be done at a table now, what may not and why, and what it needs: all of it asked of the decider.

No second implementation of any rule: each command is tried with the fields that follow from the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Literal

import msgspec

from pit.record.contract import By, Refused
from pit.rules.model import Rules
from tables.domain import (
    asking,
    asking_more,
    attest,
    checks,
    checks_play,
    cutting,
    offers_more,
    rounds,
    sequence,
    stages,
)
from tables.domain.commands import COMMANDS, AttestThrough
from tables.domain.context import Context, Ground
from tables.domain.decide import answer, may_give
from tables.domain.labels import label
from tables.domain.needing import needs
from tables.domain.offer import Offer
from tables.domain.procedure import track
from tables.domain.state import SHUFFLERS, TableState

__all__ = ["likely", "needs", "offers", "track"]

GROUPS: dict[str, str] = {
    **dict.fromkeys(("PlayerArrives", "PlayerLeaves", "PlayersLeave"), "seat"),
    **dict.fromkeys(("OfferCut", "RefuseCut", "RecordCut", "OrderRecut"), "cut"),
    **dict.fromkeys(
        ("StartRound", "EndRound", "AdvanceRounds", "RecordCoverCardOut", "RecordBurn", "RecordCount"),
        "round",
    ),
    **dict.fromkeys(
        ("RecordNoGamingActivity", "WithdrawIdle", "RemoveCards", "RequestFaceUp", "RequestReshuffle"), "idle"
    ),
    **dict.fromkeys(("PlaceDice", "RemoveDice", "HandOverDice", "RelieveDealer"), "dice"),
    **dict.fromkeys(("DeclareOutOfOrder", "CoverDevice", "SignDevice", "ReturnDevice"), "device"),
    **dict.fromkeys(
        (
            "RecordDice",
            "RecordRngNumber",
            "MarkStart",
            "CloseShaker",
            "AnnounceNoMoreBets",
            "RecordLockOut",
            "RecordAcceptedWagers",
            "VerifyChips",
            "PlaceChipsInTray",
            "DiscardStub",
            "TakeRestInHand",
            "VoidRound",
            "ContinueRound",
            "CollectHand",
            "HoldHand",
            "RecordPayoutDocuments",
            "TakeSideWager",
            "TakeVerbalWager",
        ),
        "round",
    ),
    **dict.fromkeys(
        ("RecordIrregularity", "RecordRuling", "RecordPlayerChoice", "SettleWagers"), "irregularity"
    ),
    **dict.fromkeys(
        (
            "ReportFault",
            "ClearFault",
            "ReleaseFault",
            "EmptyDevice",
            "RepairDevice",
            "TestDevice",
            "SwapDevice",
        ),
        "device",
    ),
    **dict.fromkeys(("RecordSpill", "RequireCount", "ReportCard", "ReplaceCard", "SampleCards"), "cards"),
    **dict.fromkeys(("DirectReshuffle", "CorrectEntry", "ReplaceDeck"), "decision"),
    **dict.fromkeys(
        ("SetUpTable", "ReceiveCards", "InspectCards", "OpenTable", "CloseTable", "TakeCardsAway"), "table"
    ),
}
NOT_OFFERED = frozenset(
    {
        "SetUpTable",
        "RecordTerms",
        "PutInForce",
        "SayDue",
        "AttestThrough",
        "SwapDevice",
        "RecordAcceptedWagers",
    }
)
PLAYERS = frozenset({"PlayerArrives", "PlayerLeaves", "PlayersLeave"})
"""Arrivals are recorded where cards are offered to be cut."""


def offers(state: TableState, rules: Rules, *, by: By, now: datetime) -> tuple[Offer, ...]:
    """Every command that makes sense at this table, lawful or refused; at most one is marked as the next step."""
    if state.config is None:
        return ()
    led = sequence.leading(state, rules)
    ground, signing = Ground(state, rules), _as_signed(by)
    found = [
        _offer(name, ground, signing, now, led.command if led else "") for name in _sensible(state, rules)
    ]
    found.sort(key=lambda one: (not one.next, not one.lawful))
    return (*found, *_attestations(ground, signing, now))


def _as_signed(by: By) -> By:
    """The same person as if the PIN were given and a second one stood beside: the form asks for both."""
    second = By(id=-1, name="—", role="table_games_shift_manager", signed=True)
    return msgspec.structs.replace(by, signed=True, second=second)


def _sensible(state: TableState, rules: Rules) -> Iterator[str]:
    """Commands that this table's game and equipment know: those of its sequences, and those without a sequence."""
    tracks = sequence.tracks(state, rules)
    for name in COMMANDS:
        if name in NOT_OFFERED:
            continue
        sequenced = name in PLAYERS or any(one.check == checks.FALLBACK for one in rules.guards(name))
        on_track = (name in PLAYERS and rules.game.has_cards) or any(
            rules.steps_of(track, name) for track in tracks
        )
        if (on_track or not sequenced) and _has_what_it_takes(name, state, rules):
            yield name


def _has_what_it_takes(name: str, state: TableState, rules: Rules) -> bool:
    if name == "TakeInHand" and state.stage in stages.IN_PLAY:
        return not state.round_open and bool(state.hand)
    found = _TAKES.get(name)
    return found is None or found(state, rules)


_by_steps = rounds.by_steps


def _cards(state: TableState, rules: Rules) -> bool:
    return rules.game.has_cards


def _offered(state: TableState, rules: Rules) -> bool:
    return state.config is not None and state.config.cut_mode != cutting.DEALER_ONLY


def _players(state: TableState, rules: Rules) -> bool:
    return bool(state.players)


def _dice(state: TableState, rules: Rules) -> bool:
    return bool(state.dice)


def _failed_shuffler(state: TableState, rules: Rules) -> bool:
    return any(one.failed and one.kind in SHUFFLERS for one in state.devices)


_TAKES: dict[str, Callable[[TableState, Rules], bool]] = {
    "StartRound": _by_steps,
    "EndRound": lambda state, rules: _by_steps(state, rules) or state.round_open,
    "AdvanceRounds": lambda state, rules: not _by_steps(state, rules),
    "RecordCoverCardOut": lambda state, rules: (
        state.stage != stages.SHUFFLE_DUE or (state.cover_out is not None and state.cover_out.on == "unknown")
    ),
    "PlaceDice": lambda state, rules: bool({"dice", "shaker"} & set(rules.game.uses)),
    "RemoveDice": _dice,
    "HandOverDice": _dice,
    "DeclareOutOfOrder": lambda state, rules: any(not one.failed for one in state.devices),
    "CoverDevice": _failed_shuffler,
    "SignDevice": _failed_shuffler,
    "ReturnDevice": lambda state, rules: any(one.failed for one in state.devices),
    "RecordCount": lambda state, rules: rules.game.has_cards and state.card_set is not None,
    "WithdrawIdle": lambda state, rules: state.stage == stages.IDLE_MUST_CLEAR,
    "PlayerArrives": lambda state, rules: state.open and bool(asking.free(state)),
    "PlayerLeaves": _players,
    "PlayersLeave": _players,
    "OfferCut": _offered,
    "RefuseCut": _offered,
    "RecordBurn": lambda state, rules: state.stage == stages.READY or bool(state.burn_due),
    "DirectReshuffle": _cards,
    "OrderRecut": _cards,
    "ReplaceDeck": _cards,
    **offers_more.TAKES,
}
"""What a command needs of the table to make sense at all; a command that is not here always does."""


def _offer(name: str, ground: Ground, by: By, now: datetime, led: str) -> Offer:
    """One command tried; what only the form can tell is tried with a likely answer and left out of the fields."""
    state, rules = ground.state, ground.rules
    fields = prefilled(name, state, rules)
    context = Context(ground, COMMANDS[name](**fields | likely(name, ground)), by=by, now=now)
    found = answer(context)
    refused = found if isinstance(found, Refused) else None
    rule = rules.command(name)
    clause = rules.under(context.binding(context.step.clause if context.step else rule.clause))
    needs: list[Literal["signature", "second"]] = ["signature"] if rule.signed else []
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
        asks=asking_more.asks(context) if refused is None else (),
        group=GROUPS.get(name, "step"),
    )


def likely(name: str, ground: Ground) -> dict[str, Any]:
    """Answers that a person will give in the form: enough to know whether the command is lawful at all."""
    if name == "CorrectEntry":
        back = checks_play.back_stages(ground.state, ground.rules)
        return {"reason": "?", "back_to": back[0] if back else ground.state.stage}
    return _LIKELY.get(name, {}) | offers_more.likely(name, ground.state, ground.rules)


_LIKELY: dict[str, dict[str, Any]] = {
    "ReceiveCards": {"set_id": "?"},
    "PlaceDice": {"set_id": "DS-1"},
    "OrderRecut": {"ground": "improper_cut", "option": "last_cutter"},
    "WithdrawIdle": {"reason": "?"},
    "ReplaceDeck": {"set_id": "?", "reason": "?"},
    "HandOverDice": {"to": "?"},
    "RelieveDealer": {"to": "?", "dice_accepted": True},
    "ReturnDevice": {"repair": "?"},
    "RecordCount": {"cards": 0},
}


def prefilled(name: str, state: TableState, rules: Rules) -> dict[str, Any]:
    """Fields that follow from the table; what only a person knows stands there empty or at its likeliest."""
    return (
        _blank(name, state, rules)
        | offers_more.prefilled(name, state, rules)
        | attest.known_fields(name, state, rules)
    )


def _blank(name: str, state: TableState, rules: Rules) -> dict[str, Any]:
    found = _FIELDS.get(name)
    return found(state, rules) if found else {}


def _first_free(state: TableState, rules: Rules) -> dict[str, Any]:
    return {"seat": next(iter(asking.free(state)), 1)}


def _first_taken(state: TableState, rules: Rules) -> dict[str, Any]:
    return {"seat": next(iter(asking.taken(state)), 1)}


def _who_refuses(state: TableState, rules: Rules) -> dict[str, Any]:
    asked = cutting.asked_now(state, rules)
    return {"seat": asked.seat} if asked else _first_taken(state, rules)


def _who_cuts(state: TableState, rules: Rules) -> dict[str, Any]:
    asked = cutting.asked_now(state, rules)
    return {"seat": asked.seat if asked else None}


def _first_dice(state: TableState, rules: Rules) -> dict[str, Any]:
    return {"set_id": state.dice[0].id}


def _failed(state: TableState, rules: Rules) -> dict[str, Any]:
    return {"device": next(one.id for one in state.devices if one.failed)}


_FIELDS: dict[str, Callable[[TableState, Rules], dict[str, Any]]] = {
    "PlayerArrives": _first_free,
    "PlayerLeaves": _first_taken,
    "RefuseCut": _who_refuses,
    "RecordCut": _who_cuts,
    "ReceiveCards": lambda state, rules: {"set_id": ""},
    "PlaceDice": lambda state, rules: {"set_id": ""},
    "RemoveDice": _first_dice,
    "HandOverDice": lambda state, rules: _first_dice(state, rules) | {"to": ""},
    "RecordCoverCardOut": lambda state, rules: {"on": "dealer"},
    "DeclareOutOfOrder": lambda state, rules: {
        "device": next(one.id for one in state.devices if not one.failed)
    },
    "CoverDevice": _failed,
    "SignDevice": _failed,
    "ReturnDevice": lambda state, rules: _failed(state, rules) | {"repair": ""},
    "WithdrawIdle": lambda state, rules: {"reason": ""},
    "ReplaceDeck": lambda state, rules: {"set_id": "", "reason": ""},
    "CorrectEntry": lambda state, rules: {"of": 0, "reason": "", "back_to": ""},
    "RemoveCards": lambda state, rules: {"sources": ()},
}
"""Required fields of a command, filled as far as the table knows them."""


def _label(name: str, state: TableState, rules: Rules, fields: dict[str, Any]) -> str:
    """The button, with the batch or the seat it speaks of."""
    text = label(name, rules)
    if name == "RecordCut":
        who = f"seat {fields['seat']}" if fields.get("seat") else f"the {rules.word('dealer')}"
        return f"{text}: {who}"
    if name == "RefuseCut":
        return f"Seat {fields['seat']} refuses the cut"
    if name in offers_more.NAMED and fields.get("device"):
        return f"{text}: {fields['device']}"
    batch = fields.get("batch")
    known = state.batch(batch) if batch and len(state.batches) > 1 else None
    return f"{text}: {known.back} batch" if known else text


def _attestations(ground: Ground, by: By, now: datetime) -> Iterator[Offer]:
    """*Attest through …* as one offer, to the furthest stage that a run of steps reaches now."""
    state, rules = ground.state, ground.rules
    rule = rules.command("AttestThrough")
    if state.stage in stages.IN_PLAY or not state.open or not may_give(by, rule):
        return
    command = AttestThrough(to=stages.READY)
    stage, steps = attest.furthest(Context(ground, command, by=by, now=now), command, answer)
    if steps < 2:
        return
    clause = rules.under(rule.clause)
    yield Offer(
        command="AttestThrough",
        label=f"Attest through “{stages.WORDS[stage]}” ({steps} steps)",
        lawful=True,
        fields={"to": stage},
        clause=clause,
        cite=rules.cite(clause),
        paraphrase=rules.paraphrase(clause),
        asks=_attested(state, rules),
        group="step",
    )


def _attested(state: TableState, rules: Rules) -> tuple[Any, ...]:
    if not state.players or (state.config and state.config.cut_mode == cutting.DEALER_ONLY):
        return ()
    order = cutting.order(state, rules) or state.players
    return (asking.seats("seat", "Who cuts", [one.seat for one in order], optional=True),)
