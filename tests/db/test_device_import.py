"""[[gateway]] and [[device]] of a floor file: made, moved, told what is wrong, and twice is once."""

from __future__ import annotations

import pytest

from devices.models import Device, Gateway
from pit.floor.imports import Result, import_floor
from pit.record.models import Event
from tests.gateways import DEVICES, HOUSE, NOON, SHUFFLER_TABLE

pytestmark = pytest.mark.django_db

TABLES = SHUFFLER_TABLE.format(game="blackjack", decks=6)


def brought(*, devices: str = DEVICES, url: str = "http://127.0.0.1:9") -> Result:
    return import_floor(HOUSE.format(place="ny", url=url, tables=TABLES, devices=devices), now=NOON)


def test_a_floor_brings_its_gateways_and_devices_and_twice_is_once():
    assert not brought().problems
    device = Device.objects.get(key="SH-1")
    assert (device.table.number, device.gateway.name, device.status) == ("BJ-01", "GW-1", "installed")
    entries = Event.objects.count()
    again = brought()
    assert (again.counts["+"], again.counts["~"], Event.objects.count()) == (0, 0, entries)


def test_a_changed_address_changes_the_gateway_alone():
    brought()
    changed = brought(url="http://127.0.0.1:10")
    assert changed.counts["~"] == 2
    assert Gateway.objects.get(name="GW-1").url == "http://127.0.0.1:10/GW-1"


@pytest.mark.parametrize(
    ("was", "now", "field"),
    [
        ('approval_ref = "LAB 12"', 'approval_ref = ""', "device"),
        ('gateway = "GW-1"', 'gateway = "GW-9"', "device.gateway"),
        ('table = "BJ-01"', 'table = "BJ-99"', "device.table"),
        ('id = "SH-1"', 'id = "SH-7"', "device.table"),
        ('kind = "shuffler"', 'kind = "toaster"', "device.kind"),
        ('id = "CT-1"', 'id = "SH-1"', "device.id"),
    ],
)
def test_what_cannot_be_is_told_with_line_and_field_and_nothing_is_brought(was, now, field):
    found = brought(devices=DEVICES.replace(was, now, 1))
    assert [one.field.split(".")[0] for one in found.problems] != []
    assert any(one.field.startswith(field) for one in found.problems), found.problems
    assert not Device.objects.exists()


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://169.254.169.254", "http://a:b@127.0.0.1"])
def test_an_address_that_may_not_be_called_is_refused(url):
    assert {one.field for one in brought(url=url).problems} >= {"gateway.url"}
    assert not Gateway.objects.exists()


def test_a_device_whose_table_changed_in_the_file_is_moved():
    brought()
    store = DEVICES.replace('table = "BJ-01"', 'table = ""')
    assert not brought(devices=store).problems
    assert Device.objects.get(key="SH-1").status == "stored"
