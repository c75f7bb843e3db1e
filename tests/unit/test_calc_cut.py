"""Who is offered the cut, and who cuts again (NY (b)(5), (b)(7), (b)(8); PA (b), (c), (e))."""

from __future__ import annotations

import pytest

from tables.domain import cut
from tables.domain.cut import CutOrder, CutRule, Recut
from tables.domain.ring import DEALER, Seated
from tables.domain.wrong import Wrong

CLAUSES = {
    "game_beginning": "i",
    "cover_card_player": "ii",
    "cover_card_dealer": "iii",
    "discretion": "iv",
    "irregularity": "iv",
    "cover_card_no_hand": "iv",
}
CLOCKWISE = CutRule(step=1, clauses=CLAUSES)
COUNTER = CutRule(step=-1, clauses=CLAUSES)
UNSTATED = {"game_beginning": False, "cover_card_player": False}
STRICT = CutRule(step=-1, clauses=CLAUSES, rotates=UNSTATED)


def seated(*pairs: tuple[int, str]) -> list[Seated]:
    return [Seated(seat=seat, player=player) for seat, player in pairs]


THREE = seated((1, "A"), (3, "B"), (6, "C"))


def made(rule: CutRule = CLOCKWISE, occupied: list[Seated] | None = None, **asked: object) -> CutOrder:
    found = cut.order(rule=rule, seats=7, occupied=THREE if occupied is None else occupied, **asked)  # type: ignore[arg-type]
    assert isinstance(found, CutOrder)
    return found


def code(rule: CutRule | None = CLOCKWISE, **asked: object) -> str:
    asked = {"seats": 7, "occupied": THREE} | asked
    found = cut.order(rule=rule, **asked)  # type: ignore[arg-type]
    assert isinstance(found, Wrong)
    return found.code


def test_the_first_to_arrive_is_asked_first_and_the_offer_goes_clockwise() -> None:
    order = made(cause="game_beginning", arrivals=["B", "A", "C"])
    assert (order.designated, order.seats) == ("B", (3, 6, 1))


def test_counter_clockwise_goes_the_other_way_past_the_dealer() -> None:
    assert made(COUNTER, cause="game_beginning", arrivals=["B"]).seats == (3, 1, 6)


def test_a_first_arrival_who_has_left_gives_way_to_the_earliest_still_seated() -> None:
    assert made(cause="game_beginning", arrivals=["GONE", "C", "A"]).designated == "C"


@pytest.mark.parametrize("cause", ["cover_card_dealer", "discretion", "irregularity", "cover_card_no_hand"])
def test_far_right_is_the_highest_occupied_seat(cause: str) -> None:
    assert made(cause=cause).seats == (6, 1, 3)
    assert made(COUNTER, cause=cause).seats == (6, 3, 1)


def test_the_player_of_the_cover_card_spot_keeps_the_right_when_moving() -> None:
    order = made(cause="cover_card_player", cover_seat=7, cover_player="A")
    assert (order.designated, order.seats) == ("A", (1, 3, 6))


def test_a_newcomer_in_the_spot_of_a_player_who_left_is_asked_last() -> None:
    order = made(cause="cover_card_player", cover_seat=3, cover_player="GONE")
    assert (order.designated, order.seats) == (None, (6, 1, 3))


def test_the_other_reading_begins_at_the_far_right_when_the_player_left() -> None:
    rule = CutRule(step=1, clauses=CLAUSES, departed="far_right")
    assert made(rule, cause="cover_card_player", cover_seat=2, cover_player=None).seats == (6, 1, 3)


def test_a_player_on_two_spots_is_asked_once() -> None:
    two = seated((1, "A"), (3, "B"), (4, "B"), (6, "C"))
    assert made(occupied=two, cause="discretion").seats == (6, 1, 3)
    assert made(COUNTER, occupied=two, cause="discretion").seats == (6, 4, 1)


def test_without_a_stated_rotation_the_dealer_cuts_after_one_refusal() -> None:
    order = made(STRICT, cause="cover_card_player", cover_seat=3, cover_player="B")
    assert cut.offers(order, refuses=["B"]) == cut.CutOffers(offers=(3,), cutter=DEALER, cutter_seat=None)
    assert made(STRICT, cause="cover_card_player", cover_seat=3, cover_player="GONE").order == ()
    assert made(STRICT, cause="discretion").seats == (6, 3, 1)


def test_who_does_not_refuse_cuts_and_nobody_after_is_asked() -> None:
    done = cut.offers(made(cause="discretion"), refuses=["C", "B"])
    assert (done.offers, done.cutter, done.cutter_seat) == ((6, 1), "A", 1)


def test_when_all_refuse_the_dealer_cuts() -> None:
    assert cut.offers(made(cause="discretion"), refuses="ALL").cutter == DEALER


def test_a_table_without_players_is_said_to_be_idle() -> None:
    assert cut.offers(made(occupied=[], cause="discretion"), refuses=[]).flag == cut.NO_PLAYERS
    assert cut.offers(made(occupied=[], cause="game_beginning"), refuses=[]).flag == cut.NO_PLAYERS
    assert cut.offers(made(STRICT, cause="cover_card_player", cover_seat=2), refuses=[]).flag is None


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"cause": "discretion", "occupied": seated((8, "X"))}, "SEAT_OUT_OF_RANGE"),
        ({"cause": "discretion", "occupied": seated((0, "X"))}, "SEAT_OUT_OF_RANGE"),
        ({"cause": "discretion", "occupied": seated((True, "X"))}, "SEAT_OUT_OF_RANGE"),
        ({"cause": "discretion", "occupied": [], "seats": 0}, "SEAT_OUT_OF_RANGE"),
        ({"cause": "discretion", "occupied": [], "seats": "7"}, "SEAT_OUT_OF_RANGE"),
        ({"cause": "discretion", "occupied": seated((2, "X"), (2, "Y"))}, "SEAT_TAKEN_TWICE"),
        ({"cause": "bored"}, "UNKNOWN_CAUSE"),
        ({"cause": ""}, "UNKNOWN_CAUSE"),
        ({"cause": "game_beginning"}, "ARRIVAL_ORDER_REQUIRED"),
        ({"cause": "game_beginning", "arrivals": ["NOBODY"]}, "ARRIVAL_ORDER_REQUIRED"),
        ({"cause": "cover_card_player"}, "COVER_SEAT_OUT_OF_RANGE"),
        ({"cause": "cover_card_player", "cover_seat": 8}, "COVER_SEAT_OUT_OF_RANGE"),
        ({"cause": "cover_card_player", "cover_seat": 1.0}, "COVER_SEAT_OUT_OF_RANGE"),
    ],
)
def test_a_question_that_cannot_be_right_gets_its_code(asked: dict[str, object], expected: str) -> None:
    assert code(**asked) == expected


def test_where_the_text_is_silent_on_cutting_nothing_is_calculated() -> None:
    assert code(None, cause="discretion") == "NOT_GOVERNED_BY_RULE"


def test_the_next_to_be_asked_is_the_first_who_has_not_refused() -> None:
    order = made(cause="discretion").order
    found = cut.next_offer(order, refused={"C"})
    assert found is not None
    assert found.player == "A"
    assert cut.next_offer(order, refused={"A", "B", "C"}) is None


def test_a_recut_by_the_last_cutter_names_the_same_person_and_no_rotation() -> None:
    order = made(cause="discretion").order
    assert cut.recut(order, cutter="A", option="last_cutter") == Recut(cutter="A", seat=1, fixed=True)
    assert cut.recut(order, cutter=DEALER, option="last_cutter") == Recut(
        cutter=DEALER, seat=None, fixed=True
    )


def test_a_recut_by_the_next_entitled_never_goes_back_to_those_who_refused() -> None:
    order = made(cause="discretion").order
    found = cut.recut(order, cutter="C", option="next_entitled")
    assert found == Recut(cutter="A", seat=1, continue_with=(3,))
    assert cut.recut(order, cutter="B", option="next_entitled") == Recut(cutter=DEALER, seat=None)
    assert cut.recut(order, cutter=DEALER, option="next_entitled") == Recut(cutter=DEALER, seat=None)


@pytest.mark.parametrize("option", [None, "", "dealer", 1])
def test_a_recut_needs_one_of_the_two_options(option: object) -> None:
    assert cut.recut((), cutter="A", option=option) == Wrong(code="RECUT_OPTION_REQUIRED")


def test_cards_are_picked_up_from_the_dealer_then_far_right_to_far_left() -> None:
    assert cut.pickup_order([2, 7, 5]) == (DEALER, 7, 5, 2)
    assert cut.pickup_order([]) == (DEALER,)
