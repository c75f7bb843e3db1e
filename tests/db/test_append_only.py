"""The database itself refuses to rewrite the Record."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from pit.record import triggers
from pit.record.models import Event, Receipt, Stream
from pit.record.receipts import forget_receipts
from tests.db.lamp import SwitchOff, SwitchOn

pytestmark = pytest.mark.django_db


@pytest.fixture
def lived(press):
    """A lamp with three entries and two receipts."""
    press(SwitchOn(watts=60), now=timezone.now())
    press(SwitchOff(), now=timezone.now())


def refused(sql: str) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE record_event SET data = '{}' WHERE seq = 2",
        "UPDATE record_event SET clause = 'other'",
        "DELETE FROM record_event WHERE seq = 3",
        "DELETE FROM record_event",
        "DELETE FROM record_stream",
        "UPDATE record_stream SET seq = 2",
        "UPDATE record_stream SET seq = seq - 1, hash = 'x'",
        "UPDATE record_stream SET hash = 'x'",
        "UPDATE record_stream SET seq = seq + 1",
        "UPDATE record_stream SET changed_seq = changed_seq - 1",
        "UPDATE record_stream SET changed_seq = seq + 1",
        "UPDATE record_stream SET name = 'lamp:2'",
        "UPDATE record_receipt SET answer = '{}'",
        "DELETE FROM record_receipt",
    ],
)
def test_the_past_cannot_be_rewritten(lived, sql):
    refused(sql)
    assert (Event.objects.count(), Receipt.objects.count(), Stream.objects.get().seq) == (3, 2, 3)


def test_an_entry_is_not_replaced_on_the_way_in(lived):
    columns = "stream, seq, kind, v, data, at, recorded_at, late, actor_kind, actor_name, actor_badge, role, signed, "
    columns += (
        "second_name, second_badge, second_role, second_signed, pack, clause, round, key, prev_hash, hash"
    )
    copy = f"record_event ({columns}) SELECT {columns} FROM record_event WHERE seq = 2"
    if connection.vendor == "sqlite":
        refused(f"INSERT OR REPLACE INTO {copy}")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {copy}")


def test_nothing_is_truncated(lived):
    for table in ("record_event", "record_stream"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {table} CASCADE")
    assert Event.objects.count() == 3


def test_a_month_old_receipt_may_be_forgotten_and_a_young_one_not(press):
    press(SwitchOn(watts=60), now=timezone.now() - timedelta(days=32))
    press(SwitchOff(), now=timezone.now())
    assert forget_receipts(timezone.now()) == 1
    assert Receipt.objects.count() == 1
    refused("DELETE FROM record_receipt")


def test_every_trigger_is_there_and_is_missed_when_it_is_not(lived):
    assert triggers.faults(connection) == []
    triggers.remove(connection)
    told = " ".join(triggers.faults(connection))
    assert all(f"{name} is missing" in told for name in triggers.NAMES)
    triggers.install(connection)
    assert triggers.faults(connection) == []


WEAKER = {
    "sqlite": [
        "DROP TRIGGER record_event_no_update",
        """CREATE TRIGGER record_event_no_update BEFORE UPDATE ON record_event WHEN NEW.seq = 0
           BEGIN SELECT RAISE(ABORT, 'the Record is append-only'); END""",
    ],
    "postgresql": [
        "CREATE OR REPLACE FUNCTION record_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"
    ],
}


def test_a_trigger_of_the_same_name_that_guards_less_is_noticed(lived):
    with connection.cursor() as cursor:
        for statement in WEAKER[connection.vendor]:
            cursor.execute(statement)
    assert [what for what in triggers.faults(connection) if "not the one that was installed" in what]
    triggers.remove(connection)
    triggers.install(connection)


def test_the_guards_beside_the_named_ones_are_missed_too(lived):
    name = "record_event_no_replace" if connection.vendor == "sqlite" else "record_event_no_truncate"
    on = "" if connection.vendor == "sqlite" else " ON record_event"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on}")
    assert triggers.faults(connection) == [f"the trigger {name} is missing or switched off"]
    triggers.remove(connection)
    triggers.install(connection)


def test_old_receipts_are_forgotten_by_the_clock_of_the_workers(press, settings):
    from pit.celery import app

    press(SwitchOn(watts=60), now=timezone.now() - timedelta(days=32))
    scheduled = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    app.loader.import_default_modules()
    assert set(scheduled) <= set(app.tasks)
    assert app.tasks["pit.record.tasks.forget_receipts"].run() == 1
    assert "pit.record.tasks.forget_receipts" in scheduled
