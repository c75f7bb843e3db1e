"""The one door: what it takes, what it refuses, and what it writes down."""

import logging
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from django.db import OperationalError, connection, transaction

from pit.deadlines.models import Deadline
from pit.record import registry
from pit.record.contract import By, Refused
from pit.record.door import Raw, submit, submit_all
from pit.record.judge import CountedEventChangedMore
from pit.record.models import Event, Receipt, Stream
from pit.record.streams import create, move
from tests.db import lamp
from tests.db.conftest import NOW, other_lamps
from tests.db.lamp import CountBlinks, SwitchOff, SwitchOn

pytestmark = pytest.mark.django_db


def stream() -> Stream:
    return Stream.objects.get(name="lamp:1")


def last() -> Event:
    return Event.objects.latest("seq")


def test_an_accepted_command_is_an_entry_with_who_when_and_under_which_clause(press):
    answer = press(SwitchOn(watts=60), key="k", by=msgspec.structs.replace(lamp.MANAGER, second=lamp.DEALER))
    entry = last()
    assert (answer.status, answer.seq, answer.state.watts, answer.again) == (200, 2, 60, False)
    assert (entry.seq, entry.kind, entry.clause, entry.pack) == (2, "SwitchedOn", "L-1", "lamps/2026-01-01")
    assert (entry.actor_name, entry.role, entry.actor_badge, entry.signed) == (
        "Max Manager",
        "pit_manager",
        "208",
        True,
    )
    assert (entry.second_name, entry.second_role, entry.second_signed) == ("Dora Dealer", "dealer", True)
    assert (entry.at, entry.recorded_at, entry.late, entry.key) == (NOW, NOW, False, "k")
    assert entry.prev_hash == Event.objects.get(seq=1).hash
    assert (stream().seq, stream().changed_seq, stream().hash) == (2, 2, entry.hash)


def test_a_command_from_outside_is_read_by_the_door(press):
    assert press(Raw("SwitchOn", {"watts": "60", "places": ["hall"]})).state.places == frozenset({"hall"})


def test_a_refusal_is_an_entry_and_changes_nothing(press):
    press(SwitchOn(watts=60))
    before = stream()
    answer = press(SwitchOn(watts=40))
    assert (answer.status, answer.refused.code, answer.refused.clause) == (409, "LIT_ALREADY", "L-1")
    assert (answer.seq, answer.state.watts) == (2, 60)
    assert (last().kind, last().clause, last().seq) == ("Refused", "L-1", 3)
    assert msgspec.json.decode(last().data)["fields"] == {"type": "SwitchOn", "watts": 40, "places": []}
    assert (stream().changed_seq, stream().state) == (before.changed_seq, before.state)


def test_a_refused_tap_makes_nobody_s_view_stale(press):
    press(SwitchOff())
    assert press(SwitchOn(watts=5), seen=1).status == 200


def test_a_view_that_is_behind_is_refused(press):
    press(SwitchOn(watts=60), seen=1)
    answer = press(SwitchOff(), seen=1)
    assert (answer.status, answer.refused.code, answer.refused.clause) == (409, "STALE_VIEW", "pitstand")
    assert last().kind == "Refused"


def test_a_second_press_of_the_same_key_gives_the_same_answer(press):
    first = press(SwitchOn(watts=60), key="same")
    press(SwitchOff())
    again = press(SwitchOn(watts=60), key="same", now=NOW + timedelta(hours=1))
    assert again == msgspec.structs.replace(first, again=True)
    assert Event.objects.filter(key="same").count() == 1


def test_a_second_press_of_a_refused_key_gives_the_same_refusal_once(press):
    first = press(SwitchOff(), key="same")
    assert press(SwitchOff(), key="same") == msgspec.structs.replace(first, again=True)
    assert Event.objects.filter(kind="Refused").count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"command": SwitchOn(watts=61)},
        {"command": SwitchOff()},
        {"command": SwitchOn(watts=60), "by": lamp.MANAGER},
        {"command": SwitchOn(watts=60), "at": NOW - timedelta(minutes=1)},
    ],
)
def test_a_key_used_for_another_press_is_refused_and_keeps_its_answer(press, other):
    first = press(SwitchOn(watts=60), key="same")
    answer = press(other.pop("command"), key="same", **other)
    assert (answer.status, answer.refused.code) == (422, "KEY_REUSED")
    assert press(SwitchOn(watts=60), key="same") == msgspec.structs.replace(first, again=True)


@pytest.mark.parametrize("key", ["", "x" * 65, "with blank", "zero\0byte", "ä"])
def test_an_unusable_key_is_refused_and_bound_to_nothing(press, key):
    answer = press(SwitchOn(watts=60), key=key)
    assert (answer.status, answer.refused.code, list(answer.refused.fields)) == (422, "MALFORMED", ["key"])
    assert (last().kind, last().key, Receipt.objects.count()) == ("Refused", "", 0)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, {"watts"}),
        ({"watts": "many"}, {"watts"}),
        ({"watts": "60", "volts": "220"}, {"volts"}),
        ({"watts": [], "places": 3, "volts": 1}, {"watts", "places", "volts"}),
        ({"watts": 1, "places": ["zero\0byte"]}, {"places"}),
        ({"watts": 1, "places": ["\ud800"]}, {"places"}),
        ({"watts": "60", "\ud800": "1"}, {"?"}),
    ],
)
def test_a_malformed_command_names_every_wrong_field(press, fields, wrong):
    answer = press(Raw("SwitchOn", fields))
    assert (answer.status, answer.refused.code, set(answer.refused.fields)) == (422, "MALFORMED", wrong)
    assert last().kind == "Refused"


@pytest.mark.parametrize("name", ["Explode", "", "x" * 5000, "zero\0byte", "\ud800"])
def test_an_unknown_command_is_refused_and_recorded(press, name):
    answer = press(Raw(name, {"watts": "\0"}))
    assert (answer.status, answer.refused.code, last().kind) == (422, "UNKNOWN_COMMAND", "Refused")


def test_a_command_of_another_kind_of_stream_is_unknown_here(press):
    class Fly(msgspec.Struct, frozen=True, tag=True):
        pass

    assert press(Fly()).refused.code == "UNKNOWN_COMMAND"


def test_secrets_and_floods_do_not_enter_the_record(press):
    press(Raw("SwitchOn", {"pin": "4711", "password": "hush", "watts": "x"}))
    assert "4711" not in last().data
    assert "hush" not in last().data
    press(Raw("SwitchOn", {"watts": "x" * 50_000}))
    assert len(last().data) < 3_000
    assert msgspec.json.decode(last().data)["fields"]["left_out"] > 50_000


def test_a_person_on_duty_elsewhere_is_refused(press):
    answer = press(SwitchOn(watts=60), by=msgspec.structs.replace(lamp.FLOOR, topics=frozenset({"pit:2"})))
    assert (answer.status, answer.refused.code) == (403, "OTHER_PIT")
    assert (
        press(SwitchOn(watts=60), by=msgspec.structs.replace(lamp.FLOOR, topics=frozenset({"pit:1"}))).status
        == 200
    )


def test_a_person_of_another_property_is_refused(press):
    answer = press(SwitchOn(watts=60), by=msgspec.structs.replace(lamp.FLOOR, property_id=2))
    assert (answer.status, answer.refused.code) == (403, "OTHER_PROPERTY")


def test_several_reasons_are_all_told_in_order_of_rank_form_rule(press):
    press(SwitchOn(watts=60))
    elsewhere = msgspec.structs.replace(lamp.FLOOR, topics=frozenset())
    answer = press(Raw("SwitchOn", {}), seen=1, at=NOW + timedelta(1), by=elsewhere)
    told = [answer.refused.code, *(one.code for one in answer.refused.also)]
    assert told == ["OTHER_PIT", "IN_THE_FUTURE", "MALFORMED", "STALE_VIEW"]
    assert answer.status == 403


def test_what_the_edge_found_wrong_refuses_is_recorded_and_leaves_the_key_free(press):
    pin = Refused(code="PIN_WRONG", clause="pitstand", message="Wrong PIN.", status=403)
    answer = press(SwitchOn(watts=60), key="same", wrong=[pin])
    assert (answer.status, answer.refused.code, last().kind) == (403, "PIN_WRONG", "Refused")
    assert press(SwitchOn(watts=60), key="same").status == 200


def test_a_stream_that_is_not_there_is_404(lamps):
    for name in ("lamp:99", "kettle:1", "lamp", "lamp:", "lamp:\0", "lamp:" + "9" * 99):
        answer = submit(SwitchOff(), stream=name, by=lamp.FLOOR, key="k", now=NOW)
        assert (answer.status, answer.refused.code, answer.state) == (404, "UNKNOWN_STREAM", None)
    assert not Event.objects.exists()


def test_a_late_entry_within_the_house_limit_is_marked_late(press):
    when = NOW - timedelta(minutes=15)
    answer = press(SwitchOn(watts=60), at=when)
    assert (answer.status, answer.state.since) == (200, when)
    assert (last().at, last().recorded_at, last().late) == (when, NOW, True)


def test_an_entry_later_than_the_house_allows_is_refused(press):
    answer = press(SwitchOn(watts=60), at=NOW - timedelta(minutes=15, seconds=1))
    assert (answer.status, answer.refused.code, answer.refused.clause) == (409, "TOO_LATE_TO_ENTER", "house")


def test_the_limit_of_late_entries_binds_people_only(press):
    answer = press(SwitchOn(watts=60), at=NOW - timedelta(hours=9), by=By(kind="system", name="sweep"))
    assert (answer.status, last().late) == (200, False)


def test_the_future_is_refused(press):
    answer = press(SwitchOn(watts=60), at=NOW + timedelta(microseconds=1))
    assert (answer.status, answer.refused.code) == (422, "IN_THE_FUTURE")


def test_an_absurd_time_is_refused_and_the_refusal_happened_now(press):
    for when in (
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=UTC),
    ):
        answer = press(SwitchOn(watts=60), at=when)
        assert answer.refused.code in ("TOO_LATE_TO_ENTER", "IN_THE_FUTURE")
        assert (last().at, last().late) == (NOW, False)
        assert msgspec.json.decode(last().data)["at"] == when.isoformat().replace("+00:00", "Z")


def test_the_rules_are_those_of_the_moment_of_the_act(press):
    def rules(state, settings, at):
        return lamp.LampRules(
            version=f"from {at:%H:%M}", house={"late_entry_minutes": 15, "left_on_minutes": 10}
        )

    other_lamps(rules=rules)
    press(SwitchOn(watts=60), at=NOW - timedelta(minutes=5))
    assert last().pack == "from 17:55"


def test_an_instant_without_zone_is_a_mistake_of_the_caller(press):
    with pytest.raises(ValueError, match="zone"):
        press(SwitchOn(watts=60), at=datetime(2026, 3, 4, 12))  # noqa: DTZ001


def test_rounds_are_counted_without_an_entry(press):
    press(SwitchOn(watts=60))
    answer = press(CountBlinks(count=3))
    assert (answer.status, answer.seq, answer.state.round) == (200, 2, 3)
    assert (stream().seq, stream().changed_seq, stream().round) == (2, 2, 3)
    press(SwitchOff())
    assert last().round == 3


def test_a_round_pressed_twice_counts_once(press):
    press(CountBlinks(count=3), key="same")
    assert press(CountBlinks(count=3), key="same").again
    assert stream().round == 3


def test_a_counted_event_may_change_nothing_but_the_counter(press):
    def evolve(state, entry):
        return msgspec.structs.replace(state, round=state.round + 1, burnt=state.burnt + 1)

    other_lamps(evolve=evolve)
    with pytest.raises(CountedEventChangedMore):
        press(CountBlinks())
    assert stream().round == 0


def test_deadlines_follow_the_state_in_the_same_transaction(press):
    press(SwitchOn(watts=60))
    due = Deadline.objects.get()
    assert (due.stream, due.kind, due.due_at) == ("lamp:1", "left_on", NOW + timedelta(minutes=10))
    assert (due.clause, due.property_id, due.topic, due.said_at) == ("L-3", 1, "pit:1", None)
    press(SwitchOff())
    assert not Deadline.objects.exists()


def test_a_deadline_that_stays_is_not_touched(press, django_assert_num_queries):
    press(SwitchOn(watts=60))
    Deadline.objects.update(said_at=NOW)
    with django_assert_num_queries(4 if connection.vendor == "postgresql" else 5):
        press(CountBlinks())  # savepoint, lock, write, release
    assert Deadline.objects.get().said_at == NOW


def test_a_projection_that_fails_takes_everything_back(press):
    def project(stream, state, entries):
        raise OperationalError("disk full")

    other_lamps(project=project)
    with pytest.raises(OperationalError):
        press(SwitchOn(watts=60))
    assert (stream().seq, Event.objects.count(), Receipt.objects.count(), Deadline.objects.count()) == (
        1,
        1,
        0,
        0,
    )


@pytest.mark.parametrize(
    "statement", ["SELECT s.name", "record_event", "record_stream SET", "deadlines_deadline"]
)
def test_a_database_that_goes_away_in_the_middle_leaves_nothing_and_the_next_press_does_it_once(
    press, statement
):
    def away(execute, sql, params, many, context):
        if statement in sql:
            raise OperationalError("server closed the connection")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(away), pytest.raises(OperationalError):
        press(SwitchOn(watts=60), key="same")
    assert (stream().seq, Event.objects.count(), Receipt.objects.count()) == (1, 1, 0)
    assert (press(SwitchOn(watts=60), key="same").again, press(SwitchOn(watts=60), key="same").again) == (
        False,
        True,
    )


def test_the_projection_gets_the_new_state_and_the_entries(press):
    seen = []
    other_lamps(project=lambda *told: seen.append(told))
    press(SwitchOn(watts=60))
    press(SwitchOn(watts=60))
    ((name, state, entries),) = seen
    assert (name, state.watts, [entry.seq for entry in entries]) == ("lamp:1", 60, [2])


def test_a_stream_is_opened_once(light):
    assert not create(light, property_id=1, topic="pit:9", by=lamp.MANAGER, now=NOW)
    assert (Event.objects.get().kind, stream().topic) == ("StreamOpened", "pit:1")


def test_a_stream_moves_to_another_pit_by_an_entry(press):
    press(SwitchOn(watts=60))
    assert move("lamp:1", topic="pit:2", by=lamp.MANAGER, now=NOW)
    assert not move("lamp:1", topic="pit:2", by=lamp.MANAGER, now=NOW)
    assert (last().kind, stream().topic, stream().changed_seq) == ("StreamMoved", "pit:2", 3)
    assert Deadline.objects.get().topic == "pit:2"
    there = msgspec.structs.replace(lamp.FLOOR, topics=frozenset({"pit:2"}))
    assert press(SwitchOff(), by=there).status == 200


class TestSeveralStreams:
    @pytest.fixture
    def second(self, light):
        create("lamp:2", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)

    def test_all_are_done(self, second):
        both = [("lamp:2", SwitchOn(watts=2)), ("lamp:1", SwitchOn(watts=1))]
        answers = submit_all(both, by=lamp.FLOOR, key="k", now=NOW)
        assert [(answer.status, answer.state.watts) for answer in answers] == [(200, 2), (200, 1)]
        again = submit_all(both, by=lamp.FLOOR, key="k", now=NOW)
        assert [answer.again for answer in again] == [True, True]
        assert Event.objects.filter(kind="SwitchedOn").count() == 2

    def test_or_none_and_each_stream_says_why(self, second):
        mixed = [("lamp:1", SwitchOn(watts=1)), ("lamp:2", SwitchOff())]
        answers = submit_all(mixed, by=lamp.FLOOR, key="k", now=NOW)
        assert [answer.refused.code for answer in answers] == ["OTHER_PART_REFUSED", "DARK_ALREADY"]
        assert not stream().changed_seq > 1
        assert Event.objects.filter(kind="Refused").count() == 2

    def test_none_when_one_is_not_there(self, light):
        answers = submit_all(
            [("lamp:1", SwitchOn(watts=1)), ("lamp:9", SwitchOff())], by=lamp.FLOOR, key="k", now=NOW
        )
        assert [answer.status for answer in answers] == [404, 404]
        assert stream().seq == 1

    def test_a_stream_stands_in_it_once(self, light):
        with pytest.raises(ValueError, match="twice"):
            submit_all([("lamp:1", SwitchOff()), ("lamp:1", SwitchOff())], by=lamp.FLOOR, key="k", now=NOW)


@pytest.mark.django_db(transaction=True)
def test_hooks_hear_of_changes_after_the_commit_and_of_refusals_never(heard, press):
    press(SwitchOn(watts=60))
    press(SwitchOn(watts=60))
    press(CountBlinks())
    told = [(change.changed_seq, len(change.entries), change.state.round) for change in heard]
    assert told == [(1, 1, 0), (2, 1, 0), (2, 0, 1)]
    assert (heard[1].stream, heard[1].property_id, heard[1].topic) == ("lamp:1", 1, "pit:1")


@pytest.mark.django_db(transaction=True)
def test_a_hook_that_fails_is_logged_and_the_command_stands(press, heard, caplog):
    def broken(changes):
        raise ConnectionError("Redis is away")

    registry._hooks.insert(0, broken)
    try:
        with caplog.at_level(logging.ERROR):
            assert press(SwitchOn(watts=60)).status == 200
    finally:
        registry.forget(broken)
    assert "broken" in caplog.text
    assert [change.changed_seq for change in heard][-1] == 2


@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_change_is_never_announced(press, heard):
    heard.clear()
    with transaction.atomic():
        press(SwitchOn(watts=60))
        transaction.set_rollback(True)
    assert not heard
    assert stream().seq == 1
