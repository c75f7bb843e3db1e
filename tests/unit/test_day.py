"""The gaming day of a table as stretches of one condition each."""

from datetime import UTC, datetime, timedelta

import pytest

from tables.day import Moment, condition_of, spans_of
from tables.domain import stages

START = datetime(2026, 3, 4, 11, tzinfo=UTC)
END = START + timedelta(hours=24)


def day(*moments, stage=stages.CLOSED, until=12):
    found = [Moment(at=START + timedelta(hours=hour), kind=kind, stage=then) for hour, kind, then in moments]
    spans = spans_of(stage, found, start=START, end=END, now=START + timedelta(hours=until))
    return [(span.condition, span.left, span.width) for span in spans]


def test_a_table_that_nobody_touched_is_one_stretch_until_now():
    assert day() == [("closed", 0, 500)]
    assert day(stage=stages.ACTIVE) == [("in_play", 0, 500)]


def test_stretches_follow_each_other_without_a_gap():
    found = day((6, "TableOpened", stages.CARDS_VERIFIED), (7.2, "DealingBegun", stages.ACTIVE))
    assert found == [("closed", 0, 250), ("preparing", 250, 50), ("in_play", 300, 200)]


def test_an_entry_without_a_stage_changes_nothing():
    assert day((3, "DeviceCovered", ""), stage=stages.ACTIVE) == [("in_play", 0, 500)]


def test_a_table_is_a_dead_game_from_when_all_left_until_somebody_comes():
    found = day((6, "PlayersLeft", stages.ACTIVE), (9, "PlayerArrived", stages.ACTIVE), stage=stages.ACTIVE)
    assert found == [("in_play", 0, 250), ("dead_game", 250, 125), ("in_play", 375, 125)]


@pytest.mark.parametrize(
    ("stage", "condition"),
    [
        (stages.CLOSED, "closed"),
        (stages.WASHED, "preparing"),
        (stages.READY, "in_play"),
        (stages.SHUFFLE_DUE, "due"),
        (stages.IDLE_SPREAD, "dead_game"),
        (stages.GAMING_CEASED, "hold"),
    ],
)
def test_every_stage_has_a_colour(stage, condition):
    assert condition_of(stage) == condition
