"""What fell due is said once, with its true time, however often and by however many it is swept."""

import logging
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError, connections

from pit.deadlines import selectors, tasks
from pit.deadlines.models import Deadline, Heartbeat
from pit.deadlines.sweep import key_of, sweep
from pit.record import registry
from pit.record.contract import Due, StreamKind
from pit.record.door import submit
from pit.record.models import Event, Stream
from pit.record.streams import create
from pit.record.verify import verify
from tests.db import lamp
from tests.db.conftest import NOW, other_lamps
from tests.db.lamp import LampRules, SwitchOff, SwitchOn
from tests.db.test_door_at_once import together

pytestmark = pytest.mark.django_db

DUE = NOW + timedelta(minutes=10)


def said() -> list[Event]:
    return list(Event.objects.filter(kind="WasLeftOn").order_by("stream", "seq"))


def test_nothing_is_said_before_it_is_due(press):
    press(SwitchOn(watts=60))
    assert sweep(DUE - timedelta(microseconds=1)) == 0
    assert not said()


def test_what_fell_due_is_said_with_its_due_time_by_the_system(press):
    press(SwitchOn(watts=60))
    late = DUE + timedelta(hours=3)
    assert sweep(late) == 1
    (event,) = said()
    assert (event.at, event.recorded_at, event.late, event.actor_kind) == (DUE, late, False, "system")
    assert Deadline.objects.get().said_at == late
    assert Stream.objects.get().changed_seq == event.seq


def test_a_second_sweep_says_nothing_again(press):
    press(SwitchOn(watts=60))
    assert [sweep(DUE), sweep(DUE), sweep(DUE + timedelta(days=1))] == [1, 0, 0]
    assert len(said()) == 1


def test_a_sweep_killed_before_it_noted_what_it_said_does_not_say_it_twice(press):
    press(SwitchOn(watts=60))
    sweep(DUE)
    Deadline.objects.update(said_at=None)
    other_lamps(due_command=lambda state, due: lamp.SayOverdue())
    sweep(DUE + timedelta(minutes=1))
    assert len(said()) == 1
    assert Deadline.objects.get().said_at is not None


def test_a_deadline_that_moved_is_said_anew(press):
    press(SwitchOn(watts=60))
    sweep(DUE)
    press(SwitchOff())
    press(SwitchOn(watts=60), now=DUE)
    assert Deadline.objects.get().said_at is None
    sweep(DUE + timedelta(minutes=10))
    assert [event.at for event in said()] == [DUE, DUE + timedelta(minutes=10)]


def test_when_there_is_nothing_to_say_it_is_laid_aside(press):
    press(SwitchOn(watts=60))
    other_lamps(due_command=lambda state, due: None)
    sweep(DUE)
    assert not said()
    assert Deadline.objects.get().said_at == DUE


def test_a_refusal_is_recorded_logged_and_not_tried_for_ever(press, caplog):
    press(SwitchOn(watts=60))
    other_lamps(due_command=lambda state, due: SwitchOn(watts=1))
    with caplog.at_level(logging.WARNING):
        assert [sweep(DUE), sweep(DUE)] == [1, 0]
    assert "LIT_ALREADY" in caplog.text
    assert Event.objects.latest("seq").kind == "Refused"


def test_one_broken_stream_does_not_stop_the_others_and_shows(press, caplog):
    for name in ("lamp:2", "lamp:3"):
        create(name, property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)
    for name in ("lamp:1", "lamp:2", "lamp:3"):
        press(SwitchOn(watts=60), stream=name)
    Stream.objects.filter(name="lamp:2").update(state='{"lit": "who knows"}')
    assert sweep(DUE) == 2
    assert [event.stream for event in said()] == ["lamp:1", "lamp:3"]
    assert selectors.heartbeats(DUE)["sweep"] == {"at": DUE, "ok": False}
    Stream.objects.filter(name="lamp:2").update(state=Stream.objects.get(name="lamp:1").state)
    other_lamps(due_command=lambda state, due: lamp.SayOverdue())
    assert sweep(DUE) == 1
    assert selectors.heartbeats(DUE)["sweep"]["ok"]


def test_a_database_that_is_gone_ends_the_sweep(press, monkeypatch):
    press(SwitchOn(watts=60))

    def gone(state, due):
        monkeypatch.setattr(connections["default"], "is_usable", lambda: False)
        raise OperationalError("gone")

    other_lamps(due_command=gone)
    with pytest.raises(OperationalError):
        sweep(DUE)
    assert not Heartbeat.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_the_same_moment_say_each_thing_once(press):
    for number in range(2, 6):
        create(f"lamp:{number}", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)
    for number in range(1, 6):
        press(SwitchOn(watts=60), stream=f"lamp:{number}")
    given = together(*[lambda: sweep(DUE)] * 3)
    assert not [one for one in given if isinstance(one, Exception)]
    assert [event.stream for event in said()] == [f"lamp:{number}" for number in range(1, 6)]
    assert not Deadline.objects.filter(said_at=None).exists()
    assert not list(verify())


@pytest.mark.django_db(transaction=True)
def test_a_tap_at_the_moment_of_the_sweep_keeps_the_record_whole(press):
    press(SwitchOn(watts=60))
    together(lambda: sweep(DUE), lambda: press(SwitchOff(), now=DUE))
    assert not list(verify())


def test_overdue_is_a_fact_of_the_clock_and_needs_no_sweep(press):
    press(SwitchOn(watts=60))
    assert not selectors.overdue(DUE - timedelta(seconds=1)).exists()
    assert [row.kind for row in selectors.overdue(DUE)] == ["left_on"]
    assert [row.kind for row in selectors.overdue(DUE, topics=["pit:1"])] == ["left_on"]
    assert not selectors.overdue(DUE, topics=["pit:2"]).exists()


def test_the_heartbeat_tells_a_sweep_that_stopped():
    assert selectors.heartbeats(NOW) == {"sweep": {"at": None, "ok": False}}
    sweep(NOW)
    every = settings.CELERY_BEAT_SCHEDULE["sweep-deadlines"]["schedule"]
    assert selectors.heartbeats(NOW + every * 6)["sweep"] == {"at": NOW, "ok": True}
    assert not selectors.heartbeats(NOW + every * 7)["sweep"]["ok"]


def test_the_beat_s_task_sweeps(press, clock):
    press(SwitchOn(watts=60))
    clock.to(DUE)
    assert tasks.sweep.name == settings.CELERY_BEAT_SCHEDULE["sweep-deadlines"]["task"]
    assert tasks.sweep() == 1


def test_the_key_of_a_passed_deadline_is_always_the_same_and_always_usable():
    for kind in ("left_on", "dice_over_24h:DS-7", "x" * 80, "mit Umlaut ä"):
        key = key_of(Due(kind=kind, due_at=DUE))
        assert key == key_of(Due(kind=kind, due_at=DUE))
        assert 1 <= len(key) <= 64
        assert key.isascii()
        assert " " not in key
    assert key_of(Due(kind="left_on", due_at=DUE)) == "due:left_on:20260304T181000.000000Z"


class TestSettingsOfTheProperty:
    @pytest.fixture
    def house(self, press):
        """A property stream whose state is the minutes after which a lamp is left on too long."""
        kind = StreamKind(
            name="property",
            state=lamp.Lamp,
            commands=lamp.COMMANDS,
            events=lamp.EVENTS,
            initial=lamp.Lamp,
            decide=lamp.decide,
            evolve=lamp.evolve,
            clause_of=lambda command, event, rules: "house",
            rules=lambda state, settings, at: LampRules(version=f"of {settings.watts}"),
            due_command=lambda state, due: None,
        )
        kept = registry.kind_of("property")
        registry.unregister("property")
        registry.register(kind)
        create("property:1", property_id=1, topic="property:1", by=lamp.MANAGER, now=NOW)

        def rules(state, settings, at):
            minutes = settings.watts if settings and settings.watts else 10
            return LampRules(version=f"{minutes} min", house={"left_on_minutes": minutes})

        other_lamps(rules=rules)
        yield lambda minutes, key: [
            submit(SwitchOff(), stream="property:1", by=lamp.MANAGER, key=f"{key}-", now=NOW),
            submit(SwitchOn(watts=minutes), stream="property:1", by=lamp.MANAGER, key=key, now=NOW),
        ]
        registry.unregister("property")
        if kept:
            registry.register(kept)

    def test_a_command_is_judged_by_the_settings_in_force(self, house, press):
        house(25, "a")
        press(SwitchOn(watts=60))
        assert Deadline.objects.get().due_at == NOW + timedelta(minutes=25)
        assert Event.objects.filter(stream="lamp:1").latest("seq").pack == "25 min"

    def test_a_changed_setting_moves_the_deadlines_of_streams_at_rest(self, house, press):
        press(SwitchOn(watts=60))
        house(25, "a")
        sweep(NOW)
        assert Deadline.objects.get().due_at == NOW + timedelta(minutes=25)
        house(5, "b")
        sweep(NOW)
        assert Deadline.objects.get().due_at == NOW + timedelta(minutes=5)
        assert not list(verify(["lamp:1"]))
