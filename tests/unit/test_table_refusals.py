"""Each refusal: its code, the clause it stands under, and the next lawful step."""

from __future__ import annotations

import msgspec
import pytest

from pit.record.contract import By
from tables.domain import commands as c
from tables.domain.state import BatchSpec, DeviceSpec
from tests.unit.floor_of_one import (
    DEALER,
    FLOOR,
    MANAGER,
    SHUFFLER,
    SYSTEM,
    TWO_BATCHES,
    Table,
    in_play,
    opened,
    rules,
    set_up,
)

SOURCES = ("shoe", "discard_rack")


def says(
    table: Table, command: c.Command, code: str, clause: str, *, status: int = 409, by: By = FLOOR
) -> str:
    """The refusal is this one, and names the next step."""
    refused = table.refused(command, by=by)
    assert (refused.code, refused.clause, refused.status) == (code, clause, status)
    assert refused.cite
    return refused.next_step


def test_nothing_can_be_done_at_a_table_that_is_not_set_up() -> None:
    assert says(Table(rules()), c.OpenTable(), "TABLE_NOT_SET_UP", "pitstand") == "Set up the table"


@pytest.mark.parametrize(
    ("fields", "code", "clause", "status"),
    [
        ({"game": "whist"}, "UNKNOWN_GAME", "pitstand", 422),
        ({"seats": 99}, "OUT_OF_RANGE", "pitstand", 422),
        ({"seats": 0}, "OUT_OF_RANGE", "pitstand", 422),
        ({"decks": 3}, "OUT_OF_RANGE", "pitstand", 422),
        ({"decks": 4, "deal_mode": "hand"}, "HAND_DEAL_MAX_TWO_DECKS", "NY-e-1", 422),
        (
            {"batches": (TWO_BATCHES[0], BatchSpec(id="B", back="RED "))},
            "BATCH_COLORS_MUST_DIFFER",
            "NY-g-1",
            422,
        ),
    ],
)
def test_a_set_up_that_does_not_fit_is_refused(fields: dict, code: str, clause: str, status: int) -> None:
    given = {"number": "1", "game": "blackjack", "seats": 6, "decks": 6} | fields
    says(Table(rules()), c.SetUpTable(**given), code, clause, status=status, by=MANAGER)


def test_a_counting_device_needs_its_approval_and_both_functions() -> None:
    device = DeviceSpec(id="CD-1", kind="counting", counts=True)
    command = c.SetUpTable(number="1", game="spanish_21", seats=6, devices=(device,))
    says(
        Table(rules("pa", "spanish_21")),
        command,
        "COUNTING_DEVICE_NOT_APPROVED",
        "PA-h-1",
        status=422,
        by=MANAGER,
    )


def test_stacks_of_another_size_and_no_internal_controls_are_refused_in_new_jersey() -> None:
    table = Table(rules("nj", "winners_pot_poker"))
    command = c.SetUpTable(number="1", game="winners_pot_poker", seats=6, stack_size=5)
    refused = table.refused(command, by=MANAGER)
    assert [refused.code, *(one.code for one in refused.also)] == [
        "STACK_SIZE_MUST_BE_3",
        "INTERNAL_CONTROLS_REF_REQUIRED",
    ]


@pytest.mark.parametrize(
    ("fields", "code", "clause", "status"),
    [
        ({"drop_box": False}, "EQUIPMENT_MISSING", "NY-a-1-i", 409),
        ({"rack_decks": None}, "EQUIPMENT_MISSING", "NY-a-1-iii", 409),
        ({"tip_box_side": "players"}, "TIP_BOX_SIDE", "NY-a-1-ii", 422),
        ({"rack_decks": 8}, "DISCARD_RACK_HEIGHT", "NY-a-1-iii-h", 409),
        ({"rack_decks": 8, "rack_mark_decks": 4}, "DISCARD_RACK_HEIGHT", "NY-a-1-iii-m", 409),
        ({"rack_decks": 4, "rack_mark_decks": 6}, "DISCARD_RACK_HEIGHT", "NY-a-1-iii-h", 409),
    ],
)
def test_a_table_opens_only_with_its_equipment(fields: dict, code: str, clause: str, status: int) -> None:
    table = set_up(**fields).do(c.ReceiveCards(set_id="CS-1"), c.InspectCards())
    says(table, c.OpenTable(), code, clause, status=status)


def test_a_taller_rack_that_is_marked_for_this_shoe_will_do() -> None:
    table = set_up(rack_decks=8, rack_mark_decks=6).do(
        c.ReceiveCards(set_id="CS-1"), c.InspectCards(), c.OpenTable()
    )
    assert table.state.open


def test_cards_are_inspected_by_the_dealer_and_verified_by_another_person() -> None:
    table = set_up().do(c.ReceiveCards(set_id="CS-1"))
    says(table, c.OpenTable(), "INSPECTION_INCOMPLETE", "NY-b-1")
    alone = msgspec.structs.replace(FLOOR, second=None)
    says(table, c.InspectCards(), "SECOND_PERSON_REQUIRED", "house", status=403, by=alone)
    twice = msgspec.structs.replace(FLOOR, second=msgspec.structs.replace(FLOOR, second=None))
    says(table, c.InspectCards(), "SAME_PERSON_TWICE", "house", status=403, by=twice)
    unsigned = msgspec.structs.replace(FLOOR, signed=False)
    says(table, c.InspectCards(), "SIGNATURE_REQUIRED", "house", status=403, by=unsigned)
    held = table.do(c.InspectCards()).state.card_set
    assert (held.inspected_by, held.verified_by) == ("Dana Dealer", "Fay Floor")


@pytest.mark.parametrize("role", ["surveillance", "commission_staff", "security", "player", ""])
def test_who_stands_outside_the_ladder_records_nothing(role: str) -> None:
    says(in_play(), c.PlayersLeave(), "ROLE_NOT_PERMITTED", "house", status=403, by=By(name="X", role=role))


def test_only_the_clock_says_what_is_due() -> None:
    table = in_play().do(c.PlayersLeave()).wait(minutes=21)
    says(table, c.SayDue(kind="idle_reminder"), "ROLE_NOT_PERMITTED", "house", status=403)
    says(table, c.SayDue(kind="tea"), "NOTHING_DUE", "pitstand", by=SYSTEM)


def test_before_the_look_nothing_further_is_done() -> None:
    table = opened().do(c.RecordSpread())
    for command in (c.TurnFaceDown(), c.RecordWash(), c.RecordShuffle()):
        says(table, command, "INSPECTION_NOT_YET_AFFORDED", "NY-b-3-0")
    assert says(table, c.AffordInspection(), "OUT_OF_SEQUENCE", "NY-b-3-0") == "Player arrives"


def test_washing_comes_before_shuffling() -> None:
    table = opened().do(c.AttestThrough(to="FACE_DOWN", arrival_seat=1))
    assert says(table, c.RecordShuffle(), "OUT_OF_SEQUENCE", "NY-b-3-i") == "Wash the cards"


def test_new_york_spreads_face_up_and_pennsylvania_only_when_asked() -> None:
    says(opened(), c.RecordSpread(face="down"), "MUST_BE_FACE_UP", "NY-b-2-1")
    table = in_play("pa", "spanish_21").do(
        c.PlayersLeave(), c.RecordNoGamingActivity(), c.RemoveCards(sources=SOURCES)
    )
    says(table, c.RecordSpread(face="up"), "FACE_UP_ONLY_ON_PLAYER_REQUEST", "PA-g-0-1")
    table.do(c.RequestFaceUp())
    says(table, c.RecordSpread(face="down"), "MUST_BE_FACE_UP", "PA-g-0-1")
    assert table.do(c.RecordSpread(face="up")).stage == "IDLE_SPREAD"


def test_a_player_who_asks_for_face_up_after_the_spread_is_heard() -> None:
    table = in_play("pa", "spanish_21").do(c.RecordNoGamingActivity(), c.RemoveCards(sources=SOURCES))
    table.do(c.RecordSpread(face="down"), c.RequestFaceUp(seat=3))
    assert says(table, c.AffordInspection(), "MUST_BE_FACE_UP", "PA-g-0-1") == "Spread face up"
    assert table.do(c.RecordSpread(face="up"), c.AffordInspection()).stage == "INSPECTED"


def test_all_cards_come_out_of_a_dead_game() -> None:
    table = in_play().do(c.PlayersLeave(), c.RecordNoGamingActivity())
    refused = table.refused(c.RemoveCards(sources=("shoe",)))
    assert (refused.code, refused.clause) == ("INCOMPLETE_REMOVAL", "NY-b-11-1")
    assert "discard rack" in refused.message


def test_a_dead_game_is_not_dealt_before_all_is_repeated() -> None:
    table = in_play().do(c.PlayersLeave(), c.RecordNoGamingActivity(), c.PlayerArrives(seat=2))
    for command in (c.AdvanceRounds(), c.StartRound()):
        says(table, command, "DEAL_BLOCKED_REINSPECTION_INCOMPLETE", "NY-b-11-2")
    for stage in ("INSPECTED", "WASHED", "SHUFFLED", "CUT", "COVERED"):
        table.do(c.AttestThrough(to=stage))
        says(table, c.AdvanceRounds(), "DEAL_BLOCKED_REINSPECTION_INCOMPLETE", "NY-b-11-2")
    table.do(c.LoadShoe(), c.AdvanceRounds())
    assert not table.state.holds


def test_idle_recorded_in_error_is_withdrawn_by_a_supervisor_with_a_reason() -> None:
    table = in_play().do(c.RecordNoGamingActivity())
    assert table.refused(c.WithdrawIdle(reason=" ")).code == "TEXT_REQUIRED"
    assert table.refused(c.WithdrawIdle(reason="x"), by=DEALER).code == "ROLE_NOT_PERMITTED"
    assert table.do(c.WithdrawIdle(reason="wrong table")).stage == "ACTIVE"
    assert not table.state.holds


def test_a_shuffle_that_was_due_before_a_withdrawn_idle_is_still_due() -> None:
    table = in_play().do(
        c.DirectReshuffle(), c.RecordNoGamingActivity(), c.WithdrawIdle(reason="wrong table")
    )
    says(table, c.AdvanceRounds(), "SHUFFLE_DUE", "NY-b-10-1")


def test_two_batches_are_spread_apart_and_handled_one_by_one() -> None:
    table = opened(batches=TWO_BATCHES, devices=(SHUFFLER,))
    says(table, c.RecordSpread(), "BATCHES_MUST_BE_SPREAD_SEPARATELY", "NY-b-3-ii-1")
    table.do(c.AttestThrough(to="INSPECTED", arrival_seat=1))
    says(table, c.TurnFaceDown(), "ONE_BATCH_AT_A_TIME", "NY-b-3-ii-2", status=422)
    says(table, c.TurnFaceDown(batch="C"), "UNKNOWN_BATCH", "NY-g-0", status=422)
    table.do(c.TurnFaceDown(batch="A"))
    says(table, c.LoadShuffler(batch="A"), "OUT_OF_SEQUENCE", "NY-b-3-ii-2")
    table.do(
        c.RecordWash(batch="A"), c.LoadShuffler(batch="A"), c.TurnFaceDown(batch="B"), c.RecordWash(batch="B")
    )
    step = says(table, c.LoadShuffler(batch="B"), "SHUFFLER_HOLDS_THE_OTHER_BATCH", "NY-b-3-ii-2")
    assert step == "Take batch A out first"
    says(table, c.RemoveBatch(batch="A"), "SHUFFLE_DUE", "NY-h-1")


def test_a_shuffler_needs_two_batches_in_new_york() -> None:
    says(
        set_up(devices=(SHUFFLER,)),
        c.ReceiveCards(set_id="CS-1"),
        "TWO_BATCHES_REQUIRED",
        "NY-g-1",
        status=422,
    )


def test_the_used_batch_leaves_the_rack_before_the_other_is_loaded() -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,)).do(
        c.CompleteShuffle(batch="B"), c.DirectReshuffle()
    )
    table.do(c.RemoveBatch(batch="B"), c.RecordCut(seat=3), c.InsertCoverCard())
    assert (
        says(table, c.LoadShoe(), "BATCHES_WOULD_INTERMIX", "NY-g-4") == "Put the used batch in the shuffler"
    )
    assert table.do(c.LoadShuffler(batch="A"), c.LoadShoe()).stage == "READY"


def test_the_batch_that_was_in_play_last_does_not_come_again() -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,)).do(
        c.CompleteShuffle(batch="B"), c.DirectReshuffle()
    )
    table.do(c.RemoveBatch(batch="B"), c.LoadShuffler(batch="A"), c.CompleteShuffle(batch="A"))
    table.do(c.AttestThrough(to="READY"), c.AdvanceRounds(), c.DirectReshuffle(), c.RemoveBatch(batch="A"))
    table.do(
        c.LoadShuffler(batch="B"), c.CompleteShuffle(batch="B"), c.RecordCut(seat=3), c.InsertCoverCard()
    )
    table.do(c.LoadShoe(), c.AdvanceRounds(), c.DirectReshuffle())
    assert table.state.last_batch == "A"
    assert table.do(c.RemoveBatch(batch="B")).state.next_batch == "B"


@pytest.mark.parametrize("act", [c.CoverDevice(device="SH-1"), c.SignDevice(device="SH-1")])
def test_a_failed_shuffler_is_covered_or_signed_before_another_method(act: c.Command) -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,)).do(c.DirectReshuffle())
    table.do(c.DeclareOutOfOrder(device="SH-1", fault="jam"))
    assert [one.kind for one in table.state.holds] == ["shuffle_due", "cover_or_sign"]
    says(table, c.LoadShuffler(batch="A"), "DEVICE_OUT_OF_ORDER", "NY-h-2")
    step = says(table, c.RecordShuffle(), "COVER_OR_SIGN_FIRST", "NY-h-2")
    assert step == "Cover the device or put the sign on it"
    assert table.do(act, c.RecordShuffle()).stage == "SHUFFLED"
    assert not table.state.holds


def test_a_device_returns_with_its_repair_and_a_signature() -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,))
    says(table, c.CoverDevice(device="SH-1"), "DEVICE_IS_WORKING", "NY-h-2")
    says(table, c.CoverDevice(device="SH-9"), "UNKNOWN_DEVICE", "NY-h-2", status=422)
    table.do(c.DeclareOutOfOrder(device="SH-1"), c.CoverDevice(device="SH-1"))
    assert table.refused(c.ReturnDevice(device="SH-1", repair="belt"), by=DEALER).code == "ROLE_NOT_PERMITTED"
    says(table, c.ReturnDevice(device="SH-1", repair="belt"), "DEVICE_NOT_EMPTIED", "house")
    table.do(c.COMMANDS["EmptyDevice"](device="SH-1"))
    says(table, c.ReturnDevice(device="SH-1", repair="belt"), "DEVICE_NOT_TESTED", "house")
    table.do(c.COMMANDS["TestDevice"](device="SH-1"))
    device = table.do(c.ReturnDevice(device="SH-1", repair="belt")).state.device("SH-1")
    assert (device.failed, device.fixed_at, device.covered_at) == (False, table.now, None)


def test_seats_are_those_of_the_layout_and_hold_one_player() -> None:
    table = in_play()
    for seat in (0, 7, -1):
        says(table, c.PlayerArrives(seat=seat), "SEAT_OUT_OF_RANGE", "house", status=422)
    says(table, c.PlayerArrives(seat=3), "SEAT_TAKEN_TWICE", "house")
    says(table, c.PlayerLeaves(seat=4), "SEAT_IS_EMPTY", "house")
    says(table, c.PlayerArrives(seat=4, token="P9"), "UNKNOWN_PLAYER", "house", status=422)


def test_rounds_are_counted_within_reason() -> None:
    for count in (0, -1, 1_001):
        says(in_play(), c.AdvanceRounds(count=count), "OUT_OF_RANGE", "house", status=422)


def test_a_house_that_records_rounds_by_steps_does_not_only_count_them() -> None:
    table = in_play().do()
    table.rules = rules(house={"rounds_recorded_by": "steps"})
    assert says(table, c.AdvanceRounds(), "ROUNDS_ARE_RECORDED_BY_STEPS", "house") == "Start the round"


def test_a_house_may_ask_for_a_burn_after_loading() -> None:
    table = opened(rules_=rules(house={"burn_after_loading": True})).do(
        c.AttestThrough(to="READY", arrival_seat=1)
    )
    says(table, c.AdvanceRounds(), "BURN_FIRST", "house")
    assert table.do(c.RecordBurn(), c.AdvanceRounds()).stage == "ACTIVE"


def test_several_reasons_are_told_at_once_rank_before_malformed_before_rule() -> None:
    refused = in_play().refused(c.OrderRecut(ground="player_asked", option=None), by=DEALER)
    assert [refused.code, *(one.code for one in refused.also)] == [
        "ROLE_NOT_PERMITTED",
        "DETERMINATION_REQUIRED",
        "RECUT_OPTION_REQUIRED",
        "WINDOW_CLOSED",
    ]


def test_where_the_text_does_not_govern_the_game_a_refusal_is_the_houses() -> None:
    table = opened("pa", "blackjack").do(c.RecordSpread())
    says(table, c.RecordWash(), "INSPECTION_NOT_YET_AFFORDED", "house")


def test_house_procedure_that_does_not_bind_is_only_recorded() -> None:
    table = opened("pa", "blackjack", rules_=rules("pa", "blackjack", house={"house_procedure_binds": False}))
    assert table.do(c.RecordShuffle()).stage == "SHUFFLED"
    governed = opened(
        "pa", "spanish_21", rules_=rules("pa", "spanish_21", house={"house_procedure_binds": False})
    )
    assert governed.refused(c.RecordShuffle()).code == "OUT_OF_SEQUENCE"
