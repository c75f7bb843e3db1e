"""From what happened to what the text says follows (NY (h)–(k), NJ (f), (g); readings A-19 to A-23, A-37).

The facts lead to triggers here; which clause a trigger falls under and what follows stands in the pack. A trigger that a
pack does not name has no ruling there. Silence of the text stays silence: None, never "no".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from pit.rules.model import Irregularity
from tables.domain.position import position_of, total_of
from tables.domain.wrong import Wrong, is_whole, whole_in

CONSEQUENCES = (
    "round_void",
    "hands_void",
    "wagers_returned",
    "reshuffle",
    "reshuffle_scope",
    "burn",
    "gaming_ceases",
    "floorperson_called",
    "supervisor_present",
    "play_continues",
    "reshake",
    "settle_wagers",
    "player_option",
    "announce",
    "guard",
    "deck_removed",
)
"""Everything a text may state as an outcome."""

HAND_COUNT = "player_or_dealer_wrong_number_of_cards"
COMMUNITY_COUNT = "player_or_community_wrong_number_of_cards"
ONE_FACE_UP = "one_card_face_up_in_shoe"
MORE_FACE_UP = "more_than_one_card_face_up_in_shoe_during_deal"
NOT_FLAT = "dice_not_all_flat"
FELL_OUT = "die_fell_out_of_shaker"
TOTAL_WRONG = "dice_total_wrong_and_first_card_or_stack_to_wrong_position"
SHAKER_OUT = "electronic_shaker_malfunction_uncovered"
HOLE_CARD_EARLY = "hole_card_exposed_before_no_more_bets"
HOLE_CARD_READER = "dealer_exposed_hole_card_in_error"
DEALER_CARD = "dealer_card_exposed_early"
DRAWN_IN_ERROR = "card_drawn_in_error_not_disclosed"
PLAYER_CARD = "dealer_exposed_player_card"

Facts = Mapping[str, object]
Triggers = tuple[str, ...] | Wrong


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What the text states. `consequences` holds every key of CONSEQUENCES; None is silence."""

    clauses: tuple[str, ...]
    consequences: Mapping[str, Any]
    steps: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    """House defaults shown where the text is silent; a supervisor confirms them (A-37)."""
    keys: tuple[str, ...] = ()


def ruling(kind: str, facts: Facts, irregularities: Mapping[str, Irregularity]) -> Ruling | Wrong:
    """The clauses that this event falls under and their stated consequences, added up (A-19).

    `kind` is a kind of event of `KINDS`, or the key or trigger of an irregularity of the pack itself. Codes:
    UNKNOWN_CAUSE, NOT_AN_INTEGER, OUT_OF_RANGE, CARD_WAS_DISCLOSED, CHOICE_MUST_BE_BLIND, NOTHING_DEALT and those
    of dice.
    """
    found = KINDS[kind](facts) if kind in KINDS else _direct(kind, facts, irregularities)
    if isinstance(found, Wrong):
        return found
    named = [one for trigger in found for one in irregularities.values() if one.trigger == trigger]
    return _together(named)


def _together(named: Sequence[Irregularity]) -> Ruling:
    stated = {key: _joined([one.consequences.get(key) for one in named]) for key in CONSEQUENCES}
    return Ruling(
        clauses=_once(clause for one in named for clause in one.clauses),
        consequences=stated,
        steps=_once(step for one in named for step in one.steps),
        prompts=_once(one.prompt for one in named if one.prompt and _silent(one, stated)),
        keys=tuple(one.key for one in named),
    )


def _silent(one: Irregularity, stated: Mapping[str, Any]) -> bool:
    """Some matter of this prompt is still open after all clauses were added up."""
    matters = {"wagers_returned", "reshuffle"} | (
        set() if stated["hands_void"] or stated["round_void"] else {"round_void"}
    )
    return any(stated[key] is None for key in matters & set(one.inferred))


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _joined(stated: Sequence[Any]) -> Any:
    """Yes if any clause says yes, no if one says no, else silence; words and lists as the first clause has them."""
    said = [one for one in stated if one is not None]
    if not said:
        return None
    if all(isinstance(one, bool) for one in said):
        return any(said)
    return said[0]


def _direct(kind: str, facts: Facts, irregularities: Mapping[str, Irregularity]) -> Triggers:
    """A supervisor names the irregularity itself; the conditions of its clause are held against the facts."""
    one = irregularities.get(kind) or next((i for i in irregularities.values() if i.trigger == kind), None)
    if one is None:
        return Wrong(code="UNKNOWN_CAUSE")
    if one.trigger == DRAWN_IN_ERROR and facts.get("disclosed") is True:
        return Wrong(code="CARD_WAS_DISCLOSED")
    if one.trigger == PLAYER_CARD and facts.get("looked") is True:
        return Wrong(code="CHOICE_MUST_BE_BLIND")
    if one.trigger == TOTAL_WRONG and facts.get("first_dealt") is False:
        return Wrong(code="NOTHING_DEALT")
    return (one.trigger,)


def _card_count(facts: Facts) -> Triggers:
    """(j)(2) names player and dealer, (j)(4) player and community area; both are told of a player (A-19)."""
    told = facts.get("who")
    who = [told] if isinstance(told, str) else told
    if (
        not isinstance(who, (list, tuple))
        or not who
        or any(not isinstance(one, str) or one not in _WHO for one in who)
    ):
        return Wrong(code="UNKNOWN_CAUSE")
    if is_whole(facts.get("dealt")) and facts.get("dealt") == facts.get("expected"):
        return ()
    return tuple(
        trigger for trigger in (HAND_COUNT, COMMUNITY_COUNT) if any(trigger in _WHO[one] for one in who)
    )


_WHO: Mapping[str, tuple[str, ...]] = {
    "player": (HAND_COUNT, COMMUNITY_COUNT),
    "dealer": (HAND_COUNT,),
    "community": (COMMUNITY_COUNT,),
}


def _face_up(facts: Facts) -> Triggers:
    """(h)(4): the first of a round is burned, the second voids it (A-20)."""
    found = facts.get("found_this_round")
    if wrong := whole_in(found, low=0, high=10_000):
        return wrong
    if found == 0:
        return ()
    return (ONE_FACE_UP,) if found == 1 else (MORE_FACE_UP,)


def _dice(facts: Facts) -> Triggers:
    """(k)(1)–(3): first whether there was a roll at all, then whether a wrong total led to a wrong position."""
    no_roll = _no_roll(facts)
    if isinstance(no_roll, Wrong) or no_roll:
        return no_roll
    dice = facts.get("dice")
    total = total_of(dice if isinstance(dice, (list, tuple)) else ())
    if isinstance(total, Wrong):
        return total
    announced = facts.get("announced", total)
    if not is_whole(announced):
        return Wrong(code="NOT_AN_INTEGER")
    if announced == total or facts.get("first_dealt") is not True:
        return ()
    return _wrong_position(facts, total, announced)


def _no_roll(facts: Facts) -> Triggers:
    found: list[str] = []
    flat = facts.get("flat", 3)
    if wrong := whole_in(flat, low=0, high=3):
        return wrong
    if flat != 3:
        found.append(NOT_FLAT)
    out = facts.get("fell_out", False)
    if not isinstance(out, bool) and (wrong := whole_in(out, low=0, high=3)):
        return wrong
    if out:
        found.append(FELL_OUT)
    return tuple(found)


def _wrong_position(facts: Facts, total: int, announced: int) -> Triggers:
    """(k)(3) joins two conditions; off by a whole turn the total is wrong and the position right (A-21)."""
    positions = facts.get("player_positions")
    if wrong := whole_in(positions, low=1, high=99):
        return wrong
    assert is_whole(positions)
    dealt_to = facts.get("dealt_to", position_of(announced, positions=positions))
    return () if dealt_to == position_of(total, positions=positions) else (TOTAL_WRONG,)


def _electronic_shaker(facts: Facts) -> Triggers:
    """(k)(4) speaks only of a shaker that has been uncovered (A-22)."""
    return (SHAKER_OUT,) if facts.get("uncovered") is True else ()


def _hole_card(facts: Facts) -> Triggers:
    """A-23: before "no more bets" (j)(5); afterwards (i)(3) on a card-reader game, else (j)(3)."""
    if facts.get("no_more_bets_announced") is not True:
        return (HOLE_CARD_EARLY,)
    return (HOLE_CARD_READER,) if facts.get("card_reader_game") is True else (DEALER_CARD,)


KINDS: Mapping[str, Callable[[Facts], Triggers]] = {
    "wrong_card_count": _card_count,
    "face_up_in_shoe": _face_up,
    "dice": _dice,
    "electronic_shaker": _electronic_shaker,
    "hole_card_exposed": _hole_card,
}
"""Kinds of event whose clause depends on the facts."""
