"""House settings: everybody of the property reads them; compliance and administrators change them, signed."""

import pytest

from pit.people.roles import LOGIN_ROLES, RIGHTS
from pit.record.models import Event
from tests.people import PIN, WRONG_PIN, make_everybody, make_property, make_staff

pytestmark = pytest.mark.django_db
KEEPERS = [role for role, rights in RIGHTS.items() if rights.settings]


@pytest.fixture
def place():
    return make_property()


def change(client, place, key="k1", **fields):
    fields = {"setting": "idle_reminder_minutes", "value": "10", "pin": PIN, "key": key} | fields
    address = f"/properties/{place.pk}/ChangeHouseSetting"
    return client.post(address, fields, headers={"Accept": "application/json"})


@pytest.mark.parametrize("role", sorted(LOGIN_ROLES))
def test_everybody_who_signs_in_reads_them_and_only_keepers_get_a_form(client, place, role):
    client.force_login(make_everybody(place)[role])
    page = client.get("/house/")
    assert page.status_code == 200
    assert b"Idle reminder" in page.content
    assert (b"Sign and change" in page.content) is (role in KEEPERS)


@pytest.mark.parametrize("role", sorted(LOGIN_ROLES))
def test_only_keepers_change_them_and_a_refusal_is_recorded(client, place, role):
    client.force_login(make_everybody(place)[role])
    before = Event.objects.count()
    response = change(client, place)
    place.refresh_from_db()
    if role in KEEPERS:
        assert response.status_code == 200
        assert place.house == {"idle_reminder_minutes": 10}
    else:
        assert response.status_code == 403
        assert place.house == {}
        assert Event.objects.filter(kind="Refused").exists()
    assert Event.objects.count() == before + 1


@pytest.mark.parametrize(("pin", "code"), [("", "SIGNATURE_REQUIRED"), (WRONG_PIN, "PIN_WRONG")])
def test_a_change_is_signed_with_the_pin(client, place, pin, code):
    client.force_login(make_staff(place, "compliance"))
    response = change(client, place, pin=pin)
    assert (response.status_code, response.json()["refused"]["code"]) == (403, code)
    refusal = Event.objects.latest("id")
    assert (refusal.kind, refusal.signed) == ("Refused", False)
    assert WRONG_PIN not in refusal.data
    assert change(client, place, key="k2").status_code == 200


def test_the_entry_names_who_signed(client, place):
    client.force_login(make_staff(place, "compliance", badge="500"))
    change(client, place)
    entry = Event.objects.latest("seq")
    assert (entry.kind, entry.actor_badge, entry.role, entry.signed) == (
        "HouseSettingChanged",
        "500",
        "compliance",
        True,
    )


def test_the_same_press_twice_is_one_change(client, place):
    client.force_login(make_staff(place, "compliance"))
    first, again = change(client, place), change(client, place)
    assert first.json() == again.json()
    assert Event.objects.filter(kind="HouseSettingChanged").count() == 1


def test_a_wrong_value_is_shown_in_place(client, place):
    client.force_login(make_staff(place, "compliance"))
    fields = {"setting": "idle_reminder_minutes", "value": "ten", "pin": PIN, "key": "k1"}
    page = client.post(f"/properties/{place.pk}/ChangeHouseSetting", fields)
    assert page.status_code == 422
    assert b"WRONG_VALUE" in page.content


def test_an_empty_value_goes_back_to_the_default(client, place):
    client.force_login(make_staff(place, "compliance"))
    change(client, place, key="k1")
    assert change(client, place, key="k2", value="").status_code == 200
    place.refresh_from_db()
    assert place.house == {}


def test_a_reading_is_settled(client, place):
    client.force_login(make_staff(place, "compliance"))
    fields = {"reading": "A-04", "choice": "far_right", "pin": PIN, "key": "k1"}
    assert client.post(f"/properties/{place.pk}/SettleReading", fields).status_code == 302
    place.refresh_from_db()
    assert place.readings == {"A-04": "far_right"}


def test_another_property_is_not_there(client, place):
    other = make_property("pa", "pa")
    client.force_login(make_staff(place, "compliance"))
    assert client.get(f"/properties/{other.pk}/house/").status_code == 404
    assert change(client, other).status_code == 404


def test_an_unknown_command_is_not_there(client, place):
    client.force_login(make_staff(place, "compliance"))
    assert client.post(f"/properties/{place.pk}/Demolish", {"pin": PIN}).status_code == 404


def test_an_installation_wide_account_chooses_the_property(client, place):
    make_property("pa", "pa")
    client.force_login(make_staff(None, "administrator"))
    assert b"House NY" in client.get("/house/").content
    assert client.get(f"/properties/{place.pk}/house/").status_code == 200
    assert change(client, place).status_code == 200


def test_the_pin_is_not_sent_back(client, place):
    client.force_login(make_staff(place, "compliance"))
    fields = {"setting": "x", "value": "1", "pin": WRONG_PIN, "key": "k1"}
    page = client.post(f"/properties/{place.pk}/ChangeHouseSetting", fields)
    assert WRONG_PIN.encode() not in page.content
