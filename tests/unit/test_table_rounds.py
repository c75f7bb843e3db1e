"""Rounds recorded step by step: where dealing starts, wagers before the first card, hands that stay."""

from __future__ import annotations

from typing import Any

import pytest

from tables.domain import commands as c
from tables.domain import commands_play as p
from tables.domain.state import DeviceSpec, ProgressiveSpec
from tests.unit.floor_of_one import DEALER, MANAGER, Table, in_play, opened, rules, set_up
from tests.unit.test_table_refusals import says

SYSTEM = ProgressiveSpec(approval_ref="LAB-9", position_devices=6, lock_out=True, procedures_ref="IC-12")
RNG = DeviceSpec(id="RNG-1", kind="rng", approval_ref="LAB-2")


def pai_gow(**fields: Any) -> Table:
    given = {"decks": 1, "rack_decks": None, "deal_mode": "hand", "shaker": "SHK-1", "rounds_by": "steps"}
    table = opened("ny", "pai_gow_poker", **given | {"rack_decks": 1} | fields)
    table.do(c.PlaceDice(set_id="DS-1", responsible="Dana Dealer"))
    return table.do(c.AttestThrough(to="READY", arrival_seat=3, cut_by_dealer=True))


def shoe(**fields: Any) -> Table:
    table = opened("ny", "blackjack", rounds_by="steps", **fields)
    return table.do(c.AttestThrough(to="READY", arrival_seat=3))


def rolled(table: Table, *dice: int, **fields: Any) -> Table:
    return table.do(p.RecordDice(dice=dice, announced=sum(dice), **fields))


def test_dealing_starts_where_the_dice_say() -> None:
    table = pai_gow()
    says(table, c.StartRound(), "START_NOT_FOUND", "NY-c-0")
    says(table, p.MarkStart(), "OUT_OF_SEQUENCE", "NY-c-3")
    rolled(table, 3, 4, 4).do(p.MarkStart(), p.AnnounceNoMoreBets(), c.StartRound())
    assert table.entries[-1].event.start == 4  # eleven: counter-clockwise, the dealer one, six seats


@pytest.mark.parametrize(
    ("fields", "code", "clause"),
    [
        ({"dice": (1, 2, 3), "shakes": 2}, "AT_LEAST_THREE_SHAKES", "NY-c-1-i"),
        ({"dice": (1, 2)}, "THREE_DICE_REQUIRED", "NY-c-1-ii"),
        ({"dice": (1, 2, 7)}, "DIE_FACE_OUT_OF_RANGE", "NY-c-1-ii"),
        ({"dice": (1, 2, 3), "announced": 7}, "ANNOUNCED_TOTAL_MISMATCH", "NY-c-1-ii"),
    ],
)
def test_a_roll_is_told_as_the_text_asks(fields: dict[str, Any], code: str, clause: str) -> None:
    says(pai_gow(), p.RecordDice(**fields), code, clause, status=422)


def test_the_shaker_is_closed_after_the_deal_before_it_is_uncovered_again() -> None:
    table = rolled(pai_gow(), 1, 1, 1).do(p.AnnounceNoMoreBets(), c.StartRound(), c.EndRound())
    says(table, p.RecordDice(dice=(1, 2, 3)), "SHAKER_NOT_CLOSED", "NY-c-1-iv")
    rolled(table.do(p.CloseShaker()), 1, 2, 3)
    assert table.state.facts.start == 2


def test_a_no_roll_gives_no_position_until_the_dice_were_shaken_again() -> None:
    table = rolled(pai_gow(), 1, 2, 3).do(p.RecordIrregularity(kind="dice_not_flat"))
    table.do(p.AnnounceNoMoreBets())
    says(table, c.StartRound(), "NO_ROLL", "NY-c-0")
    rolled(table, 2, 2, 2).do(c.StartRound())


def test_the_generator_needs_its_approval_and_shows_no_number_beyond_the_positions() -> None:
    without = DeviceSpec(id="RNG-1", kind="rng")
    says(pai_gow(devices=(without,)), p.RecordRngNumber(number=3), "RNG_NOT_APPROVED", "NY-c-2-0")
    table = pai_gow(devices=(RNG,))
    says(table, p.RecordRngNumber(number=8), "NUMBER_OUT_OF_RANGE", "NY-c-2-i", status=422)
    assert table.do(p.RecordRngNumber(number=7)).state.facts.start == 1
    says(pai_gow(), p.RecordRngNumber(number=3), "METHOD_NOT_CONFIGURED", "NY-c-0")


def test_a_shaker_without_the_houses_name_serves_no_table() -> None:
    table = set_up("ny", "pai_gow_poker", decks=1, rack_decks=1, shaker="SHK-1", shaker_bears_name=False)
    says(table, c.PlaceDice(set_id="DS-1"), "SHAKER_NOT_CONFORMING", "NY-c-1-vi")


def test_no_card_leaves_the_shoe_before_no_more_bets() -> None:
    table = shoe()
    says(table, c.StartRound(), "NO_MORE_BETS_FIRST", "NY-d-1-1")
    table.do(p.AnnounceNoMoreBets(), c.StartRound(), c.EndRound())
    says(table, c.StartRound(), "NO_MORE_BETS_FIRST", "NY-d-1-1")


def test_at_hand_deals_it_is_the_house_that_asks_for_it() -> None:
    table = rolled(pai_gow(), 1, 2, 3)
    says(table, c.StartRound(), "NO_MORE_BETS_FIRST", "house")


def test_progressive_wagers_are_locked_out_verified_and_in_the_tray_before_the_first_card() -> None:
    table = shoe(progressive=SYSTEM).do(p.AnnounceNoMoreBets(), p.RecordAcceptedWagers(accepted=3))
    refused = table.refused(c.StartRound())
    codes = [one.code for one in (refused, *refused.also)]
    assert codes == ["PROGRESSIVE_NOT_LOCKED", "CHIP_COUNT_MISMATCH", "CHIPS_NOT_IN_TRAY"]
    says(table, p.VerifyChips(chips=3), "PROGRESSIVE_NOT_LOCKED", "NY-d-1-2")
    table.do(p.RecordLockOut())
    says(table, p.VerifyChips(chips=2), "CHIP_COUNT_MISMATCH", "NY-d-1-3")
    says(table, p.PlaceChipsInTray(), "CHIP_COUNT_MISMATCH", "NY-d-1-3")
    table.do(p.VerifyChips(chips=3))
    says(table, c.StartRound(), "CHIPS_NOT_IN_TRAY", "NY-d-1-4")
    table.do(p.PlaceChipsInTray(), c.StartRound())


@pytest.mark.parametrize(
    ("field", "value", "code", "clause", "status"),
    [
        ("approval_ref", "", "PROGRESSIVE_NOT_APPROVED", "NY-l-0", 409),
        ("position_devices", 5, "PROGRESSIVE_DEVICE_MISSING", "NY-l-1", 422),
        ("lock_out", False, "LOCKOUT_MISSING", "NY-l-2", 422),
        ("procedures_ref", "", "PROCEDURES_MISSING", "NY-l-3", 422),
    ],
)
def test_a_progressive_is_offered_only_with_its_whole_system(
    field: str, value: Any, code: str, clause: str, status: int
) -> None:
    spec = ProgressiveSpec(
        **{name: getattr(SYSTEM, name) for name in SYSTEM.__struct_fields__} | {field: value}
    )
    command = c.SetUpTable(number="1", game="blackjack", seats=6, decks=6, rack_decks=6, progressive=spec)
    says(Table(rules()), command, code, clause, status=status, by=MANAGER)


def test_a_winning_hand_stays_until_its_documents_are_complete() -> None:
    table = shoe(progressive=SYSTEM).do(p.AnnounceNoMoreBets(), p.RecordLockOut(), c.StartRound())
    table.do(p.HoldHand(seat=3))
    says(table, p.CollectHand(seat=3), "HAND_STAYS_UNTIL_DOCUMENTED", "NY-m")
    says(table, c.EndRound(), "HAND_STAYS_UNTIL_DOCUMENTED", "NY-m")
    table.do(p.CollectHand(seat=2))
    says(
        table,
        p.RecordPayoutDocuments(seat=3, reference="W-2G 1"),
        "ROLE_NOT_PERMITTED",
        "house",
        by=DEALER,
        status=403,
    )
    table.do(p.RecordPayoutDocuments(seat=3, reference="W-2G 1"), p.CollectHand(seat=3), c.EndRound())


def test_a_side_wager_needs_its_light_and_the_wager_on_the_game() -> None:
    table = in_play(devices=(DeviceSpec(id="LT-1", kind="lights"),))
    says(table, p.TakeSideWager(seat=3), "UNDERLYING_WAGER_FIRST", "NY-o")
    table.do(c.COMMANDS["ReportFault"](device="LT-1", code="SIDEBET_LIGHT_FAIL", seat=3))
    says(table, p.TakeSideWager(seat=3, underlying=True), "SIDE_WAGER_LIGHT_FAULT", "NY-n")
    table.do(p.TakeSideWager(seat=2, underlying=True))
    table.do(c.COMMANDS["ClearFault"](device="LT-1", code="SIDEBET_LIGHT_FAIL", seat=3))
    table.do(p.TakeSideWager(seat=3, underlying=True))


def test_a_spoken_wager_with_cash_is_taken_only_where_the_text_names_the_game() -> None:
    says(in_play(), p.TakeVerbalWager(seat=1), "VERBAL_CASH_WAGER_REFUSED", "NY-q")
    craps = set_up("ny", "craps", decks=0, batches=(), rack_decks=None).do(c.OpenTable())
    craps.do(p.TakeVerbalWager(seat=1))


def test_the_hand_that_holds_the_deck_is_not_changed_during_a_round() -> None:
    table = rolled(pai_gow(), 1, 2, 3).do(p.AnnounceNoMoreBets(), c.StartRound())
    says(table, c.TakeInHand(hand="right"), "HAND_FIXED_FOR_ROUND", "NY-e-2")
    table.do(c.EndRound(), c.TakeInHand(hand="right"))
    assert table.state.hand == "right"
    assert table.stage == "ACTIVE"


def test_the_stub_goes_into_the_rack_of_a_round_that_is_open() -> None:
    table = rolled(pai_gow(), 1, 2, 3)
    says(table, p.DiscardStub(), "NO_ROUND_OPEN", "NY-d-4-2")
    assert table.do(p.AnnounceNoMoreBets(), c.StartRound(), p.DiscardStub()).state.facts.stub


def test_where_rounds_are_only_counted_nothing_of_a_round_is_asked_for() -> None:
    in_play().do(c.AdvanceRounds(count=5))


def test_a_number_beyond_any_pit_is_malformed() -> None:
    import msgspec

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"seat": 2**63}, c.PlayerArrives)
