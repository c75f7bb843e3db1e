"""Button, delivery and the count of Winner's Pot Poker (NJ (c), (d), (f), (g))."""

from __future__ import annotations

import pytest

from tables.domain.button import (
    Counted,
    count_due_by,
    counted_by_device,
    counted_by_hand,
    deck_replaced,
    delivery_order,
    first_button,
    is_count_due,
    may_start,
    next_button,
)
from tables.domain.ring import DEALER
from tables.domain.wrong import Wrong

FIVE = 5


def test_the_button_begins_with_the_dealer_and_walks_over_occupied_seats() -> None:
    assert first_button() == DEALER
    walk, at = [], first_button()
    for _ in range(5):
        at = next_button(at, occupied=[1, 3, 6])
        walk.append(at)
    assert walk == [1, 3, 6, DEALER, 1]


def test_the_button_of_a_player_who_left_moves_on_from_that_seat() -> None:
    assert next_button(3, occupied=[1, 6]) == 6
    assert next_button(6, occupied=[1, 3]) == DEALER


def test_without_players_the_button_comes_to_the_dealer() -> None:
    assert next_button(3, occupied=[]) == DEALER


def test_dealing_starts_right_after_the_button_and_ends_with_it() -> None:
    assert delivery_order(DEALER, wagering=[1, 2, 3]) == (1, 2, 3, DEALER)
    assert delivery_order(2, wagering=[1, 2, 3]) == (3, DEALER, 1, 2)
    assert delivery_order(3, wagering=[1, 2, 3]) == (DEALER, 1, 2, 3)


def test_a_seat_without_an_ante_gets_no_stack_though_the_button_rests_there() -> None:
    assert delivery_order(2, wagering=[1, 3]) == (3, DEALER, 1)


def test_the_other_reading_starts_at_the_far_left_every_round() -> None:
    assert delivery_order(2, wagering=[1, 2, 3], first_stack="far_left") == (1, 2, 3, DEALER)


def test_never_more_than_five_rounds_without_a_verified_count() -> None:
    assert may_start(Counted(), round_number=5, every=FIVE) is None
    late = may_start(Counted(), round_number=6, every=FIVE)
    assert late is not None
    assert late.code == "COUNT_OVERDUE"
    assert is_count_due(Counted(), after_round=5, every=FIVE)
    assert not is_count_due(Counted(), after_round=4, every=FIVE)


def test_the_window_slides_with_every_count() -> None:
    counted = counted_by_hand(Counted(), cards=52, expected=52, after_round=3)
    assert isinstance(counted, Counted)
    assert count_due_by(counted, every=FIVE) == 8
    assert may_start(counted, round_number=8, every=FIVE) is None
    assert may_start(counted, round_number=9, every=FIVE) is not None


def test_a_device_reading_before_a_round_verifies_up_to_the_one_before() -> None:
    assert counted_by_device(Counted(), good=True, before_round=9).last_verified == 8


def test_an_older_count_never_takes_back_a_newer_one() -> None:
    assert counted_by_hand(Counted(last_verified=9), cards=52, expected=52, after_round=7) == Counted(
        last_verified=9
    )


@pytest.mark.parametrize("cards", [51, 53, 0, 104])
def test_a_wrong_number_takes_the_deck_off_the_table_whoever_found_it(cards: int) -> None:
    by_hand = counted_by_hand(Counted(), cards=cards, expected=52, after_round=2)
    by_device = counted_by_device(Counted(), good=False, before_round=3)
    for counted in (by_hand, by_device):
        assert isinstance(counted, Counted)
        refused = may_start(counted, round_number=3, every=FIVE)
        assert refused is not None
        assert refused.code == "DECK_MUST_BE_REMOVED"


def test_a_good_reading_does_not_bring_back_a_deck_that_must_go() -> None:
    assert counted_by_device(Counted(remove=True), good=True, before_round=4).remove
    assert not deck_replaced(after_round=4).remove


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (-1, "COUNT_OUT_OF_RANGE"),
        (105, "COUNT_OUT_OF_RANGE"),
        (52.0, "NOT_AN_INTEGER"),
        (True, "NOT_AN_INTEGER"),
    ],
)
def test_a_count_that_cannot_be_gets_its_code(cards: object, expected: str) -> None:
    assert counted_by_hand(Counted(), cards=cards, expected=52, after_round=1) == Wrong(code=expected)


def test_where_no_count_is_asked_for_every_round_may_start() -> None:
    assert may_start(Counted(), round_number=1_000, every=None) is None
