"""The gaming day starts at a local time, also when the clocks change."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pit.floor.domain.gaming_day import bounds, gaming_day, starts_at

NEW_YORK = ZoneInfo("America/New_York")
SIX = time(6)


def local(*parts, fold=0):
    return datetime(*parts, tzinfo=NEW_YORK, fold=fold).astimezone(UTC)


def day(at, starts=SIX):
    return gaming_day(at, zone=NEW_YORK, starts=starts)


def test_the_small_hours_belong_to_the_day_before():
    assert day(local(2026, 11, 30, 2, 17)) == date(2026, 11, 29)


def test_the_first_instant_belongs_to_the_new_day():
    assert day(local(2026, 11, 30, 6)) == date(2026, 11, 30)
    assert day(local(2026, 11, 30, 6) - timedelta(microseconds=1)) == date(2026, 11, 29)


@pytest.mark.parametrize(("which", "hours"), [((2026, 3, 7), 23), ((2026, 10, 31), 25), ((2026, 6, 1), 24)])
def test_a_day_over_the_change_of_clocks_is_an_hour_shorter_or_longer(which, hours):
    start, end = bounds(date(*which), zone=NEW_YORK, starts=SIX)
    assert end - start == timedelta(hours=hours)


def test_a_start_that_the_clock_skips_comes_after_the_gap():
    assert starts_at(date(2026, 3, 8), zone=NEW_YORK, starts=time(2, 30)) == local(2026, 3, 8, 3, 30)


def test_a_start_that_comes_twice_counts_the_first_time():
    start = local(2026, 11, 1, 1, 30, fold=0)
    assert day(start, time(1, 30)) == date(2026, 11, 1)
    assert day(local(2026, 11, 1, 1, 10, fold=1), time(1, 30)) == date(2026, 11, 1)


@given(
    at=st.integers(0, 3_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    starts=st.times().map(lambda one: one.replace(second=0, microsecond=0)),
    zone=st.sampled_from(["America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC", "Europe/London"]),
)
def test_every_instant_lies_within_its_gaming_day(at, starts, zone):
    where = ZoneInfo(zone)
    start, end = bounds(gaming_day(at, zone=where, starts=starts), zone=where, starts=starts)
    assert start <= at < end
