"""Irregularities at one table: what may be chosen, what it asks, and what the text rules. Pure; for screen and handler.

Nothing is offered but the entries of the pack; the clauses and their consequences are those of `rulings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from pit.record.contract import Refused
from pit.rules.model import HOUSE, Irregularity, Rules
from tables.domain import asking, rulings
from tables.domain.context import MALFORMED
from tables.domain.offer import Ask
from tables.domain.rounds import facts_now
from tables.domain.rulings import Ruling
from tables.domain.state import SHUFFLERS, TableState
from tables.domain.wrong import Wrong

GROUPED: Mapping[str, str] = {
    rulings.HAND_COUNT: "wrong_card_count",
    rulings.COMMUNITY_COUNT: "wrong_card_count",
    rulings.ONE_FACE_UP: "face_up_in_shoe",
    rulings.MORE_FACE_UP: "face_up_in_shoe",
    rulings.TOTAL_WRONG: "dice",
    rulings.SHAKER_OUT: "electronic_shaker",
    rulings.HOLE_CARD_EARLY: "hole_card_exposed",
    rulings.HOLE_CARD_READER: "hole_card_exposed",
    rulings.DEALER_CARD: "hole_card_exposed",
}
"""Triggers that the facts tell apart: one choice for all of them."""
WORDS: Mapping[str, str] = {
    "wrong_card_count": "A wrong number of cards was dealt",
    "face_up_in_shoe": "A card lies face up in the shoe",
    "dice": "The dice were totalled wrongly",
    "electronic_shaker": "The electronic shaker malfunctions",
    "hole_card_exposed": "A hole card or another card of the dealer was exposed",
}
BY_COUNT = frozenset({"counting_shuffler_wrong_number", "deck_counted_wrong_by_hand"})
"""Told by `RecordCount`, not chosen."""
UNSPOKEN = "No clause speaks of this: the supervisor decides."
ANSWERS: Mapping[str, Mapping[str, str]] = {
    "who": {"player": "A player", "dealer": "The dealer", "community": "The community area"},
    "choice": {"play_out": "Plays the hand out", "void_own_hand": "Has the hand void"},
    "yes_no": {"true": "Yes", "false": "No"},
}


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may have happened here. `kind` is what `RecordIrregularity` takes, `asks` the facts it needs."""

    kind: str
    words: str
    group: str
    asks: tuple[Ask, ...] = ()
    clauses: tuple[str, ...] = ()


def choices(state: TableState, rules: Rules) -> tuple[Choice, ...]:
    """What may have happened at this table, its game and equipment; empty where the text rules on nothing."""
    found: dict[str, Choice] = {}
    for kind, one in _kinds(state, rules):
        group, seen = _group(one.trigger), found.get(kind)
        clauses = (*(seen.clauses if seen else ()), *one.clauses)
        words = WORDS.get(kind, one.words)
        found[kind] = Choice(
            kind=kind,
            words=words,
            group=group,
            asks=_asks(kind, state),
            clauses=tuple(dict.fromkeys(clauses)),
        )
    return tuple(found.values())


def _kinds(state: TableState, rules: Rules) -> Iterator[tuple[str, Irregularity]]:
    """Each irregularity of the pack that can happen here, under the kind it is chosen by."""
    if state.config is None or not rules.governed:
        return
    for one in rules.pack.irregularities.values():
        if one.trigger not in BY_COUNT and _possible(one.trigger, state, rules):
            yield GROUPED.get(one.trigger, one.key), one


def any_possible(state: TableState, rules: Rules) -> str:
    """A kind that may be recorded here without any fact, else any that may; "" for none."""
    found = [kind for kind, _ in _kinds(state, rules)]
    return next((one for one in found if not _asks(one, state)), found[0] if found else "")


def _group(trigger: str) -> str:
    for word, group in (("shuffler", "shuffler"), ("shaker", "dice"), ("dice", "dice"), ("die_", "dice")):
        if word in trigger:
            return group
    if "shoe" in trigger or "stacks" in trigger or "finish_round" in trigger:
        return "shoe"
    return "hole_card" if "hole" in trigger or "reader" in trigger else "cards"


def _has(*kinds: str) -> Callable[[TableState, Rules], bool]:
    return lambda state, rules: any(one.kind in kinds for one in state.devices)


def _dealt_by(*modes: str) -> Callable[[TableState, Rules], bool]:
    return lambda state, rules: state.config is not None and state.config.deal_mode in modes


def _shaker(state: TableState, rules: Rules) -> bool:
    return "shaker" in rules.game.uses


_ONLY_WHERE: Mapping[str, Callable[[TableState, Rules], bool]] = {
    "automated_shuffler_jam_or_stop_or_incomplete": _has(*SHUFFLERS),
    "automated_shuffler_cannot_function": _has(*SHUFFLERS),
    "automated_dealing_shoe_jam_or_stop_or_short_in_round": lambda state, rules: (
        _has("dealing_shoe")(state, rules) or _dealt_by("stacks")(state, rules)
    ),
    rulings.ONE_FACE_UP: _dealt_by("shoe", "stacks"),
    rulings.MORE_FACE_UP: _dealt_by("shoe", "stacks"),
    "too_few_cards_to_finish_round": _dealt_by("shoe", "stacks"),
    "wrong_number_of_stacks_dealt": _dealt_by("stacks"),
    "card_reader_not_operating": _has("card_reader"),
    "dealer_neglected_hole_card_check": _has("card_reader"),
    "hole_card_misread_by_misplacement": _has("card_reader"),
    "dealer_hand_set_wrongly": _shaker,
    rulings.NOT_FLAT: _shaker,
    rulings.FELL_OUT: _shaker,
    rulings.TOTAL_WRONG: _shaker,
    rulings.SHAKER_OUT: _has("shaker"),
}


def _possible(trigger: str, state: TableState, rules: Rules) -> bool:
    where = _ONLY_WHERE.get(trigger)
    return where(state, rules) if where else rules.game.has_cards


def _pick(name: str, label: str, of: str, *, optional: bool = False) -> Ask:
    return Ask(name=name, kind="choice", label=label, options=tuple(ANSWERS[of].items()), optional=optional)


def _devices(state: TableState, *kinds: str) -> tuple[Ask, ...]:
    known = [one.id for one in state.devices if one.kind in kinds]
    return (asking.choice("device", "Device", known),) if len(known) > 1 else ()


def _asks(kind: str, state: TableState) -> tuple[Ask, ...]:
    seats = range(1, (state.config.seats if state.config else 0) + 1)
    match kind:
        case "wrong_card_count":
            return (
                _pick("who", "Whose cards", "who"),
                asking.number("expected", "Cards due"),
                asking.number("dealt", "Cards dealt"),
            )
        case "dice":
            return (
                *(asking.number(f"die_{n}", f"Die {n}", optional=False) for n in (1, 2, 3)),
                asking.number("announced", "Total announced", optional=False),
                _pick("first_dealt", "Was the first card or stack dealt?", "yes_no"),
            )
        case "electronic_shaker":
            return (*_devices(state, "shaker"), _pick("uncovered", "Was the shaker uncovered?", "yes_no"))
        case "hole_card_exposed" if facts_now(state).bets_closed_at is None:
            return (_pick("no_more_bets_announced", "Had “no more bets” been said?", "yes_no"),)
        case "player_card_exposed":
            return (asking.seats("seat", "Whose card", seats),)
        case "shuffler_stopped" | "shuffler_out":
            return _devices(state, *SHUFFLERS)
        case "shoe_short":
            return (asking.number("cards", "Cards in the discard rack"),)
        case "wrong_stacks":
            return (asking.number("expected", "Stacks due"), asking.number("dealt", "Stacks dealt"))
        case "drawn_in_error":
            return (_pick("disclosed", "Was the card seen?", "yes_no"),)
        case _:
            return ()


def complete(kind: str, facts: Mapping[str, Any], state: TableState) -> dict[str, Any]:
    """The facts told, and those that the table knows: earlier cards face up, "no more bets", positions, the reader."""
    told = {key: _plain(value) for key, value in facts.items()}
    now, config = facts_now(state), state.config
    known: dict[str, Any] = {}
    if kind == "face_up_in_shoe":
        known["found_this_round"] = now.face_up + 1
    if kind == "hole_card_exposed":
        known["card_reader_game"] = any(one.kind == "card_reader" for one in state.devices)
        if now.bets_closed_at is not None:
            known["no_more_bets_announced"] = True
    if kind == "dice" and config is not None:
        known["player_positions"] = config.seats + config.extra_positions
        dice = [told.pop(f"die_{n}") for n in (1, 2, 3) if f"die_{n}" in told]
        if dice:
            known["dice"] = dice
    if kind in _DEVICE_OF and "device" not in told:
        only = [one.id for one in state.devices if one.kind in _DEVICE_OF[kind]]
        known["device"] = only[0] if only else ""
    return known | told


_DEVICE_OF: Mapping[str, frozenset[str]] = {
    "electronic_shaker": frozenset({"shaker"}),
    "shuffler_stopped": SHUFFLERS,
    "shuffler_out": SHUFFLERS,
    "reader_out": frozenset({"card_reader"}),
    "shoe_stopped": frozenset({"dealing_shoe"}),
}


def _plain(value: Any) -> Any:
    """A form brings words: "true" is yes, "3" is three."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if not isinstance(value, str):
        return value
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.isdecimal() and len(value) < 6 else value


def foresee(state: TableState, rules: Rules, kind: str, facts: Mapping[str, Any]) -> Ruling | Refused:
    """What the text states for this, as it will be recorded: the clauses, the consequences, None for its silence."""
    known = {one for one, _ in _kinds(state, rules)}
    keys = {one.key for one in rules.pack.irregularities.values() if one.trigger not in BY_COUNT}
    if kind not in known and (kind not in keys or not rules.governed):
        return _refused(
            rules, "UNKNOWN_CAUSE", "No clause of this place rules on that at this table.", "kind"
        )
    told = complete(kind, facts, state)
    found = rulings.ruling(kind, told, rules.pack.irregularities)
    if isinstance(found, Wrong):
        return _refused(rules, found.code, _TOLD.get(found.code, "The facts do not fit."), "facts")
    if found.clauses:
        return found
    if kind in ("wrong_card_count", "face_up_in_shoe"):
        return _refused(rules, "NOTHING_IRREGULAR", "With these facts nothing went wrong.", "facts")
    return msgspec.structs.replace(found, prompts=(UNSPOKEN,))


_TOLD = {
    "CARD_WAS_DISCLOSED": "This clause speaks of a card that was not seen.",
    "CHOICE_MUST_BE_BLIND": "The player chooses without a look at the other cards.",
    "NOTHING_DEALT": "Nothing was dealt yet: the total is put right and play goes on.",
    "THREE_DICE_REQUIRED": "Three dice are told.",
    "DIE_FACE_OUT_OF_RANGE": "A die shows 1 to 6.",
    "UNKNOWN_CAUSE": "Say whose cards.",
}


def _refused(rules: Rules, code: str, message: str, field: str) -> Refused:
    status: Any = 422 if code in MALFORMED or code in _MALFORMED_HERE else 409
    return Refused(
        code=code,
        clause=HOUSE,
        cite=rules.cite(HOUSE),
        message=message,
        status=status,
        fields={field: message} if status == 422 else {},
    )


_MALFORMED_HERE = frozenset(
    {"UNKNOWN_CAUSE", "NOTHING_IRREGULAR", "CARD_WAS_DISCLOSED", "NOTHING_DEALT", "DIE_FACE_OUT_OF_RANGE"}
)


def needs(found: Ruling) -> tuple[str, ...]:
    """What must still be recorded: a supervisor's word, a settlement, a choice, a ruling where the text is silent."""
    stated = found.consequences
    wanted = (
        ("floorperson", stated.get("floorperson_called")),
        ("settlement", stated.get("settle_wagers")),
        ("choice", stated.get("player_option")),
        ("ruling", found.prompts),
    )
    return tuple(name for name, holds in wanted if holds)


def voids(found: Ruling, rules: Rules) -> str:
    """The clause under which round or hands are void, "" when none states it."""
    for key in found.keys:
        one = rules.pack.irregularities[key]
        if one.consequences.get("round_void") or one.consequences.get("hands_void"):
            return one.clauses[0]
    return ""


def words_of(kind: str, found: Ruling, rules: Rules) -> str:
    """What happened, as a person reads it."""
    told = [rules.pack.irregularities[key].words for key in found.keys]
    return "; ".join(told) or WORDS.get(kind, kind.replace("_", " "))
