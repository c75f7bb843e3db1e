"""The 24-hour clock of the dice (NY (c)(1)(x))."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tables.domain.dice import clock, due_at, instant, status
from tables.domain.wrong import Wrong

NEW_YORK = ZoneInfo("America/New_York")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")


def placed(local: str, *, zone: ZoneInfo = NEW_YORK, fold: object = None) -> datetime:
    found = instant(datetime.fromisoformat(local), zone=zone, fold=fold)
    assert isinstance(found, datetime)
    return found


def code(local: str, *, zone: ZoneInfo = NEW_YORK, fold: object = None) -> str:
    found = instant(datetime.fromisoformat(local), zone=zone, fold=fold)
    assert isinstance(found, Wrong)
    return found.code


def wall_hours(local: str, *, zone: ZoneInfo = NEW_YORK, fold: object = None) -> float:
    made = clock(placed(local, zone=zone, fold=fold), zone=zone)
    assert not isinstance(made, Wrong)
    return made.wall_hours


def test_twenty_four_hours_are_elapsed_hours_on_the_nights_the_clocks_change() -> None:
    assert wall_hours("2026-07-01T09:00") == 24
    assert wall_hours("2026-03-07T12:00") == 25
    assert wall_hours("2026-10-31T12:00") == 23
    assert wall_hours("2026-04-04T12:00", zone=LORD_HOWE) == 23.5


def test_exactly_twenty_four_hours_is_still_lawful() -> None:
    at = placed("2026-07-01T09:00")
    due = due_at(at)
    assert status(at, now=due - timedelta(seconds=1)) == "WITHIN_24H"
    assert status(at, now=due) == "WITHIN_24H_LIMIT_REACHED"
    assert status(at, now=due + timedelta(microseconds=1)) == "OVER_24H"


def test_an_hour_that_the_night_does_not_have_is_refused_with_and_without_a_fold() -> None:
    for fold in (None, 0, 1):
        assert code("2026-03-08T02:30", fold=fold) == "NONEXISTENT_LOCAL_TIME"


def test_an_hour_that_the_night_has_twice_must_be_told_apart() -> None:
    assert code("2026-11-01T01:30") == "AMBIGUOUS_LOCAL_TIME"
    assert placed("2026-11-01T01:30", fold=1) - placed("2026-11-01T01:30", fold=0) == timedelta(hours=1)


def test_a_fold_that_is_not_needed_changes_nothing() -> None:
    assert (
        placed("2026-07-01T09:00", fold=0) == placed("2026-07-01T09:00", fold=1) == placed("2026-07-01T09:00")
    )


def test_an_offset_tells_the_doubled_hour_apart_by_itself() -> None:
    assert placed("2026-11-01T01:30-04:00") == placed("2026-11-01T01:30", fold=0)
    assert placed("2026-11-01T01:30-05:00") == placed("2026-11-01T01:30", fold=1)


def test_a_day_that_a_place_skipped_does_not_exist() -> None:
    assert code("2011-12-30T12:00", zone=ZoneInfo("Pacific/Apia")) == "NONEXISTENT_LOCAL_TIME"


@pytest.mark.parametrize(
    ("fold", "expected"), [(2, "OUT_OF_RANGE"), (-1, "OUT_OF_RANGE"), (True, "NOT_AN_INTEGER")]
)
def test_a_fold_is_the_first_or_the_second_pass(fold: object, expected: str) -> None:
    assert code("2026-11-01T01:30", fold=fold) == expected


def test_a_time_at_the_end_of_the_calendar_is_out_of_range() -> None:
    assert code("9999-12-31T23:30") == "OUT_OF_RANGE"
    last = datetime(9999, 12, 31, 12, tzinfo=UTC)
    assert clock(last, zone=NEW_YORK) == Wrong(code="OUT_OF_RANGE")
