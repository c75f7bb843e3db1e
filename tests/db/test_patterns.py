"""The same trouble again and again is said once, to those who look at patterns; retention has a floor."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pit.floor import door as houses
from pit.floor.domain.commands import ChangeHouseSetting
from pit.notices.models import Pattern
from pit.outbox.models import Message
from pit.record import door
from pit.record.models import Event
from pit.rules import load
from tables import patterns, tasks
from tables.domain import commands as ask
from tables.domain.state import TermSpec
from tests.notice import make_house
from tests.pit import SYSTEM, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(db, clock):
    return make_house()


def rows(*seqs, kind="FaultReported", data='{"device":"SH-1","code":"SHUF_JAM"}'):
    return [("table:1", seq, kind, "NY-h-1", data) for seq in seqs]


def test_trouble_is_grouped_by_table_kind_clause_and_device():
    other = rows(9, data='{"device":"SH-2","code":"SHUF_JAM"}')
    found = patterns.patterns([*rows(3, 5, 8), *other])
    assert [(one.what, one.seqs) for one in found] == [
        ("Fault reported SH-1 SHUF_JAM", (3, 5, 8)), ("Fault reported SH-2 SHUF_JAM", (9,)),
    ]  # fmt: skip


def test_a_good_count_is_no_trouble():
    assert patterns.patterns(rows(1, kind="DeckCounted", data='{"good":true}')) == []
    assert len(patterns.patterns(rows(1, kind="DeckCounted", data='{"good":false}'))) == 1


def test_the_third_time_in_a_week_is_said_once_and_again_after_three_more(house, clock, monkeypatch):
    table = make_table(house.place, number="BJ-05")
    monkeypatch.setattr(patterns, "TROUBLE", frozenset({"TermsRecorded"}))
    for number in range(2):
        _out(table, clock.now(), number)
    assert tasks.look_for_patterns() == 0
    _out(table, clock.now(), 2)
    assert Event.objects.filter(stream=table.stream, kind="TermsRecorded").count() == 3
    assert tasks.look_for_patterns() == 1
    assert tasks.look_for_patterns() == 0
    message = Message.objects.get(notification="repeat_pattern")
    assert message.subject == "Table BJ-05: Terms recorded, 3 times in 7 days"
    assert house.surveillance.deliveries.filter(message=message).exists()
    for number in range(3, 6):
        _out(table, clock.now(), number)
    assert tasks.look_for_patterns() == 1
    assert Pattern.objects.get().count == 6
    clock.forward(days=8)
    assert tasks.look_for_patterns() == 0


def _out(table, now, number):
    """Any entry that can be made over and over stands for trouble here."""
    term = TermSpec(matter="pay_table", item=f"item {number}", value="1:1")
    command = ask.RecordTerms(terms=(term,))
    answer = door.submit(
        command, stream=table.stream, by=SYSTEM, key=f"t{number}", now=now - timedelta(minutes=1)
    )
    assert answer.refused is None, answer.refused


def test_the_house_says_how_often_and_within_how_many_days(house, clock):
    setting = ChangeHouseSetting(setting="repeat_pattern_count", value=2)
    assert houses.ask(house.place, setting, now=clock.now()).refused is None
    low = ChangeHouseSetting(setting="repeat_pattern_count", value=1)
    assert houses.ask(house.place, low, now=clock.now()).refused.code == "WRONG_VALUE"


def test_retention_is_five_years_or_more_and_never_less_than_the_pack_s(house, clock, monkeypatch):
    def keep(years):
        command = ChangeHouseSetting(setting="record_retention_years", value=years)
        return houses.ask(house.place, command, now=clock.now()).refused

    assert load.house_settings()["record_retention_years"].default == 5
    assert keep(4).code == "WRONG_VALUE"
    assert keep(6) is None
    pack = load.pack_on("ny", clock.now().date())
    monkeypatch.setitem(pack.params, "record_retention_years", 7)
    assert keep(5).code == "WRONG_VALUE"
    assert keep(8) is None
