"""Irregularities: the clauses they fall under, what follows at once, what a supervisor confirms, and the way on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pit.record.contract import Refused
from tables.domain import commands as c
from tables.domain import commands_play as p
from tables.domain import irregular
from tables.domain.state import DeviceSpec
from tests.unit.floor_of_one import DEALER, SHUFFLER, TWO_BATCHES, Table, in_play, opened
from tests.unit.test_table_refusals import says
from tests.unit.test_table_rounds import pai_gow, rolled, shoe

ELECTRONIC = DeviceSpec(id="ES-1", kind="shaker", approval_ref="LAB-3")
READER = DeviceSpec(id="CR-1", kind="card_reader")


def happened(table: Table, kind: str, **facts: Any) -> Table:
    return table.do(p.RecordIrregularity(kind=kind, facts=facts))


def in_round(**fields: Any) -> Table:
    return shoe(**fields).do(p.AnnounceNoMoreBets(), c.StartRound())


def kinds(table: Table) -> set[str]:
    return {one.kind for one in irregular.choices(table.state, table.rules)}


def test_only_what_can_happen_at_this_table_is_offered() -> None:
    assert "electronic_shaker" not in kinds(in_play())
    assert {"face_up_in_shoe", "shoe_short", "wrong_card_count", "hole_card_exposed"} <= kinds(in_play())
    assert "shuffler_stopped" in kinds(in_play(batches=TWO_BATCHES, devices=(SHUFFLER,)))
    assert kinds(in_play("pa", "spanish_21")) == set()
    says(in_play(), p.RecordIrregularity(kind="tea_spilled"), "UNKNOWN_CAUSE", "house", status=422)


def test_clauses_add_up_and_silence_stays_silence() -> None:
    table = in_round()
    found = irregular.foresee(table.state, table.rules, "wrong_card_count", {"who": "player"})
    assert not isinstance(found, Refused)
    assert found.clauses == ("NY-j-2", "NY-j-4")
    assert (found.consequences["wagers_returned"], found.consequences["reshuffle"]) == (True, True)
    assert found.consequences["round_void"] is None


def test_a_void_round_is_not_closed_as_played() -> None:
    table = happened(in_round(), "wrong_card_count", who="dealer")
    assert not table.state.shuffle_pending, "(j)(2) is silent on the cards"
    table.do(p.RecordRuling(irregularity=1))
    assert table.state.shuffle_pending
    says(table, c.EndRound(), "ROUND_IS_VOID", "NY-j-2")
    table.do(p.VoidRound())
    assert (table.stage, table.state.round_open) == ("SHUFFLE_DUE", False)


def test_a_ruling_adds_to_the_text_and_never_says_otherwise() -> None:
    table = happened(in_round(), "wrong_card_count", who=["dealer"])
    refused = table.refused(c.StartRound())
    assert "RULING_REQUIRED" in {one.code for one in (refused, *refused.also)}
    says(table, p.RecordRuling(irregularity=1, wagers="stand"), "CONTRADICTS_RULE", "NY-j-2")
    says(table, p.RecordRuling(irregularity=1, round="stands"), "ROUND_IS_VOID", "NY-j-2")
    table.do(p.RecordRuling(irregularity=1, reshuffle=False))
    assert (table.entries[-1].event.wagers, table.state.shuffle_pending) == ("returned", False)
    assert not table.state.irregularities


def test_where_the_clauses_together_leave_nothing_open_no_ruling_is_asked_for() -> None:
    table = happened(in_round(), "wrong_card_count", who="player")
    assert table.entries[-1].event.needs == ()
    says(table, c.EndRound(), "ROUND_IS_VOID", "NY-j-2")
    table.do(p.VoidRound())
    assert table.stage == "SHUFFLE_DUE"


def test_what_the_text_leaves_open_the_supervisor_confirms_signed() -> None:
    table = happened(in_round(), "hole_card_exposed", no_more_bets_announced=False)
    # "no more bets" was announced at this table, which knows it: not (j)(5)
    assert table.entries[-1].event.clauses == ("NY-j-5",) or table.state.irregularities
    says(table, p.RecordRuling(irregularity=1), "ROLE_NOT_PERMITTED", "house", by=DEALER, status=403)


def test_a_hole_card_shown_after_the_announcement_calls_the_supervisor() -> None:
    table = happened(in_round(), "hole_card_exposed")
    assert table.entries[-1].event.clauses == ("NY-j-3",)
    says(table, c.EndRound(), "FLOORPERSON_REQUIRED", "NY-j-3")
    table.do(p.RecordRuling(irregularity=1, instruction="turned over, play on"), c.EndRound())
    table = happened(in_round(devices=(READER,)), "hole_card_exposed")
    assert table.entries[-1].event.clauses == ("NY-i-3",)


def test_a_card_reader_that_fails_stops_nothing() -> None:
    table = happened(in_round(devices=(READER,)), "reader_out")
    table.do(c.EndRound())
    assert not table.state.holds


def test_the_first_card_face_up_is_burned_and_the_second_voids_the_round() -> None:
    table = happened(in_round(), "face_up_in_shoe")
    says(table, c.EndRound(), "BURN_FIRST", "NY-h-4-1")
    table.do(c.RecordBurn())
    happened(table, "face_up_in_shoe")
    assert table.entries[-1].event.clauses == ("NY-h-4-2",)
    refused = table.refused(c.EndRound())
    assert "ROUND_IS_VOID" in {one.code for one in (refused, *refused.also)}


def test_a_shoe_that_is_too_short_is_filled_and_the_round_goes_on() -> None:
    table = happened(in_round(), "shoe_short", cards=100)
    assert table.stage == "SHUFFLE_DUE"
    assert table.state.round_open
    says(table, p.VoidRound(), "ROUND_NOT_VOID_H5", "NY-h-5-1")
    table.do(c.RecordShuffle(), c.RecordCut(seat=3), c.LoadShoe())
    says(table, p.ContinueRound(), "BURN_FIRST", "NY-h-5-2")
    says(table, c.EndRound(), "BURN_FIRST", "NY-h-5-2")
    table.do(c.RecordBurn(), p.ContinueRound())
    assert (table.stage, table.state.refill) == ("ACTIVE", None)
    table.do(c.EndRound())
    assert table.state.round == 1


def test_where_rounds_are_counted_the_shoe_is_filled_all_the_same() -> None:
    table = happened(in_play(), "shoe_short")
    table.do(c.RecordShuffle(), c.RecordCut(seat=3), c.LoadShoe())
    assert "BURN_FIRST" in {one.code for one in _all(table.refused(c.AdvanceRounds()))}
    table.do(c.RecordBurn(), p.ContinueRound(), c.AdvanceRounds())


def _all(refused: Refused) -> tuple[Refused, ...]:
    return (refused, *refused.also)


def test_a_stack_too_small_for_any_player_is_cut_by_the_dealer() -> None:
    table = happened(in_round(), "shoe_short", cards=27).do(c.RecordShuffle())
    says(table, c.RecordCut(seat=3), "NOT_NEXT_IN_ROTATION", "NY-b-7-1")
    table.do(c.RecordCut(depth=14), c.LoadShoe())


def test_a_player_whose_card_was_shown_chooses_blind() -> None:
    table = happened(in_round(), "player_card_exposed", seat=3)
    says(table, c.EndRound(), "CHOICE_PENDING", "NY-j-6")
    choice = p.RecordPlayerChoice(irregularity=1, choice="void_own_hand", looked=True)
    says(table, choice, "CHOICE_MUST_BE_BLIND", "NY-j-6")
    table.do(p.RecordPlayerChoice(irregularity=1, choice="void_own_hand"), c.EndRound())


def test_a_wrong_total_needs_a_wrong_position_too() -> None:
    table = rolled(pai_gow(), 2, 2, 2).do(p.AnnounceNoMoreBets(), c.StartRound())
    facts = {"die_1": 2, "die_2": 2, "die_3": 2, "announced": 7, "first_dealt": "false"}
    assert irregular.foresee(table.state, table.rules, "dice", facts).clauses == ()  # type: ignore[union-attr]
    happened(table, "dice", **facts | {"first_dealt": "true"})
    assert table.entries[-1].event.clauses == ("NY-k-3",)
    says(table, c.EndRound(), "ROUND_IS_VOID", "NY-k-3")


def test_an_electronic_shaker_that_fails_uncovered_ends_gaming_until_it_is_fixed() -> None:
    table = rolled(pai_gow(devices=(ELECTRONIC,)), 2, 2, 2).do(p.AnnounceNoMoreBets(), c.StartRound())
    happened(table, "electronic_shaker", uncovered="true")
    says(table, p.SettleWagers(irregularity=1), "SUPERVISOR_REQUIRED", "NY-k-4-1", by=DEALER)
    table.do(p.SettleWagers(irregularity=1))
    assert (table.stage, table.state.round_open) == ("GAMING_CEASED", False)
    says(table, c.StartRound(), "GAMING_CEASED", "NY-k-4-2")
    says(table, p.RecordDice(dice=(1, 2, 3)), "GAMING_CEASED", "NY-k-4-2")
    table.do(c.COMMANDS["TestDevice"](device="ES-1"), c.ReturnDevice(device="ES-1", repair="battery"))
    assert table.stage == "ACTIVE"


def test_an_electronic_shaker_that_fails_covered_is_the_supervisors_to_decide() -> None:
    table = rolled(pai_gow(devices=(ELECTRONIC,)), 2, 2, 2)
    happened(table, "electronic_shaker", uncovered=False)
    assert table.entries[-1].event.clauses == ()
    assert table.state.irregularities[-1].needs == ("ruling",)


def test_a_shuffler_that_jams_has_its_batch_shuffled_again() -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,))
    inside = next(one for one in table.state.batches if one.place == "device")
    happened(table, "shuffler_stopped")
    again = table.state.batch(inside.id)
    assert again is not None
    assert (again.progress, again.place, again.shuffled_at) == ("WAITING", "table", None)
    assert [one.kind for one in table.state.holds] == ["fault_latch"]
    assert table.entries[-1].event.clauses == ("NY-h-1",)


def test_facts_are_few_and_plain() -> None:
    command = p.RecordIrregularity(kind="shoe_short", facts={"a": {"b": 1}})
    says(in_play(), command, "OUT_OF_RANGE", "house", status=422)


STRANGE: list[Any] = [None, True, -1, 0, 10**9, "x", "7", [1, 2, 3], ["a"], [], [None]]


@pytest.mark.parametrize("strange", STRANGE, ids=repr)
def test_whatever_the_facts_are_the_answer_can_be_kept(strange: Any) -> None:
    names = (
        "who",
        "dealt",
        "dice",
        "announced",
        "flat",
        "device",
        "cards",
        "seat",
        "die_1",
        "found_this_round",
    )
    table = in_round(devices=(SHUFFLER,), batches=TWO_BATCHES)
    for kind in kinds(table):
        for name in names:
            answer = table.ask(p.RecordIrregularity(kind=kind, facts={name: strange}))
            for event in () if isinstance(answer, Refused) else answer:
                assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event


def test_the_seat_of_a_fact_is_one_of_the_table() -> None:
    command = p.RecordIrregularity(kind="player_card_exposed", facts={"seat": "9"})
    says(in_round(), command, "SEAT_OUT_OF_RANGE", "house", status=422)


@pytest.mark.parametrize("stage", ["SPREAD", "SHUFFLED"])
def test_a_shoe_is_too_short_only_while_it_is_in_play(stage: str) -> None:
    table = opened()
    if stage == "SHUFFLED":
        table.do(c.AttestThrough(to="SHUFFLED", arrival_seat=1))
    says(table, p.RecordIrregularity(kind="shoe_short"), "OUT_OF_SEQUENCE", "NY-h-5-1")
