"""Every address with every role: nobody unknown comes in, nobody sees another house, who only reads changes nothing."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from pit.floor.imports import import_floor
from pit.floor.models import Property
from pit.people.roles import LOGIN_ROLES, RIGHTS
from pit.record.models import Stream
from pit.web import clock as web_clock
from tables.domain.commands import COMMANDS
from tables.models import Table
from tests.people import make_everybody, make_property, make_staff

pytestmark = pytest.mark.django_db
REGISTRY = {"/devices/new", "/gateways/new"}
OPEN = {"/healthz", "/readyz", "/accounts/login/", "/api/openapi.json"}
FLOOR = """
[property]
key = "river"
name = "River House"
jurisdiction = "ny"
zone = "America/New_York"
[[pit]]
number = 1
[[table]]
pit = 1
number = "BJ-01"
game = "blackjack"
seats = 7
decks = 6
rack_decks = 6
batches = [{ id = "red", back = "red" }]
"""


@pytest.fixture
def place():
    assert not import_floor(FLOOR, now=web_clock.now()).problems
    return Property.objects.get()


def addresses(place):
    """Every address of the site but the admin's, with the keys of this house in it."""
    table = Table.objects.get()
    keys = {"pits": table.pit_id, "tables": table.pk, "properties": place.pk}
    found = [
        _filled(text, keys)
        for text in _walk(get_resolver().url_patterns, "")
        if not text.startswith("admin/")
    ]
    assert len(found) > 20
    return found


def _walk(patterns, before):
    for one in patterns:
        text = before + str(one.pattern)
        if hasattr(one, "url_patterns"):
            yield from _walk(one.url_patterns, text)
        else:
            yield text


def _filled(text, keys):
    kind = re.search(r"(\w+)/<int:pk>", text)
    text = text.replace("<int:pk>", str(keys.get(kind[1] if kind else "", 1)))
    return "/" + text.replace("<str:command>", "OpenTable").replace("<int:seat>", "1")


def house_addresses(place):
    """Those that name something of this house."""
    return [text for text in addresses(place) if re.search(r"(pits|tables|properties)/\d", text)]


def ask(client, method, address, **headers):
    return getattr(client, method)(address, {"key": "k"} if method == "post" else None, headers=headers)


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_is_not_signed_in_gets_nothing_but_the_sign_in(place, method):
    for address in set(addresses(place)) - OPEN:
        page = ask(Client(), method, address)
        where = page.headers.get("Location", "")
        assert page.status_code == 401 or where.startswith("/accounts/login/?next="), (
            address,
            page.status_code,
        )
        tile = ask(Client(), method, address, **{"HX-Request": "true"})
        assert tile.headers.get("HX-Redirect", "").startswith("/accounts/login/"), address
        program = ask(Client(), method, address, Accept="application/json")
        assert (program.status_code, "refused" in program.json()) == (401, True), address


@pytest.mark.parametrize("role", sorted(LOGIN_ROLES))
def test_every_page_answers_every_role_of_the_house(place, role):
    client = Client()
    client.force_login(make_everybody(place)[role])
    for address in set(addresses(place)) - {"/accounts/login/"}:
        closed = (403,) if address in REGISTRY and not RIGHTS[role].devices else ()
        assert ask(client, "get", address).status_code in (200, 302, 404, 405, 422, *closed), address
    for address in ("/record/", "/inbox/", "/house/", f"/pits/{Table.objects.get().pit_id}/"):
        assert ask(client, "get", address).status_code == 200, address


@pytest.mark.parametrize("role", sorted(LOGIN_ROLES))
def test_nobody_sees_or_touches_another_house(place, role):
    client = Client()
    client.force_login(make_staff(make_property("lake"), role, pits=(1,)))
    before = list(Stream.objects.filter(property_id=place.pk).values_list("name", "changed_seq"))
    for address in house_addresses(place):
        for method in ("get", "post"):
            assert ask(client, method, address).status_code in (403, 404, 405), (method, address)
    assert list(Stream.objects.filter(property_id=place.pk).values_list("name", "changed_seq")) == before


@pytest.mark.parametrize("role", sorted(role for role in LOGIN_ROLES if RIGHTS[role].acts == "none"))
def test_who_acts_nowhere_is_refused_every_command(place, role):
    client = Client()
    client.force_login(make_everybody(place)[role])
    table = Table.objects.get()
    for command in COMMANDS:
        page = client.post(
            f"/tables/{table.pk}/{command}", {"key": f"k-{command}"}, headers={"Accept": "application/json"}
        )
        assert page.status_code in (403, 422), (command, page.content)
        assert page.json()["refused"]["code"], command
    assert Stream.objects.get(name=table.stream).changed_seq == 2


def test_a_floorperson_acts_in_the_pits_on_duty_alone(place):
    table = Table.objects.get()
    address = f"/tables/{table.pk}/ReceiveCards"
    fields = {"set_id": "CS-1", "key": "k1"}
    for pits, status in (((), 403), ((1,), 200)):
        client = Client()
        client.force_login(make_staff(place, "floorperson", badge=f"9{len(pits)}", pits=pits))
        page = client.post(address, fields | {"key": f"k{status}"}, headers={"Accept": "application/json"})
        assert page.status_code == status, page.content
