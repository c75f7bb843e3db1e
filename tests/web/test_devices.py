"""Pages of gateways and devices: everybody of the house reads them, technicians keep them, nobody of another house."""

from __future__ import annotations

import pytest
from django.test import Client

from devices import registry
from devices.models import Device, Gateway
from pit.record import door, selectors, streams
from pit.record.contract import By
from pit.record.models import Event
from pit.web import clock
from tables.domain.commands import DeclareOutOfOrder, SetUpTable
from tables.domain.state import BatchSpec, DeviceSpec
from tables.models import Table
from tests.people import make_everybody, make_property

pytestmark = pytest.mark.django_db
SYSTEM = By(kind="system", name="test", role="system")


@pytest.fixture
def house():
    return make_property()


@pytest.fixture
def people(house):
    return make_everybody(house)


def table(house, number: str, *devices: DeviceSpec) -> Table:
    pit = house.pits.first()
    made = Table.objects.create(property=house, pit=pit, number=number, game="blackjack", seats=7)
    streams.create(made.stream, property_id=house.pk, topic=pit.topic, by=SYSTEM, now=clock.now())
    batches = (BatchSpec(id="A", back="red"), BatchSpec(id="B", back="blue"))
    command = SetUpTable(
        number=number, game="blackjack", seats=7, decks=6, rack_decks=6, batches=batches, devices=devices
    )
    answer = door.submit(command, stream=made.stream, by=SYSTEM, key=f"set-{number}", now=clock.now())
    assert answer.refused is None
    return made


def as_(person) -> Client:
    client = Client()
    client.force_login(person, backend="pit.people.backends.PasswordBackend")
    return client


FIELDS = {
    "key": "SH-9",
    "kind": "shuffler",
    "serial": "S 9",
    "maker": "Ashford",
    "model": "Twin 6",
    "approval_ref": "LAB",
}


def test_a_technician_registers_a_device_and_its_page_says_what_it_is(house, people):
    answer = as_(people["technician"]).post("/devices/new", FIELDS)
    device = Device.objects.get(key="SH-9")
    assert (answer.status_code, answer.url) == (302, f"/devices/{device.pk}/")
    page = as_(people["floorperson"]).get(f"/devices/{device.pk}/").content.decode()
    assert "Ashford Twin 6" in page
    assert "Speaks to no gateway" in page
    assert Event.objects.filter(
        stream=device.stream, kind="DeviceRegistered", actor_name=people["technician"].name
    ).exists()


def test_what_is_refused_leaves_no_device_behind(house, people):
    answer = as_(people["technician"]).post("/devices/new", {**FIELDS, "firmware": "nonsense"})
    assert answer.status_code == 422
    assert not Device.objects.exists()


@pytest.mark.parametrize(
    "role", ["floorperson", "pit_manager", "commission_staff", "surveillance", "compliance"]
)
def test_who_keeps_no_devices_sees_them_and_changes_nothing(house, people, role):
    device = registry.create(house, "SH-9", by=SYSTEM, now=clock.now())
    gateway = Gateway.objects.create(property=house, name="GW-1", url="http://127.0.0.1:9")
    client = as_(people[role])
    assert client.get("/devices/").status_code == 200
    assert client.get(f"/devices/{device.pk}/").status_code == 200
    assert client.get(f"/gateways/{gateway.pk}/").status_code == 200
    for address in (
        "/devices/new",
        "/gateways/new",
        f"/devices/{device.pk}/move",
        f"/devices/{device.pk}/retire",
        f"/gateways/{gateway.pk}/change",
        f"/gateways/{gateway.pk}/reread",
    ):
        assert client.post(address, FIELDS).status_code == 403, address


def test_another_house_sees_nothing(house, people):
    device = registry.create(house, "SH-9", by=SYSTEM, now=clock.now())
    gateway = Gateway.objects.create(property=house, name="GW-1", url="http://127.0.0.1:9")
    stranger = as_(make_everybody(make_property("pa", "pa"))["technician"])
    assert "SH-9" not in stranger.get("/devices/").content.decode()
    for address in (f"/devices/{device.pk}/", f"/gateways/{gateway.pk}/"):
        assert stranger.get(address).status_code == 404
    assert stranger.post(f"/devices/{device.pk}/retire", {"reason": "x"}).status_code == 404


def test_only_an_approved_device_comes_to_a_table(house, people):
    client, made = as_(people["technician"]), table(house, "BJ-01")
    client.post("/devices/new", {**FIELDS, "kind": "counter", "approval_ref": ""})
    device = Device.objects.get(key="SH-9")
    refused = client.post(f"/devices/{device.pk}/move", {"table": made.number})
    assert refused.status_code == 409
    assert "DEVICE_NOT_APPROVED" in refused.content.decode()
    client.post(f"/devices/{device.pk}/describe", {**FIELDS, "kind": "counter"})
    assert client.post(f"/devices/{device.pk}/move", {"table": made.number}).status_code == 302
    device.refresh_from_db()
    assert (device.table, device.status) == (made, "installed")
    assert "Came to BJ-01" in client.get(f"/devices/{device.pk}/").content.decode()


def test_a_device_is_retired_only_from_the_store_and_then_for_good(house, people):
    client, made = as_(people["technician"]), table(house, "BJ-01")
    client.post("/devices/new", {**FIELDS, "kind": "counter"})
    device = Device.objects.get(key="SH-9")
    client.post(f"/devices/{device.pk}/move", {"table": made.number})
    assert client.post(f"/devices/{device.pk}/retire", {"reason": "old"}).status_code == 409
    client.post(f"/devices/{device.pk}/move", {"table": ""})
    assert client.post(f"/devices/{device.pk}/retire", {"reason": "old"}).status_code == 302
    assert (
        "DEVICE_RETIRED" in client.post(f"/devices/{device.pk}/move", {"table": made.number}).content.decode()
    )


def test_a_gateways_address_is_checked_where_it_is_typed(house, people, settings):
    client = as_(people["technician"])
    given = {
        "name": "GW-1",
        "url": "http://169.254.169.254/",
        "interval_ms": 1000,
        "grace_s": 10,
        "active": "on",
    }
    assert client.post("/gateways/new", given).status_code == 422
    settings.GATEWAY_HOSTS = ["10.20.0.0/16"]
    assert client.post("/gateways/new", {**given, "url": "http://10.30.0.1"}).status_code == 422
    assert client.post("/gateways/new", {**given, "url": "http://10.20.3.4:8443/gw"}).status_code == 302
    assert Gateway.objects.get().url == "http://10.20.3.4:8443/gw"


def test_programs_read_the_same_as_json(house, people):
    registry.create(house, "SH-9", by=SYSTEM, now=clock.now())
    Gateway.objects.create(property=house, name="GW-1", url="http://127.0.0.1:9")
    told = as_(people["surveillance"]).get("/devices.json").json()
    assert [one["key"] for one in told["devices"]] == ["SH-9"]
    assert [(one["name"], one["health"]) for one in told["gateways"]] == [("GW-1", "unknown")]


def test_a_search_finds_by_serial(house, people):
    client = as_(people["technician"])
    client.post("/devices/new", FIELDS)
    client.post("/devices/new", {**FIELDS, "key": "SH-10", "serial": "T 10"})
    assert "SH-9" not in client.get("/devices/?q=T+10").content.decode()


def test_the_list_asks_the_database_as_often_for_many_as_for_few(
    house, people, django_assert_max_num_queries
):
    client, made = as_(people["surveillance"]), table(house, "BJ-01")
    for nth in range(30):
        device = registry.create(house, f"CT-{nth}", by=SYSTEM, now=clock.now())
        fields = {**FIELDS, "key": f"CT-{nth}", "kind": "counter", "serial": f"C {nth}"}
        registry.describe(device, fields, by=SYSTEM, now=clock.now(), key=f"d{nth}")
        registry.place(device, made, by=SYSTEM, now=clock.now(), key=f"p{nth}")
    with django_assert_max_num_queries(12):
        assert client.get("/devices/").status_code == 200


def test_what_its_table_holds_to_be_out_of_order_is_not_shown_as_well(house, people):
    made = table(house, "BJ-01", DeviceSpec(id="SH-9", kind="shuffler"))
    client = as_(people["technician"])
    client.post("/devices/new", FIELDS)
    device = Device.objects.get(key="SH-9")
    registry.place(device, made, by=SYSTEM, now=clock.now(), key="place")
    declare = DeclareOutOfOrder(device="SH-9", fault="SHUF_INOP")
    technician = By(id=people["technician"].pk, name="T", role="technician", property_id=house.pk)
    assert door.submit(declare, stream=made.stream, by=technician, key="out", now=clock.now()).refused is None
    told = client.get("/devices.json").json()["devices"]
    assert [(one["state"], one["word"]) for one in told] == [("out", "Out of order")]
    page = client.get(f"/devices/{device.pk}/").content.decode()
    assert f"/tables/{made.pk}/CoverDevice?device=SH-9" in page
    assert "Out of order" in client.get(f"/devices/at/{made.pk}").content.decode()


def test_a_device_moves_with_the_equipment_of_both_its_tables(house, people):
    from_, to = table(house, "BJ-01", DeviceSpec(id="SH-9", kind="shuffler")), table(house, "BJ-02")
    client = as_(people["technician"])
    client.post("/devices/new", FIELDS)
    device = Device.objects.get(key="SH-9")
    registry.place(device, from_, by=SYSTEM, now=clock.now(), key="place")
    moved = client.post(f"/devices/{device.pk}/move", {"table": "BJ-02"})
    assert moved.status_code == 302, moved.content.decode()
    device.refresh_from_db()
    assert device.table == to
    equipment = {
        one.number: [spec.id for spec in selectors.look(one.stream, now=clock.now()).state.config.devices]
        for one in (from_, to)
    }
    assert equipment == {"BJ-01": [], "BJ-02": ["SH-9"]}
