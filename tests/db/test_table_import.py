"""[[table]] of a floor file: set up through the door, moved, redrawn; open tables keep what is a matter of notice."""

from datetime import UTC, datetime

import pytest

from pit.floor.imports import import_floor
from pit.record import codec
from pit.record.models import Event, Stream
from tables.domain.state import TableState
from tables.models import Table

NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)
FILE = """\
[property]
key = "river"
name = "River House"
jurisdiction = "ny"
zone = "America/New_York"

[[pit]]
number = 1

[[pit]]
number = 2

[[table]]
pit = 1
number = "BJ-01"
game = "blackjack"
seats = 7
x = 10
y = 12
decks = 6
rack_decks = 6
batches = [{ id = "red", back = "red" }, { id = "blue", back = "blue" }]
devices = [{ id = "SH-01", kind = "shuffler" }]

[[table]]
pit = 2
number = "RO-02"
game = "roulette"
seats = 8
rotation = 90
"""

pytestmark = pytest.mark.django_db


def run(text=FILE, **options):
    return import_floor(text, now=NOW, **options)


def changed(text):
    return [str(change) for change in run(text).changes if change.sign != "="]


def config(number):
    table = Table.objects.get(number=number)
    return codec.loads(Stream.objects.get(name=table.stream).state, TableState).config


def problems(text):
    return {one.field: str(one) for one in run(text).problems}


def test_tables_are_set_up_through_the_door():
    assert not run().problems
    table = Table.objects.get(number="BJ-01")
    assert (table.pit.number, table.x, table.y, table.shape, table.stage) == (
        1,
        10,
        12,
        "half_moon",
        "CLOSED",
    )
    assert Table.objects.get(number="RO-02").shape == "long"
    held = config("BJ-01")
    assert (held.decks, held.cards_per_deck, held.deal_mode) == (6, 52, "shoe")
    assert [one.back for one in held.batches] == ["red", "blue"]
    entry = Event.objects.get(stream=table.stream, kind="TableSetUp")
    assert (entry.actor_kind, entry.actor_name) == ("system", "import_floor")


def test_a_second_import_asks_the_door_for_nothing():
    run()
    before = Event.objects.count()
    assert changed(FILE) == []
    assert Event.objects.count() == before


def test_what_is_drawn_moves_without_an_entry():
    run()
    before = Event.objects.count()
    assert changed(FILE.replace("x = 10", "x = 15")) == ["~ table BJ-01  (x 10 → 15)"]
    assert Table.objects.get(number="BJ-01").x == 15
    assert Event.objects.count() == before


def test_a_changed_set_up_is_one_entry_and_is_told_from_and_to():
    run()
    assert changed(FILE.replace("decks = 6", "decks = 8")) == [
        "~ table BJ-01  (decks 6 → 8, rack_decks 6 → 8)"
    ]
    assert config("BJ-01").decks == 8
    assert changed(FILE.replace("decks = 6", "decks = 8")) == []


def test_a_table_moves_to_another_pit_with_its_stream():
    run()
    assert changed(FILE.replace("pit = 1\nnumber", "pit = 2\nnumber")) == ["~ table BJ-01  (pit 1 → 2)"]
    table = Table.objects.get(number="BJ-01")
    assert Stream.objects.get(name=table.stream).topic == table.pit.topic


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('game = "blackjack"', 'game = "snap"', "table.game"),
        ("pit = 2", "pit = 3", "table.pit"),
        ('"RO-02"', '"BJ-01"', "table.number"),
        ("rotation = 90", "rotation = 45", "table.rotation"),
        ("x = 10", "x = 101", "table.x"),
        ("seats = 7", "seats = 70", "table.seats"),
        ("seats = 7", "seats = true", "table.seats"),
        ("\ndecks = 6", "\ndecks = 3", "table.decks"),
        ('kind = "shuffler"', 'kind = "toaster"', "table.devices"),
        ('back = "blue"', 'colour = "blue"', "table.batches"),
        ('id = "blue"', 'id = "red"', "table.batches"),
        ("seats = 8", 'seats = 8\nshape = "star"', "table.shape"),
        ("seats = 8", "seats = 8\nlegs = 4", "table.legs"),
    ],
)
def test_a_problem_names_its_field_and_nothing_is_imported(old, new, field):
    assert field in problems(FILE.replace(old, new))
    assert not Table.objects.exists()
    assert not Event.objects.exists()


def test_two_batches_of_one_colour_are_refused_by_the_rules():
    told = problems(FILE.replace('back = "blue"', 'back = "red"'))
    assert "BATCH_COLORS_MUST_DIFFER" in " ".join(told.values())


def test_an_open_table_keeps_what_is_a_matter_of_notice(clock):
    run()
    open_it("RO-02")
    told = problems(FILE.replace("seats = 8", "seats = 6"))
    assert "TABLE_IS_OPEN" in told["table"]
    assert config("RO-02").seats == 8
    assert not problems(FILE.replace("rotation = 90", "rotation = 270"))


def open_it(number):
    from pit.record import door
    from pit.record.contract import By
    from tables.domain.commands import OpenTable

    table = Table.objects.get(number=number)
    by = By(id=1, name="F", role="floorperson", topics=frozenset({table.pit.topic}))
    answer = door.submit(OpenTable(), stream=table.stream, by=by, key="open", now=NOW)
    assert answer.refused is None, answer.refused
