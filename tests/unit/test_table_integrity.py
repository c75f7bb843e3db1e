"""Card integrity: what real cases would have needed (K1–K9, K11, K16–K18), each as the press that was refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from tables.domain import commands as c
from tables.domain import commands_integrity as i
from tables.domain.exposure import exposure
from tables.domain.kind import KIND
from tables.domain.needing import needs
from tests.unit.floor_of_one import (
    DEALER,
    FLOOR,
    SHUFFLER,
    TWO_BATCHES,
    Table,
    in_play,
    opened,
    rules,
    set_up,
)
from tests.unit.test_table_refusals import says


def with_shuffler(**fields: Any) -> Table:
    return in_play(batches=TWO_BATCHES, devices=(SHUFFLER,), **fields)


def fault(table: Table, code: str, **fields: Any) -> Table:
    return table.do(i.ReportFault(device="SH-1", code=code, **fields))


def test_cards_put_in_a_shuffler_that_never_ran_are_not_dealt() -> None:
    table = with_shuffler().do(c.RecordCoverCardOut(on="dealer"))
    table.do(c.CompleteShuffle(batch="B"), c.RemoveBatch(batch="B"))
    used = table.state.last_batch
    table.do(c.LoadShuffler(batch=used, cycles=41))
    says(table, c.RemoveBatch(batch=used), "SHUFFLE_DUE", "NY-h-1")
    says(table, c.CompleteShuffle(batch=used, cycles=41), "NOT_CYCLED", "house")
    says(table, c.CompleteShuffle(batch=used, mode="sort", cycles=42), "WRONG_MODE", "house")
    table.do(c.CompleteShuffle(batch=used, mode="shuffle", cycles=42))


def test_no_card_is_dealt_of_a_batch_without_a_finished_shuffle_even_where_order_is_only_recorded() -> None:
    table = with_shuffler()
    batches = tuple(msgspec.structs.replace(one, shuffled_at=None) for one in table.state.batches)
    table.state = msgspec.structs.replace(table.state, batches=batches)
    says(table, c.AdvanceRounds(), "SHUFFLE_DUE", "NY-b-3-i")


def test_a_warning_holds_the_table_until_count_or_reshuffle_and_a_signed_reason() -> None:
    table = fault(with_shuffler(), "SHUF_CARD_UNREAD")
    assert "HOLD_BLOCKS" in {one.code for one in _all(table.refused(c.AdvanceRounds()))}
    release = i.ReleaseFault(device="SH-1", code="SHUF_CARD_UNREAD", reason="counted, all there")
    says(table, release, "COUNT_OR_RESHUFFLE_FIRST", "house")
    table.do(i.ClearFault(device="SH-1", code="SHUF_CARD_UNREAD"))
    assert any(one.kind == "fault_latch" for one in table.state.holds), (
        "the device's own all-clear lifts nothing"
    )
    table.do(c.RecordCount(cards=312))
    unsigned = msgspec.structs.replace(FLOOR, signed=False)
    says(table, release, "SIGNATURE_REQUIRED", "house", by=unsigned, status=403)
    says(table, msgspec.structs.replace(release, reason=" "), "TEXT_REQUIRED", "house", status=422)
    table.do(release).do(c.AdvanceRounds())
    assert not table.state.faults


def _all(refused: Any) -> tuple[Any, ...]:
    return (refused, *refused.also)


def test_the_same_fault_again_opens_no_second_hold() -> None:
    table = fault(fault(with_shuffler(), "SHUF_JAM"), "SHUF_JAM")
    assert len(table.state.faults) == len(table.state.holds) == 1


def test_a_fault_without_a_hold_warns_and_goes_by_itself() -> None:
    table = fault(with_shuffler(), "GATEWAY_SILENT")
    assert [one.kind for one in table.state.alerts] == ["fault"]
    table.do(c.AdvanceRounds(), i.ClearFault(device="SH-1", code="GATEWAY_SILENT"))
    assert not table.state.alerts
    says(table, i.ClearFault(device="SH-1", code="GATEWAY_SILENT"), "NOTHING_OPEN", "house")
    says(table, i.ReportFault(device="SH-1", code="TEA"), "UNKNOWN_FAULT", "house", status=422)


def test_a_batch_in_play_that_was_not_shuffled_is_shuffled_now_and_shows_since_when() -> None:
    table = with_shuffler().wait(hours=3, minutes=30).do(c.AdvanceRounds(count=120))
    good = exposure(table.state, now=table.now)
    fault(table, "SHUF_NOT_CYCLED", batch=table.state.next_batch)
    assert table.stage == "SHUFFLE_DUE"
    found = table.entries[-1].event.exposure
    assert (found.minutes, found.rounds, found.by) == (210, 121, "shuffle")
    assert found == good
    shown = [one for one in needs(table.state, table.rules) if one.exposure is not None]
    assert shown[0].exposure == found


def test_the_window_ends_at_the_last_right_count_and_names_the_dealers() -> None:
    table = in_play().wait(minutes=10).do(c.RelieveDealer(to="Ann")).wait(minutes=30)
    table.do(c.RecordCount(cards=312)).wait(minutes=20).do(c.RelieveDealer(to="Ben"))
    table.do(c.AdvanceRounds(count=7)).wait(minutes=38)
    found = exposure(table.state, now=table.now)
    assert (found.minutes, found.rounds, found.by, found.people) == (58, 7, "count", ("Ann", "Ben"))


def test_after_a_spill_nothing_is_dealt_before_a_right_count() -> None:
    table = in_play().do(i.RecordSpill(detail="floor"))
    assert "HOLD_BLOCKS" in {one.code for one in _all(table.refused(c.AdvanceRounds()))}
    table.do(c.RecordCount(cards=311))
    assert {one.kind for one in table.state.holds} == {"count_due", "count_wrong"}
    table.do(c.RecordCount(cards=312)).do(c.AdvanceRounds())


def test_in_new_jersey_a_wrong_count_takes_the_deck_off_the_table_for_good() -> None:
    table = in_play("nj", "winners_pot_poker", decks=1, rack_decks=1, internal_controls_ref="IC")
    table.do(c.RecordCount(cards=51)).do(c.RecordCount(cards=52))
    assert "DECK_MUST_BE_REMOVED" in {one.code for one in _all(table.refused(c.AdvanceRounds()))}


def test_the_house_counts_every_so_many_rounds() -> None:
    table = in_play(rules_=rules(house={"count_every_rounds": 10})).do(c.AdvanceRounds(count=9))
    says(table, c.AdvanceRounds(), "COUNT_OVERDUE", "house")
    table.do(c.RecordCount(cards=312), c.AdvanceRounds(count=10))


def test_cards_are_counted_before_they_leave_a_closed_table() -> None:
    table = in_play(rules_=rules(house={"count_at_close": True})).do(c.CloseTable())
    says(table, c.TakeCardsAway(), "COUNT_REQUIRED", "house")
    table.do(c.RecordCount(cards=312), c.TakeCardsAway(handed_to="Sue Security"))


def test_another_shuffler_comes_only_when_the_old_one_is_empty_and_the_cards_are_counted() -> None:
    table = with_shuffler()
    new = msgspec.structs.replace(SHUFFLER, id="SH-2")
    says(table, i.SwapDevice(device=new, replaces="SH-1"), "DEVICE_NOT_EMPTIED", "house")
    table.do(c.DeclareOutOfOrder(device="SH-1"), i.EmptyDevice(device="SH-1"))
    table.do(i.SwapDevice(device=new, replaces="SH-1"))
    assert [one.id for one in table.state.devices] == ["SH-2"]
    assert [one.detail for one in table.state.holds] == ["device exchanged"]
    table.do(c.RecordCount(cards=312), c.AdvanceRounds())


def test_cards_found_in_a_device_that_was_taken_out_of_service_are_reconciled() -> None:
    table = with_shuffler().do(c.DeclareOutOfOrder(device="SH-1"), c.CoverDevice(device="SH-1"))
    assert not any(one.place == "device" for one in table.state.batches)
    table.wait(minutes=90).do(i.EmptyDevice(device="SH-1", cards=16))
    assert table.entries[-1].event.count
    assert table.entries[-1].event.exposure.minutes == 90
    assert "HOLD_BLOCKS" in {one.code for one in _all(table.refused(c.AdvanceRounds()))}


def test_a_card_of_the_other_colour_does_not_go_into_the_batch() -> None:
    table = with_shuffler().do(c.RecordCoverCardOut(on="dealer"))
    used = table.state.batch(table.state.last_batch)
    other = next(one for one in table.state.batches if one != used)
    assert used is not None
    table.do(c.CompleteShuffle(batch=other.id), c.RemoveBatch(batch=other.id))
    says(table, c.LoadShuffler(batch=used.id, back=other.back), "WRONG_BATCH", "NY-g-1")
    table.do(c.LoadShuffler(batch=used.id, back=used.back.upper()))


def test_a_replacement_is_exactly_the_card_by_two_people_and_then_counted() -> None:
    table = in_play().wait(minutes=73).do(c.AdvanceRounds(count=146))
    table.do(i.ReportCard(finding="missing", rank="Q", suit="diamonds"))
    assert table.entries[-1].event.exposure.rounds == 147
    wrong = i.ReplaceCard(rank="J", suit="diamonds", back="red")
    says(table, wrong, "WRONG_CARD", "house")
    right = i.ReplaceCard(rank="Q", suit="diamonds", back="red")
    alone = msgspec.structs.replace(FLOOR, second=None)
    says(table, right, "SECOND_PERSON_REQUIRED", "house", by=alone, status=403)
    table.do(right)
    assert [one.kind for one in table.state.holds] == ["count_due"]
    table.do(c.RecordCount(cards=312), c.AdvanceRounds())
    assert not table.state.bad_cards


def test_the_commission_hears_of_an_unsuitable_card_at_once() -> None:
    table = in_play().do(i.ReportCard(finding="marked", rank="A", suit="spades"))
    sent = KIND.messages(table.state, table.entries[-1:], table.rules)
    assert sent[0].notification == "unsuitable_card"
    assert "commission_staff" in sent[0].to


def test_a_pre_shuffled_set_in_factory_order_never_comes_into_play() -> None:
    table = set_up(rules_=rules(house={"preshuffled_sample": True}))
    table.do(c.ReceiveCards(set_id="CS-9", preshuffled=True, seal="S1", receipt="R1"))
    says(table, c.OpenTable(), "SAMPLE_FIRST", "house")
    table.do(i.SampleCards(cards=52, in_order=True))
    says(table, c.OpenTable(), "SAMPLE_FIRST", "house")
    assert [one.kind for one in table.state.holds] == ["set_in_order"]


def test_a_lot_that_is_not_registered_comes_to_no_table() -> None:
    table = set_up()
    says(table, c.ReceiveCards(set_id="CS-X", registered=False), "NOT_REGISTERED", "house")
    table.do(c.ReceiveCards(set_id="CS-1", registered=True))
    dice = set_up("ny", "pai_gow_poker", decks=1, rack_decks=1, shaker="SHK-1")
    says(dice, c.PlaceDice(set_id="DS-X", registered=False), "NOT_REGISTERED", "house")


def test_whoever_hands_cards_over_does_not_inspect_them() -> None:
    table = set_up().do(c.ReceiveCards(set_id="CS-1", handed_by="Fay Floor"))
    says(table, c.InspectCards(), "SEPARATION_OF_DUTIES", "house")
    table.do(c.InspectCards(), by=msgspec.structs.replace(FLOOR, id=9, name="Flo Floor"))


def test_the_houses_checklists_are_ticked_before_a_close_and_a_relief() -> None:
    house = {"closing_checks": "well, rack", "relief_checks": "tray"}
    table = in_play(rules_=rules(house=house))
    says(table, c.RelieveDealer(to="Ann"), "CHECKLIST_INCOMPLETE", "house")
    table.do(c.RelieveDealer(to="Ann", checks=("tray",)))
    says(table, c.CloseTable(checks=("well",)), "CHECKLIST_INCOMPLETE", "house")
    table.do(c.CloseTable(checks=("rack", "well")))


def test_a_card_is_burned_for_a_new_dealer_where_the_house_says_so() -> None:
    table = in_play(rules_=rules(house={"burn_at_dealer_change": True})).do(c.RelieveDealer(to="Ann"))
    says(table, c.AdvanceRounds(), "BURN_FIRST", "house")
    table.do(c.RecordBurn(), c.AdvanceRounds())
    says(table, c.RecordBurn(), "OUT_OF_SEQUENCE", "house")


def test_without_a_shuffler_in_use_an_idle_table_in_pennsylvania_washes_its_cards() -> None:
    table = in_play("pa", "spanish_21", batches=TWO_BATCHES, devices=(SHUFFLER,))
    table.do(c.PlayersLeave(), c.RecordNoGamingActivity())
    table.do(c.AttestThrough(to="LOADED", arrival_seat=1))
    table.do(c.DeclareOutOfOrder(device="SH-1"))
    assert table.stage == "INSPECTED"
    says(table, c.RecordShuffle(), "OUT_OF_SEQUENCE", "PA-a-1")
    table.do(c.RecordWash())


def test_a_figure_of_a_text_binds_no_game_that_it_does_not_govern() -> None:
    table = opened("pa", "blackjack").do(c.AttestThrough(to="SHUFFLED", arrival_seat=1))
    says(table, c.RecordCut(seat=1, depth=312), "TOO_CLOSE_TO_BOTTOM", "house", status=422)
    table.do(c.RecordCut(seat=1, depth=2), c.InsertCoverCard(depth=3))
    strict = opened("pa", "blackjack", rules_=rules("pa", "blackjack", house={"cut_least": 10}))
    strict.do(c.AttestThrough(to="SHUFFLED", arrival_seat=1))
    says(strict, c.RecordCut(seat=1, depth=2), "TOO_CLOSE_TO_TOP", "house", status=422)


def test_the_button_of_the_first_round_is_told_by_its_own_sentence() -> None:
    table = opened(
        "nj", "winners_pot_poker", decks=1, rack_decks=1, internal_controls_ref="IC", rounds_by="steps"
    )
    table.do(c.AttestThrough(to="READY", arrival_seat=2, cut_by_dealer=True))
    says(table, c.StartRound(button=2), "WRONG_BUTTON", "NJ-c-1")
    table.do(c.StartRound(), c.EndRound())
    says(table, c.StartRound(button="DEALER"), "WRONG_BUTTON", "NJ-c-2")


@pytest.mark.parametrize(
    "code", ["SHUF_JAM", "SHUF_INOP", "SHUF_MODE_NOT_SHUFFLE", "SHUF_COUNT_SHORT", "SHUF_NOT_CYCLED"]
)
def test_from_every_fault_there_is_a_way_back_to_the_next_card(code: str) -> None:
    table = fault(with_shuffler(), code)
    if code == "SHUF_INOP":
        table.do(c.CoverDevice(device="SH-1"))
    for _ in range(12):
        if table.stage == "ACTIVE":
            break
        offer = next(one for one in _offers(table) if one.next)
        table.do(c.COMMANDS[offer.command](**offer.fields))
        if table.stage == "READY":
            break
    table.do(c.RecordCount(cards=312))
    batch = table.state.batch(table.state.faults[0].batch)
    if not table.state.faults[0].met_at and batch is not None:
        table.do(c.LoadShuffler(batch=batch.id), c.CompleteShuffle(batch=batch.id))
    table.do(i.ReleaseFault(device="SH-1", code=code, reason="checked"), c.AdvanceRounds())


def _offers(table: Table) -> Any:
    from tables.domain.offers import offers

    return offers(table.state, table.rules, by=FLOOR, now=table.now)


def test_a_dealer_may_report_a_fault_and_not_release_it() -> None:
    table = with_shuffler().do(i.ReportFault(device="SH-1", code="SHUF_JAM"), by=DEALER)
    release = i.ReleaseFault(device="SH-1", code="SHUF_JAM", reason="all well")
    says(table, release, "ROLE_NOT_PERMITTED", "house", by=DEALER, status=403)
    assert table.now - table.state.faults[0].since == timedelta(0)


def test_in_new_jersey_a_shuffler_that_reveals_a_wrong_number_takes_the_deck_off_the_table() -> None:
    told = {"decks": 1, "rack_decks": 1, "internal_controls_ref": "IC", "batches": TWO_BATCHES}
    counting = msgspec.structs.replace(SHUFFLER, counts=True)
    table = in_play("nj", "winners_pot_poker", devices=(counting,), **told)
    fault(table, "SHUF_COUNT_SHORT", expected=52, found=51)
    codes = {one.code for one in _all(table.refused(c.AdvanceRounds()))}
    assert "DECK_MUST_BE_REMOVED" in codes
    table.do(c.ReplaceDeck(set_id="CS-2", reason="51 cards"))
    assert not table.state.counted.remove


def test_where_the_game_alternates_by_round_the_other_batch_is_next_after_each_round() -> None:
    told = {"decks": 1, "rack_decks": 1, "batches": TWO_BATCHES, "devices": (SHUFFLER,), "rounds_by": "steps"}
    table = opened("ny", "three_card_poker", deal_mode="hand", **told)
    table.do(c.AttestThrough(to="READY", arrival_seat=1, cut_by_dealer=True))
    first = table.state.next_batch
    table.do(c.COMMANDS["AnnounceNoMoreBets"](), c.StartRound(), c.EndRound())
    assert table.stage == "SHUFFLE_DUE"
    assert table.state.last_batch == first
    refused = table.refused(c.RemoveBatch(batch=first))
    assert {one.code for one in _all(refused)} & {"BATCH_MUST_ALTERNATE", "OUT_OF_SEQUENCE"}


def test_where_the_cover_card_came_out_is_said_later_when_only_the_shoe_saw_it() -> None:
    table = in_play().do(c.PlayerArrives(seat=5), c.RecordCoverCardOut(on="unknown"))
    assert table.stage == "SHUFFLE_DUE"
    table.do(c.RecordCoverCardOut(on="seat", seat=3))
    says(table, c.RecordCoverCardOut(on="dealer"), "OUT_OF_SEQUENCE", "house")
    table.do(c.RecordShuffle(), c.RecordCut(seat=3))
    silent = in_play().do(c.PlayerArrives(seat=5), c.RecordCoverCardOut(on="unknown"), c.RecordShuffle())
    silent.do(c.RecordCut(seat=5))
