"""A message reaches the inbox of everybody who holds the role, or shows that it reached nobody."""

from datetime import time, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction

from pit.floor.models import Property
from pit.outbox import deliver, selectors, tasks
from pit.outbox.models import Delivery, Message
from pit.record.streams import create
from tests.db import lamp
from tests.db.conftest import NOW
from tests.db.lamp import SayOverdue, SwitchOn
from tests.db.test_door_at_once import together

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> Property:
    return Property.objects.create(key="here", name="Here", jurisdiction="ny", gaming_day_starts=time(6))


@pytest.fixture
def here(house, press):
    """`press` at a lamp of that property."""
    create("lamp:5", property_id=house.pk, topic="pit:1", by=lamp.MANAGER, now=NOW)
    press(SwitchOn(watts=60), stream="lamp:5")
    return lambda: press(SayOverdue(), stream="lamp:5")


def person(name: str, role: str, house: Property, **more):
    return get_user_model().objects.create_user(
        name, None, name=name, badge=name, role=role, property=house, **more
    )


def test_a_message_is_written_with_the_entry_that_causes_it(here, house):
    answer = here()
    message = Message.objects.get()
    assert (message.notification, message.stream, message.seq, message.property_id) == (
        "left_on", "lamp:5", answer.seq, house.pk,
    )  # fmt: skip
    assert (message.to, message.subject, message.body, message.clause, message.created_at) == (
        ("surveillance", "commission_staff"), "Lamp left on", "Since 18:00.", "L-3", NOW,
    )  # fmt: skip


def test_it_comes_to_everybody_of_its_groups_at_that_property(here, house):
    other = Property.objects.create(key="there", name="There", jurisdiction="pa", gaming_day_starts=time(6))
    expected = [
        person("sue", "surveillance", house),
        person("sam", "surveillance", house),
        person("cora", "commission_staff", house),
    ]
    person("floor", "floorperson", house)
    person("far", "surveillance", other)
    person("gone", "surveillance", house, is_active=False)
    here()
    assert deliver.deliver_all(NOW) == 1
    deliveries = Delivery.objects.order_by("pk")
    assert {row.staff for row in deliveries} == set(expected)
    assert {(row.status, row.channel, row.sent_at, row.delivered_at, row.read_at) for row in deliveries} == {
        ("delivered", "inbox", NOW, NOW, None)
    }


def test_nobody_to_tell_is_a_failed_delivery_that_shows(here, house):
    person("sue", "surveillance", house)
    here()
    deliver.deliver_all(NOW)
    failed, alarm = sorted(selectors.undelivered(house.pk, since=NOW), key=lambda one: one.pk)[:2]
    assert alarm.message.notification == "nobody_to_tell"
    assert (failed.group, failed.staff, failed.error) == ("commission_staff", None, deliver.NOBODY)
    assert failed.delivered_at is None
    assert failed in selectors.undelivered(None, since=NOW)
    assert not selectors.undelivered(house.pk + 1, since=NOW)
    assert not selectors.undelivered(house.pk, since=NOW + timedelta(days=1))


def test_delivering_twice_delivers_once(here, house):
    person("sue", "surveillance", house)
    here()
    assert [deliver.deliver_all(NOW), deliver.deliver_all(NOW)] == [1, 0]
    message = Message.objects.get(notification="left_on")
    assert not deliver.deliver(message.id, now=NOW)
    assert message.deliveries.count() == 2


def test_sent_read_and_acknowledged_are_different_times(here, house):
    sue = person("sue", "surveillance", house)
    here()
    deliver.deliver_all(NOW)
    (mine,) = selectors.inbox(sue)
    assert (mine.message.subject, selectors.unread(sue)) == ("Lamp left on", 1)
    assert selectors.mark_read(sue, now=NOW + timedelta(minutes=1)) == 1
    assert selectors.acknowledge(sue, mine.pk, now=NOW + timedelta(minutes=2))
    assert not selectors.acknowledge(sue, mine.pk, now=NOW + timedelta(minutes=9))
    mine.refresh_from_db()
    times = [mine.sent_at, mine.delivered_at, mine.read_at, mine.acknowledged_at]
    assert [(at - NOW).seconds // 60 for at in times] == [0, 0, 1, 2]
    assert selectors.unread(sue) == 0


def test_acknowledging_unseen_counts_as_read_then(here, house):
    sue = person("sue", "surveillance", house)
    here()
    deliver.deliver_all(NOW)
    assert selectors.acknowledge(sue, selectors.inbox(sue).get().pk, now=NOW)
    assert selectors.inbox(sue).get().read_at == NOW


def test_nobody_acknowledges_for_another(here, house):
    person("sue", "surveillance", house)
    cora = person("cora", "commission_staff", house)
    here()
    deliver.deliver_all(NOW)
    foreign = Delivery.objects.exclude(staff=cora).get()
    assert not selectors.acknowledge(cora, foreign.pk, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_it_is_in_the_inbox_as_soon_as_the_command_is_committed(here, house, clock):
    sue = person("sue", "surveillance", house)
    here()
    assert selectors.unread(sue) == 1
    assert selectors.inbox(sue).get().delivered_at == clock.now()


@pytest.mark.django_db(transaction=True)
def test_what_a_crash_left_behind_the_beat_s_task_delivers(here, house, clock):
    sue = person("sue", "surveillance", house)
    with transaction.atomic():
        here()
        transaction.get_connection().run_on_commit.clear()  # the process dies after the commit
    assert selectors.unread(sue) == 0
    assert tasks.deliver() == 1
    assert selectors.unread(sue) == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_deliver_a_message_once(here, house):
    person("sue", "surveillance", house)
    with transaction.atomic():
        here()
        transaction.get_connection().run_on_commit.clear()
    given = together(*[lambda: deliver.deliver_all(NOW)] * 3)
    assert sum(given) == 1
    assert Delivery.objects.filter(message__notification="left_on").count() == 2
