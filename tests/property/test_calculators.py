"""What holds for every table, stack and hour, not only for the cases that somebody thought of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from tables.domain import button, cut, depth, dice, position
from tables.domain.ring import DEALER, Seated, clockwise_after, round_after, round_from
from tables.domain.wrong import Wrong

CAUSES = {
    "game_beginning",
    "cover_card_player",
    "cover_card_dealer",
    "discretion",
    "irregularity",
    "cover_card_no_hand",
}
ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.lists(st.integers(), max_size=3)
)
SEATS = st.sets(st.integers(1, 9), min_size=1).map(sorted)
STEP = st.sampled_from([1, -1])
EPOCH = datetime(1975, 1, 1, tzinfo=UTC)
INSTANTS = st.integers(0, 7_000_000_000).map(lambda second: EPOCH + timedelta(seconds=second))
ZONES = st.sampled_from(
    [
        "America/New_York",
        "America/Phoenix",
        "Australia/Lord_Howe",
        "Asia/Kathmandu",
        "Europe/Dublin",
        "Pacific/Apia",
    ]
).map(ZoneInfo)


def rule(step: int) -> cut.CutRule:
    return cut.CutRule(step=step, clauses=dict.fromkeys(CAUSES, "c"))


def players(seats: list[int], hands: int) -> list[Seated]:
    """Some players hold two spots."""
    return [Seated(seat=seat, player=f"P{n % hands}") for n, seat in enumerate(seats)]


@given(SEATS, st.integers(1, 9), STEP)
def test_a_round_meets_every_seat_once_and_backwards_is_the_way_back(
    seats: list[int], start: int, step: int
) -> None:
    there = round_from(start, seats, step=step)
    assert sorted(there) == seats
    back = round_from(there[-1], seats, step=-step)
    assert back == there[::-1]
    assert set(round_after(start, seats, step=step)) == set(seats)


@given(SEATS, STEP, st.integers(1, 9), st.sampled_from(sorted(CAUSES)), st.integers(1, 9))
def test_rotation_asks_each_player_exactly_once(
    seats: list[int], step: int, hands: int, cause: str, spot: int
) -> None:
    occupied = players(seats, hands)
    arrivals = [one.player for one in occupied]
    made = cut.order(
        rule=rule(step),
        seats=9,
        occupied=occupied,
        cause=cause,
        arrivals=arrivals,
        cover_seat=spot,
        cover_player="P0",
    )
    assert isinstance(made, cut.CutOrder)
    assert sorted(one.player for one in made.order) == sorted(set(arrivals))
    done = cut.offers(made, refuses="ALL")
    assert (done.offers, done.cutter) == (made.seats, DEALER)


@given(SEATS, STEP, st.data())
def test_the_cutter_is_the_first_who_did_not_refuse(seats: list[int], step: int, data: st.DataObject) -> None:
    occupied = players(seats, 9)
    refuses = data.draw(st.sets(st.sampled_from([one.player for one in occupied])))
    made = cut.order(rule=rule(step), seats=9, occupied=occupied, cause="discretion")
    assert isinstance(made, cut.CutOrder)
    done = cut.offers(made, refuses=refuses)
    asked = cut.next_offer(made.order, refused=refuses)
    assert done.cutter == (asked.player if asked else DEALER)
    assert done.cutter not in refuses


@given(ANYTHING, ANYTHING, st.integers(1, 60))
def test_a_depth_of_anything_gets_an_answer(told: object, total: object, least: int) -> None:
    depth.player_cut(told, total=total, minimum=least)
    depth.one_hand_cut(told, total=total, minimum=least)
    depth.cover_card(told, total=total, cards_per_deck=total, rule="one_deck")
    position.by_shaker(positions=told, total=total, shakes=told)
    position.by_generator(told, positions=total)


@given(st.integers(0, 500), st.integers(-1, 501), st.integers(1, 60))
def test_a_stricter_minimum_never_accepts_more(total: int, above: int, least: int) -> None:
    strict = depth.player_cut(above, total=total, minimum=least + 1)
    if isinstance(strict, depth.Cut):
        loose = depth.player_cut(above, total=total, minimum=least)
        assert loose == strict
        assert strict.cards_below + strict.moved_to_back == total


@given(st.integers(1, 20), st.integers(3, 18))
def test_a_whole_turn_leads_to_the_same_place(positions: int, total: int) -> None:
    here = position.position_of(total, positions=positions)
    assert position.position_of(total + positions + 1, positions=positions) == here
    reached = {position.position_of(n, positions=positions) for n in range(1, positions + 2)}
    assert reached == {DEALER, *range(1, positions + 1)}


@given(INSTANTS, ZONES)
@settings(deadline=None)
def test_the_deadline_is_a_day_of_elapsed_time_in_any_zone(at: datetime, zone: ZoneInfo) -> None:
    made = dice.clock(at, zone=zone)
    assert not isinstance(made, Wrong)
    assert made.due_at - at == timedelta(hours=24)
    assert made.due_local == made.due_at
    assert dice.status(at, now=made.due_at) == "WITHIN_24H_LIMIT_REACHED"


@given(INSTANTS, ZONES)
@settings(deadline=None)
def test_a_wall_time_with_its_fold_names_the_instant_it_was_read_from(at: datetime, zone: ZoneInfo) -> None:
    local = at.astimezone(zone)
    bare = local.replace(tzinfo=None, fold=0)
    assert dice.instant(bare, zone=zone, fold=local.fold) == at
    without = dice.instant(bare, zone=zone)
    assert without == at or without == Wrong(code="AMBIGUOUS_LOCAL_TIME")


@given(SEATS, st.data())
def test_every_place_gets_the_button_in_turn(seats: list[int], data: st.DataObject) -> None:
    at = data.draw(st.sampled_from([DEALER, *seats]))
    met = []
    for _ in range(len(seats) + 1):
        at = button.next_button(at, occupied=seats)
        met.append(at)
    assert sorted(met, key=str) == sorted([DEALER, *seats], key=str)
    order = button.delivery_order(at, wagering=seats)
    assert order == clockwise_after(at, seats)
    assert set(order) == {DEALER, *seats}


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_no_run_of_rounds_goes_six_rounds_without_a_count(acts: list[tuple[bool, bool]]) -> None:
    counted, since, number = button.Counted(), 0, 0
    for device, by_hand in acts:
        if device:
            counted, since = button.counted_by_device(counted, good=True, before_round=number + 1), 0
        if button.may_start(counted, round_number=number + 1, every=5) is None:
            number, since = number + 1, since + 1
        if by_hand:
            made = button.counted_by_hand(counted, cards=52, expected=52, after_round=number)
            assert isinstance(made, button.Counted)
            counted, since = made, 0
        assert since <= 5
