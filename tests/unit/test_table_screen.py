"""What the screens are told: offers, needs, the track, attestation and correction."""

from __future__ import annotations

from time import perf_counter

import pytest

from pit.record.contract import Refused
from tables.domain import commands as c
from tables.domain.offer import Offer
from tables.domain.offers import needs, offers, track
from tests.unit.floor_of_one import (
    DEALER,
    FLOOR,
    MANAGER,
    SHUFFLER,
    TWO_BATCHES,
    Table,
    in_play,
    opened,
    rules,
    set_up,
)


def offered(table: Table, command: str, by=FLOOR) -> Offer | None:
    return next(
        (one for one in offers(table.state, table.rules, by=by, now=table.now) if one.command == command),
        None,
    )


def following(table: Table) -> str:
    return next(
        (one.command for one in offers(table.state, table.rules, by=FLOOR, now=table.now) if one.next), ""
    )


def test_the_next_step_leads_from_an_empty_table_to_play() -> None:
    table, seen = set_up(), []
    while name := following(table):
        offer = offered(table, name)
        fields = offer.fields | ({"set_id": "CS-1"} if name == "ReceiveCards" else {})
        table.do(c.COMMANDS[name](**fields))
        seen.append(name)
    assert seen == [
        "ReceiveCards",
        "InspectCards",
        "OpenTable",
        "RecordSpread",
        "PlayerArrives",
        "AffordInspection",
        "TurnFaceDown",
        "RecordWash",
        "RecordShuffle",
        "RecordCut",
        "InsertCoverCard",
        "LoadShoe",
    ]
    assert table.stage == "READY"


def test_with_a_shuffler_the_next_step_finishes_one_batch_before_the_other() -> None:
    table = opened(batches=TWO_BATCHES, devices=(SHUFFLER,)).do(
        c.AttestThrough(to="INSPECTED", arrival_seat=1)
    )
    seen = []
    while (name := following(table)) and table.stage == "INSPECTED":
        offer = offered(table, name)
        seen.append((name, offer.fields["batch"]))
        table.do(c.COMMANDS[name](**offer.fields))
    assert [batch for _, batch in seen] == ["A"] * 5 + ["B"] * 3
    assert offered(in_play(batches=TWO_BATCHES, devices=(SHUFFLER,)), "CompleteShuffle").label.endswith(
        "blue batch"
    )


def test_an_offer_says_clause_place_and_what_it_needs() -> None:
    table = opened().do(c.AttestThrough(to="CUT", arrival_seat=3))
    offer = offered(table, "OrderRecut")
    assert (offer.lawful, offer.clause, offer.cite, offer.needs) == (
        True,
        "NY-b-8-1",
        "5324.2(b)(8)",
        ("signature",),
    )
    assert offer.paraphrase
    assert [ask.name for ask in offer.asks] == ["ground", "option"]
    assert not offer.fields
    assert offered(set_up().do(c.ReceiveCards(set_id="CS-1")), "InspectCards").needs == (
        "signature",
        "second",
    )


def test_what_may_not_be_done_is_shown_with_its_reason() -> None:
    table = in_play().do(c.DirectReshuffle())
    refused = offered(table, "AdvanceRounds").refused
    assert (refused.code, refused.clause, refused.next_step) == (
        "SHUFFLE_DUE",
        "NY-b-10-1",
        "Shuffle the cards",
    )
    assert offered(table, "OrderRecut", by=DEALER).refused.status == 403


def test_only_what_this_table_knows_is_offered() -> None:
    roulette = set_up("ny", "roulette", decks=0, rack_decks=None, batches=()).do(c.OpenTable())
    assert (
        offered(roulette, "RecordSpread")
        is offered(roulette, "PlaceDice")
        is offered(roulette, "PlayerArrives")
        is None
    )
    assert offered(in_play(), "LoadShuffler") is offered(in_play(), "StackCards") is None
    assert offered(in_play("ny", "three_card_poker", decks=1, rack_decks=1), "OfferCut") is None
    assert offers(Table(rules()).state, rules(), by=FLOOR, now=roulette.now) == ()


def test_offers_of_a_table_take_no_time_worth_naming() -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,))
    took = []
    for _ in range(7):
        start = perf_counter()
        offers(table.state, table.rules, by=FLOOR, now=table.now)
        took.append(perf_counter() - start)
    assert min(took) < 0.005


def test_the_board_is_told_what_needs_somebody_and_by_which_clause() -> None:
    table = in_play().do(c.PlayersLeave())
    (dead,) = needs(table.state, table.rules)
    assert (dead.kind, dead.command, dead.clause) == ("dead_game", "RecordNoGamingActivity", "NY-b-11-1")
    assert dead.due_at is not None
    table.do(c.RecordNoGamingActivity())
    (need,) = needs(table.state, table.rules)
    assert (need.command, need.blocks, need.fields) == (
        "RemoveCards",
        True,
        {"sources": ("discard_rack", "shoe")},
    )
    table.do(c.COMMANDS[need.command](**need.fields))
    assert needs(table.state, table.rules)[0].command == "RecordSpread"


def test_a_device_out_of_order_needs_its_cover() -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,)).do(c.DeclareOutOfOrder(device="SH-1"))
    need = next(one for one in needs(table.state, table.rules) if one.kind == "cover_or_sign:SH-1")
    assert (need.command, need.fields, need.clause) == ("CoverDevice", {"device": "SH-1"}, "NY-h-2")


def test_a_table_in_play_needs_nobody() -> None:
    assert needs(in_play().state, rules()) == ()


def test_the_track_says_what_is_done_and_what_is_left() -> None:
    table = opened().do(c.AttestThrough(to="WASHED", arrival_seat=1))
    found = [(one.stage, one.state) for one in track(table.state, table.rules)]
    assert ("FACE_DOWN", "done") in found
    assert ("WASHED", "current") in found
    assert found[-1] == ("READY", "left")
    assert [one.state for one in track(table.state, table.rules)].count("current") == 1
    assert "STACKED" not in dict(found)
    assert track(set_up("ny", "craps", decks=0, batches=()).state, rules("ny", "craps")) == ()


def test_one_attestation_records_each_step_as_its_own_event() -> None:
    table = opened().do(c.RecordSpread(), c.PlayerArrives(seat=2), c.AffordInspection())
    answer = table.ask(c.AttestThrough(to="READY"))
    assert [type(event).__name__ for event in answer] == [
        "TurnedFaceDown",
        "CardsWashed",
        "CardsShuffled",
        "CardsCut",
        "CoverCardInserted",
        "ShoeLoaded",
    ]
    offer = offered(table, "AttestThrough")
    assert (offer.fields, offer.lawful) == ({"to": "READY"}, True)


def test_an_attestation_stops_with_the_first_refusal_and_records_nothing() -> None:
    table = in_play(batches=TWO_BATCHES, devices=(SHUFFLER,)).do(c.DirectReshuffle())
    table.do(c.DeclareOutOfOrder(device="SH-1"))
    assert table.refused(c.AttestThrough(to="READY")).code == "COVER_OR_SIGN_FIRST"
    assert table.stage == "SHUFFLE_DUE"


@pytest.mark.parametrize(
    ("to", "code"),
    [("DORA", "UNKNOWN_STAGE"), ("CLOSED", "UNKNOWN_STAGE"), ("IDLE_SPREAD", "OUT_OF_SEQUENCE")],
)
def test_an_attestation_leads_only_forward(to: str, code: str) -> None:
    assert in_play().refused(c.AttestThrough(to=to)).code == code


def test_an_attestation_says_who_cut_and_that_those_before_refused() -> None:
    table = opened().do(c.PlayerArrives(seat=2), c.PlayerArrives(seat=5), c.AttestThrough(to="SHUFFLED"))
    table.do(c.AttestThrough(to="CUT", seat=5))
    assert [(one.seat, one.accepted) for one in table.state.cut.answers] == [(2, False), (5, True)]
    other = opened().do(c.PlayerArrives(seat=2), c.AttestThrough(to="CUT", cut_by_dealer=True))
    assert other.state.cut.cutter == "DEALER"


def correct(back_to: str, reason: str = "pressed at the wrong table") -> c.CorrectEntry:
    return c.CorrectEntry(of=9, reason=reason, back_to=back_to)


def test_a_correction_goes_back_under_a_higher_signature_and_never_past_a_guard() -> None:
    table = opened().do(c.AttestThrough(to="CUT", arrival_seat=3))
    assert table.refused(correct("WASHED")).code == "ROLE_NOT_PERMITTED"
    for stage in ("READY", "COVERED", "CLOSED", "IDLE_SPREAD"):
        assert table.refused(correct(stage), by=MANAGER).code == "CORRECTION_ONLY_BACK"
    assert table.refused(correct("NOWHERE"), by=MANAGER).code == "UNKNOWN_STAGE"
    assert table.refused(correct("WASHED", " "), by=MANAGER).code == "TEXT_REQUIRED"
    table.do(correct("WASHED"), by=MANAGER)
    assert table.stage == "WASHED"
    assert table.state.cut.cutter == ""
    assert table.refused(c.RecordCut(seat=3)).code == "OUT_OF_SEQUENCE"
    table.do(c.AttestThrough(to="READY"), c.AdvanceRounds())


def test_a_correction_of_a_table_in_play_leaves_a_shuffle_to_be_done() -> None:
    table = in_play().do(correct("SHUFFLE_DUE"), by=MANAGER)
    assert isinstance(table.ask(c.AdvanceRounds()), Refused)
    assert [one.kind for one in table.state.holds] == ["shuffle_due"]
