"""Offers of rounds step by step, irregularities, faults and cards: where they make sense, and with which fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pit.rules.model import Rules
from tables.domain import asking, irregular, rounds, stages
from tables.domain.checks_round import methods
from tables.domain.state import TableState

Where = Callable[[TableState, Rules], bool]
Fields = Callable[[TableState, Rules], dict[str, Any]]
NAMED = frozenset({"EmptyDevice", "RepairDevice", "TestDevice", "ReleaseFault"})
"""The button names the device."""


def _steps(state: TableState, rules: Rules) -> bool:
    return state.open and rounds.by_steps(state, rules)


def _between(state: TableState, rules: Rules) -> bool:
    """Before the first card of a round that is recorded step by step."""
    return _steps(state, rules) and state.stage in stages.IN_PLAY and not state.round_open


def _progressive(state: TableState, rules: Rules) -> bool:
    return state.open and state.config is not None and state.config.progressive is not None


def _progressive_between(state: TableState, rules: Rules) -> bool:
    return _progressive(state, rules) and _between(state, rules)


def _opened(state: TableState, need: str) -> bool:
    return any(need in one.needs for one in state.irregularities)


def _cards(state: TableState, rules: Rules) -> bool:
    return rules.game.has_cards and state.card_set is not None


def _failed(state: TableState, rules: Rules) -> bool:
    return any(one.failed for one in state.devices)


TAKES: dict[str, Where] = {
    "RecordDice": lambda state, rules: (
        "shaker" in methods(state, rules) and _between(state, rules) and rounds.facts_now(state).start is None
    ),
    "RecordRngNumber": lambda state, rules: (
        "rng" in methods(state, rules) and _between(state, rules) and rounds.facts_now(state).start is None
    ),
    "MarkStart": lambda state, rules: (
        rounds.facts_now(state).start is not None and not rounds.facts_now(state).marked
    ),
    "CloseShaker": lambda state, rules: state.shaker_open,
    "AnnounceNoMoreBets": lambda state, rules: (
        _between(state, rules) and rounds.facts_now(state).bets_closed_at is None
    ),
    "RecordLockOut": lambda state, rules: (
        _progressive_between(state, rules) and not rounds.facts_now(state).locked_out
    ),
    "VerifyChips": _progressive_between,
    "PlaceChipsInTray": lambda state, rules: (
        _progressive_between(state, rules) and not rounds.facts_now(state).in_tray
    ),
    "DiscardStub": lambda state, rules: (
        _steps(state, rules) and state.round_open and rules.game.alternation_unit == "round"
    ),
    "TakeRestInHand": lambda state, rules: (
        _steps(state, rules)
        and state.round_open
        and state.config is not None
        and state.config.deal_mode == "stacks"
    ),
    "VoidRound": lambda state, rules: state.round_open and bool(rounds.facts_now(state).void),
    "ContinueRound": lambda state, rules: state.refill is not None,
    "SettleWagers": lambda state, rules: _opened(state, "settlement"),
    "CollectHand": lambda state, rules: state.round_open and bool(state.players),
    "HoldHand": _progressive,
    "RecordPayoutDocuments": lambda state, rules: bool(state.held_hands),
    "TakeSideWager": lambda state, rules: (
        state.open and bool(rules.game.side_wagers) and bool(state.lights_out)
    ),
    "TakeVerbalWager": lambda state, rules: False,
    "RecordIrregularity": lambda state, rules: state.open and bool(irregular.any_possible(state, rules)),
    "RecordRuling": lambda state, rules: _opened(state, "floorperson") or _opened(state, "ruling"),
    "RecordPlayerChoice": lambda state, rules: _opened(state, "choice"),
    "ReportFault": lambda state, rules: bool(state.devices),
    "ClearFault": lambda state, rules: any(not one.latched for one in state.faults),
    "ReleaseFault": lambda state, rules: any(one.latched for one in state.faults),
    "EmptyDevice": _failed,
    "RepairDevice": _failed,
    "TestDevice": _failed,
    "RecordSpill": _cards,
    "RequireCount": _cards,
    "ReportCard": _cards,
    "ReplaceCard": lambda state, rules: any(not one.replaced for one in state.bad_cards),
    "SampleCards": lambda state, rules: state.card_set is not None and state.card_set.preshuffled,
}


def _first_open(state: TableState, *needs: str) -> int:
    return next((one.id for one in state.irregularities if set(needs) & set(one.needs)), 0)


def _fault(state: TableState, latched: bool) -> dict[str, Any]:
    one = next(one for one in state.faults if one.latched is latched)
    return {"device": one.device, "code": one.code} | ({"seat": one.seat} if one.seat is not None else {})


def _bad_card(state: TableState, rules: Rules) -> dict[str, Any]:
    one = next(one for one in state.bad_cards if not one.replaced)
    return {"rank": one.rank, "suit": one.suit, "back": one.back}


def _failed_one(state: TableState, rules: Rules) -> dict[str, Any]:
    """The device whose workflow is not through yet."""
    failed = [one for one in state.devices if one.failed]
    left = [one for one in failed if one.emptied_at is None or one.tested_at is None]
    return {"device": (left or failed)[0].id}


_FIELDS: dict[str, Fields] = {
    "RecordRngNumber": lambda state, rules: {"number": None},
    "VerifyChips": lambda state, rules: {"chips": rounds.facts_now(state).accepted or 0},
    "SettleWagers": lambda state, rules: {"irregularity": _first_open(state, "settlement")},
    "CollectHand": lambda state, rules: {"seat": next(iter(asking.taken(state)), 1)},
    "HoldHand": lambda state, rules: {"seat": next(iter(asking.taken(state)), 1)},
    "RecordPayoutDocuments": lambda state, rules: {"seat": state.held_hands[0], "reference": ""},
    "TakeSideWager": lambda state, rules: {"seat": 1},
    "RecordIrregularity": lambda state, rules: {"kind": ""},
    "RecordRuling": lambda state, rules: {"irregularity": _first_open(state, "floorperson", "ruling")},
    "RecordPlayerChoice": lambda state, rules: {"irregularity": _first_open(state, "choice"), "choice": ""},
    "ReportFault": lambda state, rules: {"device": state.devices[0].id, "code": ""},
    "ClearFault": lambda state, rules: _fault(state, latched=False),
    "ReleaseFault": lambda state, rules: _fault(state, latched=True) | {"reason": ""},
    "EmptyDevice": _failed_one,
    "RepairDevice": lambda state, rules: _failed_one(state, rules) | {"repair": ""},
    "TestDevice": _failed_one,
    "RequireCount": lambda state, rules: {"reason": ""},
    "ReportCard": lambda state, rules: {"finding": "", "rank": "", "suit": ""},
    "ReplaceCard": _bad_card,
    "SampleCards": lambda state, rules: {"cards": 0},
}


def prefilled(name: str, state: TableState, rules: Rules) -> dict[str, Any]:
    """Required fields as far as the table knows them."""
    found = _FIELDS.get(name)
    return found(state, rules) if found else {}


_LIKELY: dict[str, dict[str, Any]] = {
    "RecordDice": {"die_1": 2, "die_2": 3, "die_3": 5, "announced": 10},
    "RecordRngNumber": {"number": 1},
    "RecordPayoutDocuments": {"reference": "?"},
    "TakeSideWager": {"underlying": True},
    "ReleaseFault": {"reason": "?"},
    "RepairDevice": {"repair": "?"},
    "RequireCount": {"reason": "?"},
    "ReportCard": {"finding": "damaged", "rank": "Q", "suit": "hearts"},
    "SampleCards": {"cards": 1},
    "RecordPlayerChoice": {"choice": "play_out"},
    "ReportFault": {"code": "DEVICE_SEAL_BROKEN"},
}


def likely(name: str, state: TableState, rules: Rules) -> dict[str, Any]:
    """Answers that a person will give: enough to know whether the command is lawful at all."""
    if name == "RecordIrregularity":
        return {"kind": irregular.any_possible(state, rules)}
    return _LIKELY.get(name, {})
