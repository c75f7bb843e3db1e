"""The inbox: own messages only, read and acknowledged at two different times."""

import pytest

from pit.outbox import deliver
from pit.outbox.models import Delivery, Message
from pit.record import contract
from tests.people import make_staff
from tests.pit import NOW


@pytest.fixture
def message(place, table, floorperson):
    told = contract.Message(
        notification="idle_reminder",
        to=("floorperson",),
        subject="Table BJ-01: dead game",
        body="Look there.",
    )
    (found,) = Message.objects.post([told], stream=table.stream, seq=2, property_id=place.pk, now=NOW)
    deliver.deliver(found, now=NOW)
    return Delivery.objects.get(message_id=found)


def test_a_message_is_shown_counted_and_read(signed_in, message):
    page = signed_in.get("/inbox/").content.decode()
    assert "Table BJ-01: dead game" in page
    assert "1 to acknowledge" in page
    message.refresh_from_db()
    assert message.read_at
    assert message.acknowledged_at is None


def test_acknowledging_is_a_time_of_its_own(signed_in, message, clock):
    signed_in.get("/inbox/")
    later = clock.forward(minutes=3)
    assert signed_in.post(f"/inbox/{message.pk}/acknowledge").status_code == 302
    message.refresh_from_db()
    assert message.acknowledged_at == later
    assert "Acknowledged" in signed_in.get("/inbox/").content.decode()


def test_nobody_acknowledges_for_another(client, place, message):
    client.force_login(make_staff(place, "surveillance"))
    client.post(f"/inbox/{message.pk}/acknowledge")
    message.refresh_from_db()
    assert message.acknowledged_at is None


def test_acknowledging_is_a_post(signed_in, message):
    assert signed_in.get(f"/inbox/{message.pk}/acknowledge").status_code == 405


@pytest.mark.parametrize(
    ("role", "shown"), [("table_games_shift_manager", True), ("compliance", True), ("floorperson", False)]
)
def test_a_message_that_reached_nobody_shows_to_those_who_can_put_that_right(client, place, role, shown):
    told = contract.Message(
        notification="unsuitable_card", to=("surveillance",), subject="Unsuitable card", body=""
    )
    (lost,) = Message.objects.post([told], stream="table:1", seq=3, property_id=place.pk, now=NOW)
    deliver.deliver(lost, now=NOW)
    client.force_login(make_staff(place, role))
    page = client.get("/inbox/").content.decode()
    assert ("Reached nobody" in page, deliver.NOBODY in page) == (shown, shown)
