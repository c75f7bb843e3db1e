"""The admin: people and pits, for administrators, within their property; nothing regulated."""

import pytest

from pit.people.models import Duty, Staff
from pit.people.roles import LOGIN_ROLES
from tests.people import make_everybody, make_property, make_staff

pytestmark = pytest.mark.django_db
DUTY = {f"duties-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")}


@pytest.fixture
def place():
    return make_property()


def person(place, **fields):
    secrets = {"new_password": "a long enough secret", "new_pin": "4826"}
    home = {"property": place.pk if place else ""}
    who = {"name": "Cy Young", "badge": "700", "role": "floorperson", "username": "cy", "is_active": "on"}
    return who | home | secrets | DUTY | fields


@pytest.mark.parametrize("role", sorted(LOGIN_ROLES))
def test_only_administrators_come_in(client, place, role):
    client.force_login(make_everybody(place)[role])
    assert (client.get("/admin/people/staff/").status_code == 200) is (role == "administrator")


def test_a_person_is_made_with_password_and_pin(client, place):
    client.force_login(make_staff(place, "administrator"))
    assert client.post("/admin/people/staff/add/", person(place)).status_code == 302
    cy = Staff.objects.get(badge="700")
    assert cy.check_password("a long enough secret")
    assert cy.check_pin("4826")


@pytest.mark.parametrize(
    "fields",
    [{"new_pin": "1111"}, {"new_password": "short"}, {"role": "dealer"}, {"badge": "111"}, {"role": "king"}],
)
def test_a_weak_secret_or_a_wrong_role_is_refused(client, place, fields):
    client.force_login(make_staff(place, "administrator", badge="111"))
    assert client.post("/admin/people/staff/add/", person(place, **fields)).status_code == 200
    assert not Staff.objects.filter(name="Cy Young").exists()


def test_an_administrator_of_one_property_cannot_step_out_of_it(client, place):
    other = make_property("pa", "pa")
    stranger = make_staff(other, "dealer")
    client.force_login(make_staff(place, "administrator"))
    for home in (other, None):
        assert client.post("/admin/people/staff/add/", person(home, role="administrator")).status_code == 200
    assert not Staff.objects.filter(badge="700").exists()
    assert client.get(f"/admin/people/staff/{stranger.pk}/change/").status_code == 302
    assert stranger.name.encode() not in client.get("/admin/people/staff/").content
    duty = {
        "staff": stranger.pk,
        "pit": other.pits.first().pk,
        "from_at_0": "2026-03-04",
        "from_at_1": "06:00",
        "tables": "[]",
    }
    assert client.post("/admin/people/duty/add/", duty).status_code == 200
    assert not Duty.objects.exists()


def test_nobody_is_deleted(client, place):
    staff = make_staff(place, "dealer")
    client.force_login(make_staff(place, "administrator"))
    assert client.post(f"/admin/people/staff/{staff.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_property_is_shown_and_not_changed(client, place):
    client.force_login(make_staff(place, "administrator"))
    address = f"/admin/floor/property/{place.pk}/change/"
    assert client.get(address).status_code == 200
    assert client.post(address, {"name": "Mine"}).status_code == 403


def test_no_hash_is_shown(client, place):
    staff = make_staff(place, "floorperson")
    client.force_login(make_staff(place, "administrator"))
    assert b"argon2" not in client.get(f"/admin/people/staff/{staff.pk}/change/").content
