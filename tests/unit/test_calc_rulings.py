"""From what happened to the clauses and what they state (NY (h)–(k))."""

from __future__ import annotations

import pytest

from pit.rules.load import packs
from tables.domain.rulings import CONSEQUENCES, Ruling, ruling
from tables.domain.wrong import Wrong

NY = packs()["ny"][-1].irregularities
NJ = packs()["nj"][-1].irregularities


def found(kind: str, irregularities: object = NY, **facts: object) -> Ruling:
    made = ruling(kind, facts, irregularities)  # type: ignore[arg-type]
    assert isinstance(made, Ruling)
    return made


def stated(made: Ruling) -> dict[str, object]:
    return {key: value for key, value in made.consequences.items() if isinstance(value, bool)}


def code(kind: str, **facts: object) -> str:
    made = ruling(kind, facts, NY)
    assert isinstance(made, Wrong)
    return made.code


def test_clauses_add_up_when_a_player_has_a_wrong_number_of_cards() -> None:
    made = found("wrong_card_count", who="player")
    assert made.clauses == ("NY-j-2", "NY-j-4")
    assert stated(made) == {"hands_void": True, "wagers_returned": True, "reshuffle": True}


def test_the_dealers_wrong_number_returns_wagers_and_says_nothing_of_a_shuffle() -> None:
    made = found("wrong_card_count", who="dealer")
    assert made.clauses == ("NY-j-2",)
    assert made.consequences["reshuffle"] is None


def test_the_community_area_says_nothing_of_wagers() -> None:
    made = found("wrong_card_count", who="community")
    assert (made.clauses, made.consequences["wagers_returned"]) == (("NY-j-4",), None)


def test_several_wrong_hands_are_one_event_with_all_its_clauses() -> None:
    assert found("wrong_card_count", who=["dealer", "community"]).clauses == ("NY-j-2", "NY-j-4")


def test_the_right_number_of_cards_is_no_irregularity() -> None:
    assert found("wrong_card_count", who="player", expected=3, dealt=3).clauses == ()


def test_silence_of_the_text_is_no_answer_and_never_no() -> None:
    made = found("dice", dice=[1, 2, 3], announced=6, player_positions=6)
    assert made.clauses == ()
    assert set(made.consequences) == set(CONSEQUENCES)
    assert set(made.consequences.values()) == {None}


@pytest.mark.parametrize(
    ("number", "clauses"), [(0, ()), (1, ("NY-h-4-1",)), (2, ("NY-h-4-2",)), (7, ("NY-h-4-2",))]
)
def test_the_first_face_up_card_is_burned_and_the_second_voids_the_round(
    number: int, clauses: tuple[str, ...]
) -> None:
    assert found("face_up_in_shoe", found_this_round=number).clauses == clauses


def test_no_roll_comes_before_any_total() -> None:
    told = {"dice": [2, 3, 4], "announced": 10, "first_dealt": True, "player_positions": 6}
    assert found("dice", **told, flat=2).clauses == ("NY-k-1",)
    assert found("dice", **told, fell_out=1).clauses == ("NY-k-2",)
    assert found("dice", **told, flat=1, fell_out=True).clauses == ("NY-k-1", "NY-k-2")
    assert found("dice", flat=2).consequences["announce"] == "no roll"


def test_a_wrong_total_is_a_ruling_only_with_a_card_at_a_wrong_place() -> None:
    told = {"dice": [2, 3, 4], "player_positions": 6}
    assert found("dice", **told, announced=10, first_dealt=True).clauses == ("NY-k-3",)
    assert found("dice", **told, announced=10, first_dealt=False).clauses == ()
    assert found("dice", **told, announced=16, first_dealt=True).clauses == ()
    assert found("dice", **told, announced=10, first_dealt=True, dealt_to=6).clauses == ()
    assert found("dice", **told, announced=9, first_dealt=True, dealt_to=2).clauses == ()


def test_an_electronic_shaker_counts_only_uncovered() -> None:
    made = found("electronic_shaker", uncovered=True)
    assert made.clauses == ("NY-k-4",)
    assert made.consequences["gaming_ceases"] is True
    assert made.consequences["round_void"] is False
    assert found("electronic_shaker", uncovered=False).clauses == ()


def test_the_announcement_decides_what_a_shown_hole_card_is() -> None:
    assert found("hole_card_exposed").clauses == ("NY-j-5",)
    assert found("hole_card_exposed", no_more_bets_announced=True, card_reader_game=True).clauses == (
        "NY-i-3",
    )
    assert found("hole_card_exposed", no_more_bets_announced=True).clauses == ("NY-j-3",)


def test_a_void_hand_whose_text_is_silent_bears_the_house_default_for_the_supervisor() -> None:
    assert any("wagers go back" in one for one in found("wrong_card_count", who="community").prompts)
    assert found("electronic_shaker", uncovered=True).prompts == ()


def test_an_irregularity_can_be_named_by_its_key_or_trigger() -> None:
    assert found("shuffler_stopped").clauses == ("NY-h-1",)
    assert found("too_few_cards_to_finish_round").clauses == ("NY-h-5",)
    assert found("device_count_wrong", NJ).consequences["deck_removed"] is True


@pytest.mark.parametrize(
    ("kind", "facts", "expected"),
    [
        ("meteor", {}, "UNKNOWN_CAUSE"),
        ("wrong_card_count", {}, "UNKNOWN_CAUSE"),
        ("wrong_card_count", {"who": "nobody"}, "UNKNOWN_CAUSE"),
        ("wrong_card_count", {"who": [["player"]]}, "UNKNOWN_CAUSE"),
        ("face_up_in_shoe", {}, "NOT_AN_INTEGER"),
        ("face_up_in_shoe", {"found_this_round": -1}, "OUT_OF_RANGE"),
        ("face_up_in_shoe", {"found_this_round": True}, "NOT_AN_INTEGER"),
        ("dice", {"dice": [1, 2]}, "THREE_DICE_REQUIRED"),
        ("dice", {"dice": [1, 2, 9]}, "DIE_FACE_OUT_OF_RANGE"),
        ("dice", {"dice": [1, 2, 3], "announced": "6"}, "NOT_AN_INTEGER"),
        ("dice", {"dice": [1, 2, 3], "flat": 4}, "OUT_OF_RANGE"),
        ("dice", {"dice": [1, 2, 3], "announced": 7, "first_dealt": True}, "NOT_AN_INTEGER"),
        ("drawn_in_error", {"disclosed": True}, "CARD_WAS_DISCLOSED"),
        ("player_card_exposed", {"looked": True}, "CHOICE_MUST_BE_BLIND"),
        ("dice_total_wrong", {"first_dealt": False}, "NOTHING_DEALT"),
    ],
)
def test_facts_that_cannot_carry_a_ruling_get_their_code(
    kind: str, facts: dict[str, object], expected: str
) -> None:
    assert code(kind, **facts) == expected


def test_a_place_whose_text_rules_on_nothing_states_nothing() -> None:
    assert found("wrong_card_count", {}, who="player").clauses == ()
