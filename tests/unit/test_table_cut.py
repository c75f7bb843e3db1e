"""Who is asked to cut at a table, in which order, and what a recut does."""

from __future__ import annotations

import pytest

from tables.domain import commands as c
from tables.domain import cutting
from tests.unit.floor_of_one import DEALER, Table, in_play, opened


def asked(table: Table) -> list[int]:
    """Refuse all the way round: the seats in the order in which they were asked."""
    seats = []
    while (player := cutting.asked_now(table.state, table.rules)) is not None:
        seats.append(player.seat)
        table.do(c.RefuseCut(seat=player.seat))
    return seats


def four_players(
    place: str = "ny", game: str = "blackjack", *, order: tuple[int, ...] = (4, 1, 6, 2)
) -> Table:
    table = opened(place, game).do(*(c.PlayerArrives(seat=seat) for seat in order))
    return table.do(c.AttestThrough(to="SHUFFLED"))


def after(cover: c.Command, place: str = "ny", game: str = "blackjack") -> Table:
    table = four_players(place, game).do(c.AttestThrough(to="READY"), c.AdvanceRounds(), cover)
    return table.do(c.RecordShuffle())


def test_at_the_beginning_the_first_to_arrive_then_clockwise_past_the_dealer() -> None:
    assert asked(four_players()) == [4, 6, 1, 2]


def test_pennsylvania_turns_the_other_way() -> None:
    assert asked(four_players("pa", "spanish_21")) == [4, 2, 1, 6]


@pytest.mark.parametrize(
    ("cover", "new_york", "pennsylvania"),
    [
        (c.RecordCoverCardOut(on="seat", seat=2), [2, 4, 6, 1], [2, 1, 6, 4]),
        (c.RecordCoverCardOut(on="dealer"), [6, 1, 2, 4], [6, 4, 2, 1]),
        (c.RecordCoverCardOut(on="nobody"), [6, 1, 2, 4], [6, 4, 2, 1]),
        (c.DirectReshuffle(), [6, 1, 2, 4], [6, 4, 2, 1]),
    ],
)
def test_after_a_reshuffle_the_cause_designates(
    cover: c.Command, new_york: list[int], pennsylvania: list[int]
) -> None:
    assert asked(after(cover)) == new_york
    assert asked(after(cover, "pa", "spanish_21")) == pennsylvania


def test_the_wrong_seat_and_a_dealers_cut_too_early_are_refused() -> None:
    table = four_players()
    refused = table.refused(c.RecordCut(seat=1))
    assert (refused.code, refused.clause, refused.next_step) == (
        "NOT_NEXT_IN_ROTATION",
        "NY-b-7-1",
        "Offer the cut to seat 4",
    )
    refused = table.refused(c.RecordCut(seat=None))
    assert (refused.code, refused.clause) == ("PLAYERS_NOT_ALL_ASKED", "NY-b-7-2")
    asked(table)
    assert table.do(c.RecordCut(seat=None)).state.cut.cutter == "DEALER"


def test_one_player_on_two_spots_is_asked_once() -> None:
    table = opened().do(c.PlayerArrives(seat=2), c.PlayerArrives(seat=5, token="P1"), c.PlayerArrives(seat=3))
    assert asked(table.do(c.AttestThrough(to="SHUFFLED"))) == [2, 3]


def test_who_leaves_while_the_cut_goes_round_is_passed_over() -> None:
    table = four_players().do(c.RefuseCut(seat=4), c.PlayerLeaves(seat=6))
    assert cutting.asked_now(table.state, table.rules).seat == 1


def test_nobody_there_leaves_the_cut_to_the_dealer() -> None:
    table = four_players().do(c.PlayersLeave())
    assert table.refused(c.OfferCut()).code == "OUT_OF_SEQUENCE"
    assert table.do(c.RecordCut(seat=None)).stage == "CUT"


@pytest.mark.parametrize(
    ("depth", "code"),
    [(13, "TOO_CLOSE_TO_TOP"), (299, "TOO_CLOSE_TO_BOTTOM"), (313, "OUT_OF_RANGE"), (14.5, "NOT_AN_INTEGER")],
)
def test_a_depth_that_was_told_must_be_lawful_and_one_that_was_not_blocks_nothing(
    depth: float, code: str
) -> None:
    table = four_players()
    refused = table.refused(c.RecordCut(seat=4, depth=depth))
    assert (refused.code, refused.status, set(refused.fields)) == (code, 422, {"depth"})
    assert table.do(c.RecordCut(seat=4)).stage == "CUT"


def test_the_dealers_one_hand_cut_has_its_own_limit_in_new_york() -> None:
    table = four_players().do(c.PlayersLeave())
    assert table.refused(c.RecordCut(seat=None, depth=13)).code == "TOO_FEW_FROM_TOP"
    assert table.do(c.RecordCut(seat=None, depth=300)).state.cut.depth == 300


@pytest.mark.parametrize(("place", "game", "least"), [("ny", "blackjack", 52), ("pa", "spanish_21", 72)])
def test_the_cover_card_lies_deep_enough(place: str, game: str, least: int) -> None:
    table = four_players(place, game).do(c.AttestThrough(to="CUT"))
    assert table.refused(c.InsertCoverCard(depth=least - 1)).code == "TOO_CLOSE_TO_BACK"
    assert table.do(c.InsertCoverCard(depth=least)).stage == "COVERED"


def recut(option: str, place: str = "ny", game: str = "blackjack") -> Table:
    """Seat 4 refused, the next one cut; then a recut was ordered."""
    table = four_players(place, game).do(c.RefuseCut(seat=4))
    table.do(c.AttestThrough(to="CUT"))
    return table.do(c.OrderRecut(ground="improper_cut", option=option))


def test_a_recut_by_the_last_cutter_is_that_persons() -> None:
    table = recut("last_cutter")
    assert table.stage == "RECUT_REQUIRED"
    assert table.refused(c.RecordCut(seat=1)).code == "NOT_NEXT_IN_ROTATION"
    assert table.do(c.RecordCut(seat=6)).state.cut.recuts == 1


def test_a_recut_by_the_next_entitled_goes_on_in_the_same_rotation() -> None:
    assert asked(recut("next_entitled")) == [1, 2]
    assert asked(recut("next_entitled", "pa", "spanish_21")) == [1, 6]


def test_the_window_of_a_recut_closes_with_the_first_card_in_new_york_and_with_the_shoe_in_pennsylvania() -> (
    None
):
    order = c.OrderRecut(ground="integrity_or_fairness", option="last_cutter")
    assert four_players().refused(order).code == "NO_CUT_YET"
    assert four_players().do(c.AttestThrough(to="READY"), order).stage == "RECUT_REQUIRED"
    assert (
        four_players().do(c.AttestThrough(to="READY"), c.RecordBurn()).refused(order).code == "WINDOW_CLOSED"
    )
    assert in_play().refused(order).code == "WINDOW_CLOSED"
    shoe = four_players("pa", "spanish_21").do(c.AttestThrough(to="READY")).refused(order)
    assert (shoe.code, shoe.clause) == ("WINDOW_CLOSED", "PA-e-1")


def test_a_recut_is_ordered_by_a_supervisor_under_signature() -> None:
    table = four_players().do(c.AttestThrough(to="CUT"))
    refused = table.refused(c.OrderRecut(ground="improper_cut", option="last_cutter"), by=DEALER)
    assert (refused.code, refused.status, refused.clause) == ("ROLE_NOT_PERMITTED", 403, "NY-b-8-1")
    assert refused.next_step == "Call a table games supervisor"


def test_new_jersey_has_no_recut_unless_the_house_adopts_it() -> None:
    order = c.OrderRecut(ground="improper_cut", option="last_cutter")
    refused = opened("nj", "blackjack").refused(order)
    assert (refused.code, refused.clause) == ("NOT_GOVERNED_BY_RULE", "house")
