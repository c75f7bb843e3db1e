"""Depths of cuts and cover cards (NY (b)(5)–(7), PA (d))."""

from __future__ import annotations

import pytest

from tables.domain.depth import Cover, Cut, OneHandCut, cover_card, min_behind, one_hand_cut, player_cut
from tables.domain.wrong import Wrong


def code(found: object) -> str:
    assert isinstance(found, Wrong)
    return found.code


def test_a_cut_must_leave_the_minimum_at_both_ends() -> None:
    assert player_cut(14, total=312, minimum=14) == Cut(cards_below=298, moved_to_back=14)
    assert player_cut(298, total=312, minimum=14) == Cut(cards_below=14, moved_to_back=298)
    assert code(player_cut(13, total=312, minimum=14)) == "TOO_CLOSE_TO_TOP"
    assert code(player_cut(299, total=312, minimum=14)) == "TOO_CLOSE_TO_BOTTOM"


def test_the_smallest_stack_with_a_lawful_cut_has_one_position() -> None:
    assert player_cut(10, total=20, minimum=10) == Cut(cards_below=10, moved_to_back=10)
    small = player_cut(9, total=19, minimum=10)
    assert small == Wrong(code="STACK_TOO_SMALL_FOR_ANY_CUT", figures={"min_stack": 20})


@pytest.mark.parametrize("told", [14.5, 14.0, "14", None, True, [14]])
def test_only_a_whole_number_is_a_number_of_cards(told: object) -> None:
    assert code(player_cut(told, total=312, minimum=14)) == "NOT_AN_INTEGER"
    assert code(player_cut(14, total=told, minimum=14)) == "NOT_AN_INTEGER"
    assert code(one_hand_cut(told, total=312, minimum=14)) == "NOT_AN_INTEGER"
    assert code(cover_card(told, total=312, cards_per_deck=52, rule="one_deck")) == "NOT_AN_INTEGER"


@pytest.mark.parametrize("told", [-1, 313, 10**30])
def test_a_number_outside_the_stack_is_out_of_range(told: int) -> None:
    assert code(player_cut(told, total=312, minimum=14)) == "OUT_OF_RANGE"
    assert code(one_hand_cut(told, total=312, minimum=14)) == "OUT_OF_RANGE"
    assert code(cover_card(told, total=312, cards_per_deck=52, rule="quarter")) == "OUT_OF_RANGE"


def test_a_number_outside_the_stack_is_told_before_a_stack_too_small() -> None:
    assert code(player_cut(-1, total=10, minimum=14)) == "OUT_OF_RANGE"
    assert code(player_cut(0, total=-5, minimum=14)) == "OUT_OF_RANGE"


def test_the_dealers_hand_takes_enough_and_leaves_at_least_one_card() -> None:
    assert one_hand_cut(14, total=52, minimum=14) == OneHandCut(remaining=38)
    assert one_hand_cut(51, total=52, minimum=14) == OneHandCut(remaining=1, warning="FEWER_THAN_14_REMAIN")
    assert code(one_hand_cut(13, total=52, minimum=14)) == "TOO_FEW_FROM_TOP"
    assert code(one_hand_cut(52, total=52, minimum=14)) == "NO_CARDS_REMAIN_TO_PLACE_ON_TOP"


def test_one_deck_behind_the_cover_card_is_the_games_own_deck() -> None:
    assert cover_card(48, total=288, cards_per_deck=48, rule="one_deck") == Cover(
        min_behind=48, cards_in_front=240
    )
    assert code(cover_card(47, total=288, cards_per_deck=48, rule="one_deck")) == "TOO_CLOSE_TO_BACK"


def test_a_single_deck_has_no_place_for_a_cover_card_one_deck_in() -> None:
    for behind in (0, 51, 52):
        assert code(cover_card(behind, total=52, cards_per_deck=52, rule="one_deck")) == "NO_VALID_POSITION"


def test_a_quarter_that_is_no_whole_number_is_rounded_up() -> None:
    assert [min_behind(total=n, cards_per_deck=48, rule="quarter") for n in (283, 284, 285)] == [71, 71, 72]
    assert code(cover_card(71, total=285, cards_per_deck=48, rule="quarter")) == "TOO_CLOSE_TO_BACK"


def test_a_cover_card_behind_all_cards_is_not_in_the_stack() -> None:
    assert code(cover_card(288, total=288, cards_per_deck=48, rule="quarter")) == "NOT_IN_THE_STACK"


def test_the_deck_size_is_needed_only_where_the_rule_speaks_of_a_deck() -> None:
    assert code(cover_card(60, total=104, cards_per_deck=None, rule="one_deck")) == "NOT_AN_INTEGER"
    assert cover_card(26, total=104, cards_per_deck=None, rule="quarter") == Cover(
        min_behind=26, cards_in_front=78
    )


def test_a_text_without_a_figure_calculates_nothing() -> None:
    assert code(player_cut(20, total=52, minimum=None)) == "NOT_GOVERNED_BY_RULE"
    assert code(one_hand_cut(20, total=52, minimum=None)) == "NOT_GOVERNED_BY_RULE"
    assert code(cover_card(20, total=52, cards_per_deck=52, rule=None)) == "NOT_GOVERNED_BY_RULE"
