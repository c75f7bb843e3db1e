"""Only registered lots come to a table, and the clock of dice is told by the Record, not by whoever presses."""

from datetime import timedelta

from pit.floor.models import Article
from pit.record.codec import loads
from pit.record.models import Stream
from tables.domain import commands as ask
from tables.domain.state import TableState
from tests.pit import NOW, does, make_table
from tests.web.floor import press

LOT = {"decks": 6, "backs": ["red"]}
PAI_GOW = {"game": "pai_gow_poker", "decks": 1, "rack_decks": 1, "shaker": "SHK-1", "seats": 6}


def state(table):
    return loads(Stream.objects.get(name=table.stream).state, TableState)


def test_a_set_that_is_not_on_the_register_is_refused_whatever_the_press_says(signed_in, table):
    Article.objects.create(property=table.property, kind="card_set", number="CS-7", details=LOT)
    answer = press(signed_in, table, "ReceiveCards", set_id="CS-8", registered=True)
    assert answer.json()["refused"]["code"] == "NOT_REGISTERED"
    assert press(signed_in, table, "ReceiveCards", set_id="CS-7", registered=False).status_code == 200


def test_a_house_without_a_register_is_not_asked_for_one(signed_in, table):
    assert press(signed_in, table, "ReceiveCards", set_id="CS-8").status_code == 200


def test_dice_that_come_from_another_table_keep_their_clock(signed_in, place):
    first = make_table(place, number="PG-01", **PAI_GOW)
    second = make_table(place, number="PG-02", **PAI_GOW)
    does(first, ask.PlaceDice(set_id="DS-1"), ago=20 * 3600)
    does(first, ask.RemoveDice(set_id="DS-1", to="PG-02"), ago=60)
    answer = press(signed_in, second, "PlaceDice", set_id="DS-1", first_placed_at="2026-03-04T17:59:00Z")
    assert answer.status_code == 200, answer.json()
    placed = state(second).dice[0].placed_at
    assert placed == NOW - timedelta(hours=20)


def test_dice_that_were_inspected_again_begin_a_new_clock(signed_in, place):
    first = make_table(place, number="PG-01", **PAI_GOW)
    second = make_table(place, number="PG-02", **PAI_GOW)
    does(first, ask.PlaceDice(set_id="DS-1"), ago=20 * 3600)
    does(first, ask.RemoveDice(set_id="DS-1"), ago=60)
    press(signed_in, second, "PlaceDice", set_id="DS-1", reinspected=True)
    assert state(second).dice[0].placed_at == NOW
