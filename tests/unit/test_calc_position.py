"""Where dealing starts by dice or by number (NY (c)(1), (c)(2))."""

from __future__ import annotations

import pytest

from tables.domain.position import Start, by_generator, by_shaker, position_of
from tables.domain.ring import DEALER
from tables.domain.wrong import Wrong


def code(found: object) -> str:
    assert isinstance(found, Wrong)
    return found.code


def test_the_dealer_is_one_and_the_far_right_player_is_two() -> None:
    assert [position_of(n, positions=6) for n in range(1, 9)] == [DEALER, 6, 5, 4, 3, 2, 1, DEALER]


def test_the_worked_examples_of_a_neighbouring_section_agree() -> None:
    assert position_of(8, positions=6) == DEALER
    assert position_of(14, positions=6) == 1


def test_three_dice_give_total_and_place() -> None:
    assert by_shaker(positions=6, dice=[2, 3, 5]) == Start(position=5, total=10)


def test_an_attested_total_needs_no_dice() -> None:
    assert by_shaker(positions=6, total=10) == Start(position=5)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"dice": [1, 2]}, "THREE_DICE_REQUIRED"),
        ({"dice": []}, "THREE_DICE_REQUIRED"),
        ({"dice": [1, 2, 7]}, "DIE_FACE_OUT_OF_RANGE"),
        ({"dice": [0, 2, 3]}, "DIE_FACE_OUT_OF_RANGE"),
        ({"dice": [1, 2, True]}, "NOT_AN_INTEGER"),
        ({"dice": [1, 2, "3"]}, "NOT_AN_INTEGER"),
        ({"total": 2}, "TOTAL_OUT_OF_RANGE"),
        ({"total": 19}, "TOTAL_OUT_OF_RANGE"),
        ({"total": 7.0}, "NOT_AN_INTEGER"),
        ({"total": None}, "NOT_AN_INTEGER"),
        ({"total": 9, "shakes": 2}, "AT_LEAST_THREE_SHAKES"),
        ({"total": 9, "shakes": "3"}, "NOT_AN_INTEGER"),
        ({"dice": [2, 3, 5], "announced": 11}, "ANNOUNCED_TOTAL_MISMATCH"),
    ],
)
def test_dice_that_cannot_be_right_get_their_code(told: dict[str, object], expected: str) -> None:
    assert code(by_shaker(positions=6, **told)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("positions", [0, -1, 100, "6", None, True])
def test_a_ring_needs_a_sensible_number_of_positions(positions: object) -> None:
    assert code(by_shaker(positions=positions, total=9)) in ("OUT_OF_RANGE", "NOT_AN_INTEGER")
    assert code(by_generator(1, positions=positions)) in ("OUT_OF_RANGE", "NOT_AN_INTEGER")


def test_a_wrong_total_tells_the_true_place_and_the_place_called() -> None:
    found = by_shaker(positions=6, dice=[2, 3, 5], announced=11)
    assert isinstance(found, Wrong)
    assert found.figures == {"total": 10, "true_position": 5, "called_position": 4}


def test_a_wrong_total_off_by_a_whole_turn_calls_the_right_place() -> None:
    found = by_shaker(positions=6, dice=[2, 3, 4], announced=16)
    assert isinstance(found, Wrong)
    assert "called_position" not in found.figures


def test_the_generator_reaches_every_place_and_no_further() -> None:
    assert by_generator(7, positions=6) == Start(position=1)
    assert code(by_generator(8, positions=6)) == "NUMBER_OUT_OF_RANGE"
    assert code(by_generator(0, positions=6)) == "NUMBER_OUT_OF_RANGE"
    assert code(by_generator("3", positions=6)) == "NOT_AN_INTEGER"


def test_the_other_reading_stops_at_the_number_of_positions() -> None:
    assert code(by_generator(7, positions=6, reading="positions")) == "NUMBER_OUT_OF_RANGE"


def test_a_device_that_shows_fewer_numbers_bounds_them() -> None:
    assert code(by_generator(7, positions=6, device_max=6)) == "NUMBER_OUT_OF_RANGE"
