"""The ring as a picture: seat 1 at the dealer's far left, numbers rise clockwise on the screen."""

import pytest

from tables import picture


@pytest.mark.parametrize("seats", range(2, 17))
def test_seat_one_is_far_left_and_the_last_far_right(seats):
    xs = [x for x, _ in picture.places(seats)]
    assert xs == sorted(xs)
    assert xs[0] < picture.CENTRE[0] < xs[-1]


def test_one_seat_alone_sits_straight_across():
    ((x, y),) = picture.places(1)
    assert x == picture.CENTRE[0]
    assert y < picture.CENTRE[1]


@pytest.mark.parametrize("seats", range(1, 17))
def test_no_seat_leaves_the_picture(seats):
    for x, y in picture.places(seats):
        assert 25 <= x <= picture.WIDTH - 25
        assert 25 <= y <= picture.HEIGHT - 25


def points(turn):
    return [tuple(map(float, pair.split())) for pair in turn.path[1:].split("L")]


def test_a_clockwise_turn_between_neighbours_stays_away_from_the_dealer():
    assert all(y < picture.CENTRE[1] for _, y in points(picture.turn(2, 3, seats=6, clockwise=True)))


def test_a_clockwise_turn_from_the_last_to_the_first_passes_behind_the_dealer():
    way = points(picture.turn(6, 1, seats=6, clockwise=True))
    assert max(y for _, y in way) > picture.CENTRE[1] + 60
    assert way[0][0] > way[-1][0]


def test_a_counter_clockwise_turn_from_the_last_runs_over_the_players():
    way = points(picture.turn(6, 5, seats=6, clockwise=False))
    assert all(y < picture.CENTRE[1] for _, y in way)


def test_no_turn_leads_to_where_it_begins():
    assert picture.turn(3, 3, seats=6, clockwise=True) is None


def test_the_turn_to_the_dealer_ends_below():
    *_, (x, y) = points(picture.turn(6, None, seats=6, clockwise=True))
    assert abs(x - picture.CENTRE[0]) < 60
    assert y > picture.CENTRE[1]
