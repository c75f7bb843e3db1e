"""verify_record names the stream and the seq that broke, whatever was done to it."""

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from pit.deadlines.models import Deadline
from pit.record import triggers
from pit.record.chain import COLUMNS, Row, sealed
from pit.record.models import Event, Stream
from pit.record.rebuild import rebuild
from pit.record.replay import Broken, rows_of
from pit.record.streams import create
from pit.record.verify import Anchor, verify
from tests.db import lamp
from tests.db.conftest import NOW, other_lamps
from tests.db.lamp import CountBlinks, SwitchOff, SwitchOn

pytestmark = pytest.mark.django_db


@pytest.fixture
def lived(press) -> str:
    """lamp:1 with six entries: opened, on, refused, off, on, and a count of rounds after it; lamp:2 untouched."""
    press(SwitchOn(watts=60))
    press(SwitchOn(watts=60))
    press(CountBlinks(count=2))
    press(SwitchOff())
    press(SwitchOn(watts=40, places=("hall", "attic")))
    press(CountBlinks(count=5))
    create("lamp:2", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)
    return "lamp:1"


@pytest.fixture
def open_case(lived) -> Iterator[str]:
    """The same with the triggers dropped, as somebody with the database's password would do first."""
    triggers.remove(connection)
    yield lived
    triggers.install(connection)


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def faults(**told: Any) -> list[tuple[str, int, str]]:
    return [(fault.stream, fault.seq, fault.what) for fault in verify(["lamp:1", "lamp:2"], **told)]


def test_an_honest_record_is_whole(lived):
    assert list(verify()) == []


@pytest.mark.parametrize("column", [name for name in COLUMNS if name not in ("stream", "seq")])
def test_any_changed_column_of_an_entry_breaks_it_at_that_seq(open_case, column):
    other = {"BooleanField": True, "DateTimeField": "2026-03-04 18:00:00.000001+00:00"}
    value = other.get(Event._meta.get_field(column).get_internal_type(), "8")
    sql(f"UPDATE record_event SET {column} = %s WHERE seq = 4", value)
    assert [(stream, seq) for stream, seq, _ in faults()] == [("lamp:1", 4)]


def test_a_removed_entry_is_a_gap(open_case):
    sql("DELETE FROM record_event WHERE stream = 'lamp:1' AND seq = 3")
    assert faults() == [("lamp:1", 3, "the entry is missing")]


def test_a_removed_first_entry_is_a_gap(open_case):
    sql("DELETE FROM record_event WHERE stream = 'lamp:1' AND seq = 1")
    assert faults() == [("lamp:1", 1, "the entry is missing")]


def test_swapped_entries_break_at_the_first(open_case):
    sql("UPDATE record_event SET seq = 99 WHERE stream = 'lamp:1' AND seq = 2")
    sql("UPDATE record_event SET seq = 2 WHERE stream = 'lamp:1' AND seq = 4")
    sql("UPDATE record_event SET seq = 4 WHERE stream = 'lamp:1' AND seq = 99")
    assert [fault[:2] for fault in faults()] == [("lamp:1", 2)]


def test_a_truncated_tail_is_missed(open_case):
    sql("DELETE FROM record_event WHERE stream = 'lamp:1' AND seq > 3")
    assert faults() == [("lamp:1", 4, "the entries up to 5 are missing at the end")]


def test_a_changed_head_is_seen(open_case):
    sql("UPDATE record_stream SET hash = %s WHERE name = 'lamp:1'", "0" * 64)
    assert faults() == [("lamp:1", 5, "the head has another hash than the last entry")]


def test_a_head_set_back_leaves_an_entry_after_it(open_case):
    hash_of_4 = Event.objects.get(stream="lamp:1", seq=4).hash
    sql("UPDATE record_stream SET seq = 4, hash = %s WHERE name = 'lamp:1'", hash_of_4)
    assert faults() == [("lamp:1", 5, "the entry stands after the head")]


def test_a_forged_entry_hashed_anew_breaks_the_one_after_it(open_case):
    rows = list(rows_of("lamp:1"))
    forged = sealed(rows[1]._replace(actor_name="Somebody Else"))
    sql(
        "UPDATE record_event SET actor_name = %s, hash = %s WHERE stream = 'lamp:1' AND seq = 2",
        "Somebody Else",
        forged.hash,
    )
    assert faults() == [("lamp:1", 3, "the entry does not follow the one before it")]


def test_a_wholly_rewritten_chain_is_caught_by_a_head_noted_elsewhere(open_case):
    noted = {"lamp:1": Anchor(seq=5, hash=Event.objects.get(stream="lamp:1", seq=5).hash)}
    assert not faults(noted=noted)
    rewrite("lamp:1", actor_name="Somebody Else")
    assert not faults()
    assert faults(noted=noted) == [("lamp:1", 5, "the entry is not the one that was noted down")]


def rewrite(stream: str, **changes: Any) -> None:
    """The whole chain forged: every entry changed and hashed anew, and the head with it."""
    last = "0" * 64
    for row in list(rows_of(stream)):
        forged: Row = sealed(row._replace(prev_hash=last, **changes))
        names = ", ".join(f"{name} = %s" for name in changes)
        sql(
            f"UPDATE record_event SET prev_hash = %s, hash = %s, {names} WHERE stream = %s AND seq = %s",
            last, forged.hash, *changes.values(), stream, row.seq,
        )  # fmt: skip
        last = forged.hash
    sql("UPDATE record_stream SET hash = %s WHERE name = %s", last, stream)


def test_a_stream_taken_away_leaves_its_entries_behind(open_case):
    sql("DELETE FROM record_stream WHERE name = 'lamp:2'")
    assert [(fault.stream, fault.what) for fault in verify() if fault.stream] == [
        ("lamp:2", "there are entries of a stream that is not there")
    ]


def test_dropped_triggers_are_seen(open_case):
    told = {fault.what for fault in verify() if not fault.stream}
    assert "the trigger record_event_no_update is missing or switched off" in told
    assert len(told) > len(triggers.NAMES)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("state = replace(state, '\"burnt\":1', '\"burnt\":9')", "the state is not what the entries fold to"),
        ("round = 1", "the round is 1, the entries say 2"),
        ("topic = 'pit:7'", "topic is pit:7, the entries say pit:1"),
        ("property_id = 7", "property_id is 7, the entries say 1"),
        ("changed_seq = 4", "changed_seq is 4, the entries say 5"),
    ],
)
def test_a_row_that_says_other_than_the_entries_is_seen(open_case, change, what):
    sql(f"UPDATE record_stream SET {change} WHERE name = 'lamp:1'")
    told = faults()
    assert ("lamp:1", 5, what) in told
    assert {stream for stream, _, _ in told} == {"lamp:1"}


def test_deadlines_that_are_not_the_stream_s_are_seen(lived):
    Deadline.objects.update(due_at=NOW)
    assert faults() == [("lamp:1", 5, "the deadlines are not those of the stream")]


def test_a_projection_that_differs_is_seen(lived):
    other_lamps(differs=lambda stream, state: f"{state.round} rounds" if stream == "lamp:1" else "")
    assert faults() == [("lamp:1", 5, "the projection differs: 7 rounds")]


def test_an_entry_of_an_unknown_kind_is_named(lived):
    other_lamps(events={})
    assert [(stream, seq) for stream, seq, _ in faults()] == [("lamp:1", 2)]


def test_the_command_names_what_broke_and_exits_1(open_case):
    sql("UPDATE record_event SET data = replace(data, '60', '61') WHERE stream = 'lamp:1' AND seq = 2")
    told = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("verify_record", stderr=told)
    assert left.value.code == 1
    assert "lamp:1 seq 2: the entry was changed" in told.getvalue()


def test_the_command_says_that_all_is_well_and_notes_the_heads(lived, tmp_path):
    said, file = StringIO(), tmp_path / "heads.json"
    call_command("verify_record", stdout=said, note=file)
    assert "The Record is whole: 2 streams, 6 entries." in said.getvalue()
    assert json.loads(file.read_text())["lamp:1"]["seq"] == 5
    call_command("verify_record", "lamp:1", stdout=said, against=file)


class TestRebuilding:
    def test_what_was_lost_comes_back_from_the_entries(self, lived):
        before = Stream.objects.filter(name=lived).values().get()
        seen = []
        sql("UPDATE record_stream SET state = %s, topic = 'pit:9' WHERE name = 'lamp:1'", '{"round":7}')
        Deadline.objects.all().delete()
        other_lamps(project=lambda *told: seen.append(told))
        rebuild(lived, now=NOW)
        assert Stream.objects.filter(name=lived).values().get() == before
        assert Deadline.objects.get().stream == lived
        ((name, state, (last,)),) = seen
        assert (name, state.round, last.seq) == ("lamp:1", 7, 5)
        assert not faults()

    def test_the_command_rebuilds_all(self, lived):
        sql("UPDATE record_stream SET state = '{}' WHERE name = 'lamp:1'")
        call_command("rebuild_projection", stdout=StringIO())
        assert not faults()

    def test_nothing_is_rebuilt_from_a_broken_chain(self, open_case):
        sql("UPDATE record_event SET data = replace(data, '60', '61') WHERE stream = 'lamp:1' AND seq = 2")
        before = Stream.objects.filter(name="lamp:1").values().get()
        with pytest.raises(Broken, match="2: the entry was changed"):
            rebuild("lamp:1", now=NOW)
        with pytest.raises(SystemExit):
            call_command("rebuild_projection", "lamp:1", stderr=StringIO())
        assert Stream.objects.filter(name="lamp:1").values().get() == before

    def test_nor_from_one_that_does_not_reach_its_head(self, open_case):
        sql("DELETE FROM record_event WHERE stream = 'lamp:1' AND seq = 5")
        with pytest.raises(Broken, match="5: the head does not stand at the last entry"):
            rebuild("lamp:1", now=NOW)


def test_a_deadline_taken_away_at_both_places_is_found(open_case):
    sql("UPDATE record_stream SET dues = '[]' WHERE name = 'lamp:1'")
    Deadline.objects.filter(stream="lamp:1").delete()
    assert faults() == []
    (found,) = faults(now=NOW)
    assert (found[0], "deadlines are not those that its state leads to" in found[2]) == ("lamp:1", True)


def test_a_stream_under_another_kind_is_found(open_case):
    sql("UPDATE record_stream SET kind = 'table' WHERE name = 'lamp:1'")
    assert faults()[0][2] == "kind is table, the name says lamp"
