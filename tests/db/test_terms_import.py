"""A floor file with what is in force, with recipients and with clocks: stated once, then only drafted."""

from __future__ import annotations

import pytest

from pit.floor.imports import import_floor
from pit.notices.models import Change
from pit.outbox.models import ClassSetting, Route
from pit.web import clock as web_clock
from tables.models import Table
from tables.terms import places, versions

pytestmark = pytest.mark.django_db
FLOOR = """
[property]
key = "river"
name = "River House"
jurisdiction = "ny"
zone = "America/New_York"
[[pit]]
number = 1
[[table]]
pit = 1
number = "BJ-01"
game = "blackjack"
seats = 7
decks = 6
rack_decks = 6
batches = [{ id = "red", back = "red" }]
terms = [{ matter = "pay_table", item = "blackjack pays", value = "3:2" }]
[[recipient]]
group = "commission_staff"
channel = "email"
name = "Office"
address = "office@example.test"
from_time = "06:00"
until_time = "22:00"
[[notification]]
notification = "change_notice"
acknowledge_minutes = 20
escalate_to = ["compliance"]
"""


def load(text=FLOOR):
    return import_floor(text, now=web_clock.now())


def pays():
    table = Table.objects.get()
    return places(table.property_id)[0].terms[("pay_table", "blackjack pays")]


def test_terms_recipients_and_clocks_come_in_and_stand_the_second_time(clock):
    assert not load().problems
    assert pays() == "3:2"
    route, setting = Route.objects.get(), ClassSetting.objects.get()
    assert (route.channel, route.address, route.from_time.hour) == ("email", "office@example.test", 6)
    assert (setting.acknowledge_minutes, setting.escalate_to) == (20, ["compliance"])
    again = load()
    assert {change.sign for change in again.changes} == {"="}
    assert Change.objects.count() == 0


def test_a_file_that_says_something_else_drafts_a_change_once_and_switches_nothing(clock):
    load()
    other = FLOOR.replace('"3:2"', '"6:5"')
    assert not load(other).problems
    assert not load(other).problems
    change = Change.objects.get()
    assert (change.status, change.item, pays()) == ("DRAFT", "blackjack pays", "3:2")
    assert len([one for one in versions(Table.objects.get().stream) if one.item == "blackjack pays"]) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('matter = "pay_table"', 'matter = "limits"'),
        ('address = "office@example.test"', 'address = ""'),
        ('group = "commission_staff"', 'group = "press"'),
        ('channel = "email"', 'channel = "webhook"'),
        ('from_time = "06:00"', 'from_time = "dawn"'),
        ('notification = "change_notice"', 'notification = "gossip"'),
        ('escalate_to = ["compliance"]', 'escalate_to = ["press"]'),
    ],
)
def test_what_cannot_be_is_told_with_its_line_and_nothing_comes_in(clock, old, new):
    done = load(FLOOR.replace(old, new))
    assert done.problems
    assert not Route.objects.exists()
