"""Dice, reminders and card sets: what falls due, what is said, and who hears of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pit.record.contract import Due
from tables.domain import commands as c
from tables.domain import holding
from tables.domain.deadlines import deadlines, due_command
from tables.domain.messages import messages
from tests.unit.floor_of_one import DEALER, NOON, SYSTEM, Table, in_play, rules, set_up


def shaker_table(**house: object) -> Table:
    table = set_up(
        "ny",
        "pai_gow_tiles",
        rules_=rules("ny", "pai_gow_tiles", house=house),
        decks=0,
        batches=(),
        shaker="SHK-1",
    )
    return table.do(c.OpenTable(), c.PlaceDice(set_id="DS-7", responsible="Dana Dealer"))


def due(table: Table) -> dict[str, Due]:
    return {one.kind: one for one in deadlines(table.state, table.rules)}


def test_dice_have_two_warnings_and_a_last_instant() -> None:
    found = due(shaker_table())
    assert {kind: one.due_at - NOON for kind, one in found.items()} == {
        "dice_warning:DS-7:120": timedelta(hours=22),
        "dice_warning:DS-7:30": timedelta(hours=23, minutes=30),
        "dice_over:DS-7": timedelta(hours=24),
    }
    assert found["dice_over:DS-7"].clause == "NY-c-1-x"
    assert found["dice_warning:DS-7:30"].clause == "house"


def test_exactly_24_hours_is_lawful_and_a_second_more_is_not() -> None:
    table = shaker_table().wait(hours=24)
    table.do(c.AdvanceRounds()).wait(seconds=1)
    refused = table.refused(c.AdvanceRounds())
    assert (refused.code, refused.clause, refused.next_step) == (
        "DICE_OVER_24H",
        "NY-c-1-x",
        "Remove the dice",
    )
    assert [hold.kind for hold in holding.at(table.state, table.rules, now=table.now)] == ["dice_over"]
    assert table.do(c.RemoveDice(set_id="DS-7"), c.AdvanceRounds()).stage == "ACTIVE"


def test_dice_that_come_back_without_a_new_inspection_keep_their_clock() -> None:
    table = shaker_table().wait(hours=20).do(c.RemoveDice(set_id="DS-7")).wait(hours=2)
    assert table.do(c.PlaceDice(set_id="DS-7")).state.dice[0].placed_at == NOON
    table.do(c.RemoveDice(set_id="DS-7"), c.PlaceDice(set_id="DS-7", reinspected=True))
    assert table.state.dice[0].placed_at == table.now


def test_dice_from_another_table_bring_their_clock_along() -> None:
    began = NOON - timedelta(hours=5)
    table = shaker_table().do(c.PlaceDice(set_id="DS-8", first_placed_at=began))
    assert table.state.dice_set("DS-8").due_at == began + timedelta(hours=24)
    refused = table.refused(c.PlaceDice(set_id="DS-9", first_placed_at=NOON + timedelta(hours=1)))
    assert refused.status == 422


def test_closing_the_table_does_not_stop_the_clock_of_the_dice() -> None:
    assert "dice_over:DS-7" in due(shaker_table().do(c.CloseTable()))


def test_thrown_dice_have_a_clock_only_where_the_house_sets_one() -> None:
    def craps(**house: object) -> Table:
        table = set_up("ny", "craps", rules_=rules("ny", "craps", house=house), decks=0, batches=())
        return table.do(c.OpenTable(), c.PlaceDice(set_id="DS-1", number=5))

    assert craps().state.dice[0].due_at is None
    assert craps(craps_dice_hours=8).state.dice[0].due_at == NOON + timedelta(hours=8)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.PlaceDice(set_id="DS-8", number=2), "THREE_DICE_REQUIRED"),
        (c.PlaceDice(set_id="DS-7"), "DICE_ALREADY_HERE"),
        (c.PlaceDice(set_id="no good!"), "OUT_OF_RANGE"),
        (c.RemoveDice(set_id="DS-9"), "UNKNOWN_DICE"),
        (c.HandOverDice(set_id="DS-7", to=" "), "TEXT_REQUIRED"),
    ],
)
def test_dice_that_do_not_fit_are_refused(command: c.Command, code: str) -> None:
    assert shaker_table().refused(command).code == code


def test_dice_without_a_shaker_are_refused_where_the_game_has_one() -> None:
    table = set_up("ny", "pai_gow_tiles", decks=0, batches=()).do(c.OpenTable())
    assert table.refused(c.PlaceDice(set_id="DS-1")).code == "DICE_WITHOUT_SHAKER"


def test_a_dealer_does_not_leave_dice_unattended() -> None:
    table = shaker_table()
    for command in (c.RelieveDealer(), c.RelieveDealer(to="Dora"), c.RelieveDealer(dice_accepted=True)):
        refused = table.refused(command)
        assert (refused.code, refused.clause) == ("DICE_WOULD_BE_UNATTENDED", "NY-c-1-ix")
    table.do(c.RelieveDealer(to="Dora", dice_accepted=True))
    assert (table.state.dealer, table.state.dice[0].responsible) == ("Dora", "Dora")


def test_a_dead_game_is_reminded_of_and_the_reminder_changes_nothing_by_itself() -> None:
    table = in_play().wait(minutes=5).do(c.PlayersLeave())
    assert due(table)["idle_reminder"].due_at == table.now + timedelta(minutes=20)
    before = table.wait(minutes=20).state
    table.do(c.SayDue(kind="idle_reminder"), by=SYSTEM)
    assert table.stage == before.stage
    assert [alert.kind for alert in table.state.alerts] == ["idle_reminder"]
    table.do(c.PlayerArrives(seat=1))
    assert not table.state.alerts
    assert "idle_reminder" not in due(table)


def test_nothing_is_said_before_it_is_due_or_when_it_is_over() -> None:
    table = in_play().do(c.PlayersLeave())
    assert table.refused(c.SayDue(kind="idle_reminder"), by=SYSTEM).code == "NOTHING_DUE"
    reminder = due(table)["idle_reminder"]
    assert due_command(table.state, reminder) == c.SayDue(kind="idle_reminder")
    assert due_command(table.do(c.PlayerArrives(seat=1)).state, reminder) is None


def test_a_house_may_turn_the_reminder_off() -> None:
    table = in_play(rules_=rules(house={"idle_reminder_minutes": 0, "dice_warning_minutes": "nonsense"})).do(
        c.PlayersLeave()
    )
    assert "idle_reminder" not in due(table)


def test_a_card_set_has_its_life() -> None:
    table = in_play()
    assert due(table)["card_set_life"].due_at == NOON + timedelta(hours=24)
    table.wait(hours=24).do(c.SayDue(kind="card_set_life"), by=SYSTEM)
    table.do(c.ReplaceDeck(set_id="CS-2", reason="card change"))
    assert not table.state.alerts


def test_those_who_must_hear_of_it_get_a_message() -> None:
    table = shaker_table().wait(hours=24).do(c.SayDue(kind="dice_over:DS-7"), by=SYSTEM)
    (sent,) = messages(table.state, table.entries[-1:], table.rules)
    assert (sent.notification, sent.to, sent.clause) == (
        "dice_over_time",
        ("pit_manager", "surveillance"),
        "NY-c-1-x",
    )
    assert "5324.2(c)(1)(x)" in sent.body
    assert messages(table.state, table.entries[:2], table.rules) == ()
    assert DEALER.name not in sent.body


def test_signatures_for_received_cards_fall_due_after_the_houses_minutes() -> None:
    table = set_up().do(c.ReceiveCards(set_id="CS-1"))
    assert due(table)["signature_due"].due_at == NOON + timedelta(minutes=15)
    table.wait(minutes=15).do(c.SayDue(kind="signature_due"), by=SYSTEM)
    assert [alert.kind for alert in table.state.alerts] == ["signature_due"]
    (sent,) = messages(table.state, table.entries[-1:], table.rules)
    assert sent.to == ("floorperson", "pit_manager")
    table.do(c.InspectCards())
    assert not table.state.alerts
    assert "signature_due" not in due(table)
