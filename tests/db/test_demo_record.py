"""The Record with real tables in it: the demo floor lives through the door, and its record is whole and replays."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from pit.deadlines.sweep import sweep
from pit.floor.models import Property
from pit.record.models import Event, Stream
from pit.record.verify import verify
from pit.web import clock as site_clock
from tables.models import Table

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]


@pytest.fixture
def demo(settings, clock) -> None:
    settings.DEMO = True
    call_command("load_demo", stdout=StringIO())


def test_the_demo_s_record_is_whole_swept_and_rebuilt(demo):
    sweep(site_clock.now() + timedelta(days=2))
    assert Event.objects.filter(kind="DueSaid").exists()
    assert not list(verify())
    before = list(Stream.objects.order_by("name").values())
    rows = list(Table.objects.order_by("pk").values())
    Table.objects.update(stage="CLOSED", needs=0, holds=[])
    Property.objects.update(zone="UTC")
    differing = {fault.stream.partition(":")[0] for fault in verify()}
    call_command("rebuild_projection", stdout=StringIO())
    assert differing == {"table", "property"}
    assert not list(verify())
    assert list(Table.objects.order_by("pk").values()) == rows
    assert [row | {"rules_seq": 0} for row in Stream.objects.order_by("name").values()] == [
        row | {"rules_seq": 0} for row in before
    ]
