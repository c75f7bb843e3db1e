"""Several at the door at the same moment."""

import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.db import connection, connections, transaction

from pit.record import registry
from pit.record.contract import Answer
from pit.record.door import submit, submit_all
from pit.record.models import Event, Receipt, Stream
from pit.record.streams import create
from pit.record.verify import verify
from tests.db import lamp
from tests.db.conftest import NOW, other_lamps
from tests.db.lamp import CountBlinks, SwitchOff, SwitchOn

pytestmark = pytest.mark.django_db(transaction=True)


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Runs each act in a thread of its own, all let go at once; gives what they gave."""
    gate = threading.Barrier(len(acts))
    given: list[Any] = [None] * len(acts)

    def run(at: int, act: Callable[[], Any]) -> None:
        try:
            gate.wait(10)
            given[at] = act()
        except Exception as error:
            given[at] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(at, act)) for at, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return given


def at_lamp(command: Any, key: str, stream: str = "lamp:1") -> Callable[[], Answer]:
    return lambda: submit(command, stream=stream, by=lamp.FLOOR, key=key, now=NOW)


def test_two_threads_on_one_stream_are_judged_one_after_the_other(light):
    answers = together(at_lamp(SwitchOn(watts=40), "a"), at_lamp(SwitchOn(watts=60), "b"))
    assert sorted(answer.status for answer in answers) == [200, 409]
    assert [event.kind for event in Event.objects.order_by("seq")] == [
        "StreamOpened",
        "SwitchedOn",
        "Refused",
    ]


def test_many_threads_leave_no_gap_and_lose_no_count(light):
    def blinks(name: str) -> Callable[[], list[Answer]]:
        return lambda: [at_lamp(CountBlinks(), f"{name}-{n}")() for n in range(5)]

    def switches() -> list[Answer]:
        return [at_lamp(SwitchOn(watts=1) if n % 2 == 0 else SwitchOff(), f"s-{n}")() for n in range(6)]

    together(*(blinks(name) for name in "abcd"), switches)
    stream = Stream.objects.get(name=light)
    assert (stream.round, stream.seq) == (20, 7)
    assert not list(verify([light]))


def test_the_same_key_pressed_twice_at_once_is_one_act_with_one_answer(light):
    for key in "abcdef":
        first, second = together(*[at_lamp(CountBlinks(count=1), key)] * 2)
        assert {first.again, second.again} == {False, True}
        assert msgspec.structs.replace(first, again=True) == msgspec.structs.replace(second, again=True)
    assert Stream.objects.get(name=light).round == 6
    assert Receipt.objects.count() == 6


def test_who_waited_for_the_lock_meets_the_receipt_that_was_written_meanwhile(light):
    """The second press of a key waits for the first, which commits only then: it must not act again."""
    locked, waiting = threading.Event(), threading.Event()

    def slow(stream: str, state: Any, entries: Any) -> None:
        locked.set()
        waiting.wait(10)

    def second() -> Answer:
        locked.wait(10)
        threading.Timer(0.2, waiting.set).start()
        return at_lamp(SwitchOn(watts=60), "same")()

    other_lamps(project=slow)
    first_answer, second_answer = together(at_lamp(SwitchOn(watts=60), "same"), second)
    assert (first_answer.again, second_answer.again) == (False, True)
    assert Event.objects.filter(kind="SwitchedOn").count() == 1
    assert not Event.objects.filter(kind="Refused").exists()


def test_the_same_key_with_another_command_at_once_gives_one_act_and_one_refusal(light):
    answers = together(at_lamp(CountBlinks(count=1), "k"), at_lamp(CountBlinks(count=2), "k"))
    assert sorted(answer.status for answer in answers) == [200, 422]
    assert [answer.refused.code for answer in answers if answer.refused] == ["KEY_REUSED"]


def test_commands_over_two_streams_in_either_order_do_not_lock_each_other_out(light):
    create("lamp:2", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)

    def both(names: tuple[str, str], key: str) -> Callable[[], Any]:
        def act() -> Any:
            return [
                submit_all([(name, CountBlinks()) for name in names], by=lamp.FLOOR, key=f"{key}{n}", now=NOW)
                for n in range(10)
            ]

        return act

    given = together(both(("lamp:1", "lamp:2"), "a"), both(("lamp:2", "lamp:1"), "b"))
    assert not [one for one in given if isinstance(one, Exception)]
    assert set(Stream.objects.values_list("round", flat=True)) == {20}


def test_a_stream_opened_twice_at_once_is_opened_once(lamps):
    opened = together(*[lambda: create("lamp:1", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)] * 3)
    assert sorted(opened) == [False, False, True]
    assert Event.objects.count() == 1


def test_different_streams_do_not_lock_each_other_out(light):
    """PostgreSQL: the second commits while the first is still open. SQLite has one writer: they come in turn."""
    create("lamp:2", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)
    second = at_lamp(SwitchOn(watts=1), "b", "lamp:2")
    if connection.vendor == "sqlite":
        answers = together(at_lamp(SwitchOn(watts=1), "a"), second)
    else:
        with transaction.atomic():
            first = at_lamp(SwitchOn(watts=1), "a")()
            answers = [first, *together(second)]
    assert [answer.status for answer in answers] == [200, 200]


def test_hooks_run_in_the_thread_that_pressed_and_after_its_commit(light):
    seen = []

    def look(changes: Any) -> None:
        connections["default"].ensure_connection()
        seen.append((threading.get_ident(), connection.in_atomic_block, Stream.objects.get(name=light).seq))

    registry.after_commit(look)
    try:
        at_lamp(SwitchOn(watts=60), "a")()
    finally:
        registry.forget(look)
    assert seen == [(threading.get_ident(), False, 2)]
