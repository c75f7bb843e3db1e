"""Whole days of a table, from set-up to closing, in each place and each way of shuffling."""

from __future__ import annotations

from tables.domain import commands as c
from tables.domain import stages
from tables.domain.state import DeviceSpec
from tests.unit.floor_of_one import MANAGER, SHUFFLER, TWO_BATCHES, Table, in_play, opened, rules, set_up


def kinds(table: Table, since: int = 0) -> list[str]:
    return [type(entry.event).__name__ for entry in table.entries[since:]]


def walk(table: Table, *steps: tuple[c.Command, str]) -> None:
    for command, stage in steps:
        table.do(command)
        assert table.stage == stage, command


def test_new_york_by_hand_step_by_step() -> None:
    table = set_up()
    walk(
        table,
        (c.ReceiveCards(set_id="CS-1"), "CARDS_RECEIVED"),
        (c.InspectCards(), "CARDS_VERIFIED"),
        (c.OpenTable(), "CARDS_VERIFIED"),
        (c.RecordSpread(face="up"), "SPREAD"),
        (c.PlayerArrives(seat=3), "AWAIT_INSPECTION"),
        (c.AffordInspection(), "INSPECTED"),
        (c.TurnFaceDown(), "FACE_DOWN"),
        (c.RecordWash(), "WASHED"),
        (c.RecordShuffle(), "SHUFFLED"),
        (c.OfferCut(), "CUT_OFFERED"),
        (c.RecordCut(seat=3, depth=100), "CUT"),
        (c.InsertCoverCard(depth=60), "COVERED"),
        (c.LoadShoe(), "READY"),
        (c.AdvanceRounds(), "ACTIVE"),
        (c.AdvanceRounds(count=11), "ACTIVE"),
        (c.RecordCoverCardOut(on="seat", seat=3), "SHUFFLE_DUE"),
        (c.RecordShuffle(), "SHUFFLED"),
        (c.RecordCut(seat=3), "CUT"),
        (c.InsertCoverCard(), "COVERED"),
        (c.LoadShoe(), "READY"),
        (c.PlayersLeave(), "READY"),
        (c.RecordNoGamingActivity(), "IDLE_MUST_CLEAR"),
        (c.RemoveCards(sources=("shoe", "discard_rack")), "IDLE_MUST_SPREAD"),
        (c.RecordSpread(face="up"), "IDLE_SPREAD"),
        (c.CloseTable(), "CLOSING"),
        (c.TakeCardsAway(), "CLOSED"),
    )
    assert table.state.round == 12
    assert not table.state.holds
    assert not table.state.open
    assert table.state.card_set is None


def test_new_york_with_a_shuffler_and_two_batches() -> None:
    table = opened(batches=TWO_BATCHES, devices=(SHUFFLER,))
    walk(
        table,
        (c.RecordSpread(face="up", batches_separate=True), "SPREAD"),
        (c.PlayerArrives(seat=1), "AWAIT_INSPECTION"),
        (c.AffordInspection(), "INSPECTED"),
        (c.TurnFaceDown(batch="A"), "INSPECTED"),
        (c.RecordWash(batch="A"), "INSPECTED"),
        (c.LoadShuffler(batch="A"), "INSPECTED"),
        (c.CompleteShuffle(batch="A"), "INSPECTED"),
        (c.RemoveBatch(batch="A"), "INSPECTED"),
        (c.TurnFaceDown(batch="B"), "INSPECTED"),
        (c.RecordWash(batch="B"), "INSPECTED"),
        (c.LoadShuffler(batch="B"), "SHUFFLED"),
        (c.RecordCut(seat=1), "CUT"),
        (c.InsertCoverCard(), "COVERED"),
        (c.LoadShoe(), "READY"),
        (c.AdvanceRounds(count=9), "ACTIVE"),
        (c.CompleteShuffle(), "ACTIVE"),
        (c.RecordCoverCardOut(on="dealer"), "SHUFFLE_DUE"),
        (c.RemoveBatch(), "SHUFFLED"),
        (c.LoadShuffler(), "SHUFFLED"),
        (c.RecordCut(seat=1), "CUT"),
        (c.InsertCoverCard(), "COVERED"),
        (c.LoadShoe(), "READY"),
        (c.AdvanceRounds(), "ACTIVE"),
    )
    assert table.state.last_batch == "B"
    assert {one.id: one.place for one in table.state.batches} == {"A": "device", "B": "shoe"}


def test_pennsylvania_washes_before_it_stacks() -> None:
    table = opened("pa", "spanish_21")
    walk(
        table,
        (c.RecordSpread(), "SPREAD"),
        (c.PlayerArrives(seat=6), "AWAIT_INSPECTION"),
        (c.AffordInspection(), "INSPECTED"),
        (c.RecordWash(), "WASHED"),
        (c.StackCards(), "STACKED"),
        (c.RecordShuffle(), "SHUFFLED"),
        (c.RecordCut(seat=6, depth=10), "CUT"),
        (c.InsertCoverCard(depth=72), "COVERED"),
        (c.LoadShoe(), "READY"),
        (c.AdvanceRounds(), "ACTIVE"),
        (c.DirectReshuffle(), "SHUFFLE_DUE"),
        (c.RecordShuffle(), "SHUFFLED"),
    )


def test_pennsylvania_with_a_shuffler_takes_the_other_batch_and_a_player_may_ask_for_it_to_be_spread() -> (
    None
):
    table = in_play("pa", "spanish_21", batches=TWO_BATCHES, devices=(SHUFFLER,))
    table.do(c.CompleteShuffle(batch="B"), c.PlayersLeave())
    walk(
        table,
        (c.RecordNoGamingActivity(), "IDLE_MUST_CLEAR"),
        (c.RemoveCards(sources=("shoe", "discard_rack")), "IDLE_MUST_SPREAD"),
        (c.RecordSpread(face="down"), "IDLE_SPREAD"),
        (c.PlayerArrives(seat=2), "AWAIT_INSPECTION"),
        (c.AffordInspection(), "INSPECTED"),
        (c.StackCards(), "STACKED"),
        (c.LoadShuffler(batch="A"), "LOADED"),
        (c.RemoveBatch(batch="B"), "SHUFFLED"),
        (c.RequestReshuffle(seat=2), "REQUESTED_MUST_SPREAD"),
    )
    assert table.refused(c.AdvanceRounds()).code == "DEAL_BLOCKED_REINSPECTION_INCOMPLETE"
    walk(
        table,
        (c.RecordSpread(face="down"), "REQUESTED_MUST_RESHUFFLE"),
        (c.RecordShuffle(), "SHUFFLED"),
        (c.RecordCut(seat=2), "CUT"),
        (c.InsertCoverCard(), "COVERED"),
        (c.LoadShoe(), "READY"),
        (c.AdvanceRounds(), "ACTIVE"),
    )
    assert not table.state.holds


def test_a_request_made_while_the_batch_is_still_inside_is_kept() -> None:
    table = in_play("pa", "spanish_21", batches=TWO_BATCHES, devices=(SHUFFLER,))
    table.do(c.CompleteShuffle(batch="B"), c.RecordNoGamingActivity(), c.AttestThrough(to="STACKED"))
    table.do(c.LoadShuffler(batch="A"), c.RequestReshuffle(), c.RemoveBatch(batch="B"))
    assert table.stage == "REQUESTED_MUST_SPREAD"


def test_pennsylvania_with_an_empty_shuffler_uses_the_cards_that_went_in() -> None:
    table = opened("pa", "spanish_21", devices=(SHUFFLER,))
    table.do(c.AttestThrough(to="LOADED", arrival_seat=1))
    assert table.refused(c.RemoveBatch()).code == "SHUFFLE_DUE"
    table.do(c.CompleteShuffle(), c.RemoveBatch())
    assert table.stage == "SHUFFLED"


def test_a_device_that_reshuffles_and_counts_has_no_cut_and_no_idle_spread_in_pennsylvania() -> None:
    device = DeviceSpec(id="CD-1", kind="counting", approval_ref="461a.4", counts=True)
    table = opened("pa", "spanish_21", devices=(device,))
    walk(
        table,
        (c.LoadShuffler(), "LOADED"),
        (c.CompleteShuffle(), "READY"),
        (c.AdvanceRounds(), "ACTIVE"),
        (c.RecordNoGamingActivity(), "IDLE_NO_SPREAD_DUTY"),
        (c.AdvanceRounds(), "ACTIVE"),
    )
    for command in (
        c.OfferCut(),
        c.RecordCut(seat=None),
        c.InsertCoverCard(),
        c.RecordCoverCardOut(on="nobody"),
    ):
        assert table.refused(command).code == "NOT_APPLICABLE_COUNTING_DEVICE"


def test_losing_that_device_brings_the_idle_duty_back_at_once() -> None:
    device = DeviceSpec(id="CD-1", kind="counting", approval_ref="461a.4", counts=True)
    table = opened("pa", "spanish_21", devices=(device,))
    table.do(c.LoadShuffler(), c.CompleteShuffle(), c.AdvanceRounds(), c.RecordNoGamingActivity())
    table.do(c.DeclareOutOfOrder(device="CD-1", fault="jam"))
    assert table.stage == "IDLE_MUST_CLEAR"
    assert table.refused(c.AdvanceRounds()).code == "DEAL_BLOCKED_REINSPECTION_INCOMPLETE"
    table.do(c.RemoveCards(sources=("shoe", "discard_rack")), c.RecordSpread(face="down"))
    assert table.stage == "IDLE_SPREAD"


def test_new_york_continuous_shuffler_under_its_approval_has_no_cut_but_the_whole_idle_duty() -> None:
    device = DeviceSpec(id="CSM-1", kind="continuous", approval_ref="IC-7")
    table = opened(devices=(device,))
    table.do(c.AttestThrough(to="READY", arrival_seat=2))
    assert "CardsCut" not in kinds(table)
    table.do(c.AdvanceRounds(count=3), c.RecordNoGamingActivity())
    assert table.refused(c.RemoveCards(sources=("shoe", "discard_rack"))).code == "INCOMPLETE_REMOVAL"
    table.do(c.RemoveCards(sources=("shuffler", "shoe", "discard_rack")), c.RecordSpread(face="up"))
    assert table.stage == "AWAIT_INSPECTION"  # somebody sits here: the next stage is the look


def test_pre_shuffled_cards_go_straight_to_the_cut() -> None:
    table = set_up().do(c.ReceiveCards(set_id="CS-9", preshuffled=True, seal="S-1", receipt="R-1"))
    table.do(c.OpenTable(), c.PlayerArrives(seat=4))
    assert table.stage == "SHUFFLED"
    walk(table, (c.RecordCut(seat=4), "CUT"), (c.InsertCoverCard(), "COVERED"), (c.LoadShoe(), "READY"))


def test_pre_shuffled_cards_without_seal_and_receipt_are_not_taken() -> None:
    refused = set_up().refused(c.ReceiveCards(set_id="CS-9", preshuffled=True))
    assert (refused.code, refused.clause, set(refused.fields)) == (
        "TEXT_REQUIRED",
        "house",
        {"seal", "receipt"},
    )


def test_a_hand_dealt_game_is_cut_by_the_dealer_and_taken_in_hand() -> None:
    table = opened("ny", "three_card_poker", decks=1, rack_decks=1).do(
        c.AttestThrough(to="SHUFFLED", arrival_seat=1)
    )
    assert table.refused(c.OfferCut()).code == "CUT_NOT_OFFERED_IN_THIS_GAME"
    walk(table, (c.RecordCut(seat=None, depth=14), "CUT"), (c.TakeInHand(hand="left"), "READY"))


def test_a_hand_dealt_table_has_no_shoe_to_empty() -> None:
    table = in_play("ny", "three_card_poker", decks=1, rack_decks=1).do(c.RecordNoGamingActivity())
    walk(table, (c.RemoveCards(sources=("discard_rack",)), "IDLE_MUST_SPREAD"))


def test_a_game_without_cards_opens_plays_and_closes() -> None:
    table = set_up("ny", "roulette", decks=0, rack_decks=None, batches=())
    walk(table, (c.OpenTable(), "READY"), (c.AdvanceRounds(), "ACTIVE"), (c.CloseTable(), "CLOSED"))
    assert not table.state.is_dead_game


def test_new_jersey_follows_the_button_and_the_count() -> None:
    by_steps = rules("nj", "winners_pot_poker", house={"rounds_recorded_by": "steps"})
    table = opened(
        "nj",
        "winners_pot_poker",
        rules_=by_steps,
        decks=1,
        rack_decks=1,
        deal_mode="stacks",
        internal_controls_ref="IC-3",
    )
    table.do(c.AttestThrough(to="READY", arrival_seat=2), c.PlayerArrives(seat=5))
    assert table.refused(c.StartRound(button=2)).code == "WRONG_BUTTON"
    assert table.refused(c.StartRound(start=5)).code == "WRONG_START"
    for button, start in (("DEALER", 2), (2, 5), (5, "DEALER"), ("DEALER", 2), (2, 5)):
        table.do(c.StartRound(button=button, start=start), c.EndRound())
    assert table.state.round == 5
    assert table.refused(c.StartRound()).code == "COUNT_OVERDUE"
    table.do(c.RecordCount(cards=52), c.StartRound(), c.EndRound())
    assert table.refused(c.StartRound(antes=(2,), delivered=(5,))).code == "NO_ANTE"
    table.do(c.RecordCount(cards=51))
    refused = table.refused(c.StartRound())
    assert (refused.code, refused.clause) == ("DECK_MUST_BE_REMOVED", "NJ-g-2")
    table.do(c.ReplaceDeck(set_id="CS-2", reason="51 cards"))
    assert table.stage == "CARDS_VERIFIED"
    table.do(c.AttestThrough(to="READY"), c.StartRound())
    assert not table.state.holds


def test_a_shuffle_falls_due_after_the_round_that_is_open() -> None:
    table = in_play(rules_=rules(house={"rounds_recorded_by": "counter"})).do(c.StartRound())
    table.do(c.RecordCoverCardOut(on="dealer"))
    assert table.stage == "ACTIVE"
    table.do(c.EndRound())
    assert table.stage == "SHUFFLE_DUE"
    assert table.refused(c.StartRound()).code == "SHUFFLE_DUE"


def test_pennsylvania_directs_a_reshuffle_at_any_time_new_york_after_a_round() -> None:
    assert in_play().do(c.StartRound()).refused(c.DirectReshuffle()).code == "ROUND_IN_PROGRESS"
    table = in_play("pa", "spanish_21").do(c.StartRound(), c.DirectReshuffle())
    assert table.stage == "ACTIVE"
    assert table.do(c.EndRound()).stage == "SHUFFLE_DUE"


def test_a_table_that_closes_while_idle_owes_nothing_but_its_dice() -> None:
    table = in_play().do(c.RecordNoGamingActivity(), c.CloseTable())
    assert table.stage == stages.CLOSING
    assert not table.state.holds
    assert table.state.idle is None


def test_a_set_up_changes_only_while_the_table_is_closed() -> None:
    change = c.SetUpTable(number="12", game="blackjack", seats=5, decks=8, rack_decks=8)
    refused = in_play().refused(change, by=MANAGER)
    assert (refused.code, refused.clause) == ("TABLE_IS_OPEN", "NY-t")
    assert set_up().do(change, by=MANAGER).state.config.seats == 5
