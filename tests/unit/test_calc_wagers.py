"""Wagers, notices, batches: the small guards (NY (d)(1), (e)(1), (g), (h)(2), (m)–(q), (t))."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tables.domain.batches import Back, may_discard, may_shuffle, may_use, wrong_backs
from tables.domain.notice import may_take_effect, needs_notice
from tables.domain.wagers import (
    RoundOpen,
    hand_deal,
    may_collect,
    may_deal,
    side_wager,
    verbal_wager_with_cash,
)
from tables.domain.wrong import Wrong

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def codes(*found: Wrong | None) -> list[str]:
    return [one.code for one in found if one is not None]


def dealing(**recorded: object) -> list[str]:
    return codes(*may_deal(RoundOpen(**{"no_more_bets": True, **recorded})))  # type: ignore[arg-type]


def test_no_card_before_no_more_bets() -> None:
    assert dealing(no_more_bets=False) == ["NO_MORE_BETS_FIRST"]
    assert dealing() == []


def test_a_progressive_is_shut_out_even_when_nobody_wagered() -> None:
    assert dealing(progressive_offered=True) == ["PROGRESSIVE_NOT_LOCKED"]
    assert dealing(progressive_offered=True, locked_out=True) == []


def test_progressive_chips_must_match_what_the_system_accepted_and_lie_in_the_tray() -> None:
    made = {"progressive_offered": True, "locked_out": True, "wagers": 3, "accepted": 3}
    assert dealing(**made, chips=2, in_tray=True) == ["CHIP_COUNT_MISMATCH"]
    assert dealing(**made, chips=3) == ["CHIPS_NOT_IN_TRAY"]
    assert dealing(**made, chips=3, in_tray=True) == []


def test_a_wager_that_only_the_system_knows_is_a_mismatch() -> None:
    assert "CHIP_COUNT_MISMATCH" in dealing(
        progressive_offered=True, locked_out=True, accepted=1, in_tray=True
    )


def test_every_reason_is_told_at_once() -> None:
    found = dealing(no_more_bets=False, progressive_offered=True, wagers=1)
    assert found == ["NO_MORE_BETS_FIRST", "PROGRESSIVE_NOT_LOCKED", "CHIPS_NOT_IN_TRAY"]


def test_a_hand_deal_at_a_house_that_asks_for_none_of_it_is_free() -> None:
    assert may_deal(RoundOpen(no_more_bets=False), binds=False) == ()


def test_a_hand_that_the_tray_cannot_pay_stays_until_documented() -> None:
    assert codes(may_collect(payable_from_tray=False, documented=False)) == ["HAND_STAYS_UNTIL_DOCUMENTED"]
    assert codes(may_collect(payable_from_tray=False, documented=True)) == []
    assert codes(may_collect(payable_from_tray=True, documented=False)) == []


def test_a_side_wager_needs_the_light_and_the_wager_on_the_game() -> None:
    assert codes(*side_wager(light_works=True, underlying=True)) == []
    assert codes(*side_wager(light_works=False, underlying=False)) == [
        "SIDE_WAGER_LIGHT_FAULT",
        "UNDERLYING_WAGER_FIRST",
    ]


def test_spoken_wagers_with_cash_are_taken_at_four_games_only() -> None:
    four = ["craps", "mini_craps", "roulette", "big_wheel"]
    assert codes(verbal_wager_with_cash("roulette", games=four)) == []
    assert codes(verbal_wager_with_cash("blackjack", games=four)) == ["VERBAL_CASH_WAGER_REFUSED"]
    assert codes(verbal_wager_with_cash("craps", games=None)) == ["NOT_GOVERNED_BY_RULE"]


@pytest.mark.parametrize(
    ("decks", "expected"),
    [
        (1, []),
        (2, []),
        (3, ["HAND_DEAL_MAX_TWO_DECKS"]),
        (0, ["OUT_OF_RANGE"]),
        (-1, ["OUT_OF_RANGE"]),
        (1.5, ["NOT_AN_INTEGER"]),
        (True, ["NOT_AN_INTEGER"]),
        (None, ["NOT_AN_INTEGER"]),
    ],
)
def test_at_most_two_decks_are_dealt_by_hand(decks: object, expected: list[str]) -> None:
    assert codes(hand_deal(decks)) == expected


def test_both_recipients_are_told_strictly_before_a_change() -> None:
    before = NOON - SECOND
    assert may_take_effect(effective_at=NOON, commission_at=before, surveillance_at=before) == ()
    both = may_take_effect(effective_at=NOON, commission_at=NOON, surveillance_at=None)
    assert codes(*both) == ["COMMISSION_NOTICE_NOT_PRIOR", "SURVEILLANCE_NOT_NOTIFIED"]


def test_the_same_instant_in_another_offset_is_still_not_before() -> None:
    there = datetime.fromisoformat("2026-12-01T07:00:00-05:00")
    found = may_take_effect(effective_at=NOON, commission_at=there, surveillance_at=there - SECOND)
    assert codes(*found) == ["COMMISSION_NOTICE_NOT_PRIOR"]


def test_limits_and_rosters_are_no_matter_of_notice() -> None:
    assert needs_notice("pay_table")
    assert not needs_notice("table_limits")


def test_two_batches_differ_in_colour_whatever_the_design() -> None:
    assert codes(wrong_backs(Back(color="Red", design="a"), Back(color=" red ", design="b"))) == [
        "BATCH_COLORS_MUST_DIFFER"
    ]
    assert wrong_backs(Back(color="red"), Back(color="blue")) is None


def test_each_batch_is_used_every_other_time_and_a_third_is_never_the_other() -> None:
    assert may_use("A", last=None) is None
    assert may_use("B", last="A", batches=("A", "B")) is None
    assert codes(may_use("A", last="A")) == ["BATCH_MUST_ALTERNATE"]
    assert codes(may_use("C", last="B", batches=("A", "B"))) == ["BATCH_MUST_ALTERNATE"]


def test_the_discard_rack_holds_one_batch() -> None:
    assert may_discard("A", rack=()) is None
    assert may_discard("A", rack=("A",)) is None
    assert codes(may_discard("A", rack=("B",))) == ["BATCHES_WOULD_INTERMIX"]


def test_a_failed_device_is_covered_or_signed_before_any_other_method() -> None:
    free = {"failed": True, "covered": False, "sign": False}
    assert codes(may_shuffle(by_device=False, **free)) == ["COVER_OR_SIGN_FIRST"]
    assert codes(may_shuffle(by_device=True, **(free | {"covered": True}))) == ["DEVICE_OUT_OF_ORDER"]
    assert may_shuffle(by_device=False, **(free | {"sign": True})) is None
    assert may_shuffle(by_device=True, failed=False, covered=False, sign=False) is None
