"""Signing in and out, lock-out, idle sign-out, and what an unknown asker is told."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session

from pit.floor import door
from pit.floor.domain.commands import ChangeHouseSetting
from pit.people import sessions
from pit.web import clock as web_clock
from tests.people import PASSWORD, make_property, make_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def place():
    return make_property()


@pytest.fixture
def floor(place):
    return make_staff(place, "floorperson", pits=(1,))


def sign_in(client, staff, password=PASSWORD, **extra):
    return client.post("/accounts/login/", {"username": staff.username, "password": password, **extra})


def is_signed_in(client):
    return client.get("/accounts/").status_code == 200


def test_name_and_password_sign_in(client, floor):
    response = sign_in(client, floor, next="/accounts/")
    assert (response.status_code, response["Location"]) == (302, "/accounts/")
    assert is_signed_in(client)


def test_the_sign_in_leads_to_no_other_site(client, floor):
    assert sign_in(client, floor, next="https://elsewhere.example/")["Location"] == "/"


def test_a_wrong_password_signs_nobody_in(client, floor):
    assert sign_in(client, floor, "wrong").status_code == 200
    assert not is_signed_in(client)


def test_the_session_gets_a_new_key_at_sign_in(client, floor):
    client.get("/accounts/login/")
    session = client.session
    session["planted"] = True
    session.save()
    before = session.session_key
    client.cookies["sessionid"] = before
    sign_in(client, floor)
    assert client.cookies["sessionid"].value != before
    assert not Session.objects.filter(session_key=before).exists()


def test_five_wrong_passwords_lock_the_name_at_this_address(client, floor):
    for _ in range(4):
        assert sign_in(client, floor, "wrong").status_code == 200
    locked = sign_in(client, floor, "wrong")
    assert locked.status_code == 429
    assert b"Locked for a while" in locked.content
    assert sign_in(client, floor).status_code == 429, "the right password does not open a lock"


def test_a_lock_ends_by_itself(client, floor, clock):
    for _ in range(5):
        sign_in(client, floor, "wrong")
    clock.forward(minutes=16)
    assert sign_in(client, floor).status_code == 302


def test_many_names_from_one_address_are_one_attack(client, floor, settings):
    settings.PIN_ADDRESS_FAILURES = 3
    for number in range(3):
        client.post("/accounts/login/", {"username": f"nobody{number}", "password": "x"})
    response = sign_in(client, floor)
    assert b"Too many attempts from this address" in response.content
    assert not is_signed_in(client)


def test_no_secret_lies_in_the_list_of_attempts(client, floor):
    sign_in(client, floor, "not-the-password")
    client.force_login(floor)
    client.post("/accounts/handover/", {"badge": "9", "pin": "9753"})
    kept = " ".join(AccessAttempt.objects.values_list("post_data", flat=True))
    assert kept
    assert "not-the-password" not in kept
    assert "9753" not in kept


@pytest.mark.parametrize("role", ["dealer", "boxperson", "stickperson", "security"])
def test_a_role_without_login_cannot_sign_in_even_with_a_password(client, place, role):
    staff = make_staff(place, role)
    staff.username = "sneaky"
    staff.save()
    sign_in(client, staff)
    assert not is_signed_in(client)


def test_an_inactive_account_is_out_at_once(client, floor):
    sign_in(client, floor)
    floor.is_active = False
    floor.save()
    assert not is_signed_in(client)


def test_a_demo_account_is_nobody_outside_demo_mode(client, place, settings):
    staff = make_staff(place, "floorperson", demo=True)
    settings.DEMO = True
    sign_in(client, staff)
    assert is_signed_in(client)
    settings.DEMO = False
    assert not is_signed_in(client)
    sign_in(client, staff)
    assert not is_signed_in(client)


def test_signing_out_is_a_post(client, floor):
    sign_in(client, floor)
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").status_code == 302
    assert not is_signed_in(client)


def test_a_page_leads_to_the_sign_in_and_back(client):
    assert client.get("/accounts/pin/")["Location"] == "/accounts/login/?next=/accounts/pin/"


def test_htmx_is_told_to_lead_the_whole_page_to_the_sign_in(client):
    response = client.get(
        "/accounts/pin/",
        headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/pits/3/?view=list"},
    )
    assert response.status_code == 401
    assert response["HX-Redirect"] == "/accounts/login/?next=/pits/3/%3Fview%3Dlist"


def test_a_program_is_told_in_json(client):
    response = client.get("/accounts/", headers={"Accept": "application/json"})
    assert response.status_code == 401
    assert response.json()["refused"]["code"] == "SIGN_IN_FIRST"


def test_an_idle_session_ends(client, floor, clock):
    sign_in(client, floor)
    clock.forward(minutes=14)
    assert is_signed_in(client)
    clock.forward(minutes=14)
    assert is_signed_in(client), "an act starts the time anew"
    clock.forward(minutes=15, seconds=1)
    assert not is_signed_in(client)


def test_what_the_page_asks_by_itself_keeps_no_session_awake(client, floor, clock):
    sign_in(client, floor)
    for _ in range(4):
        clock.forward(minutes=4)
        client.get("/live/pits/1/heads")
    assert not is_signed_in(client)


def test_the_house_sets_the_idle_time(client, place, floor, clock):
    command = ChangeHouseSetting(setting="idle_timeout_minutes", value=5)
    assert door.ask(place, command, now=web_clock.now()).refused is None
    sign_in(client, floor)
    clock.forward(minutes=6)
    assert not is_signed_in(client)


def test_who_only_watches_is_not_signed_out(client, place, clock):
    sign_in(client, make_staff(place, "surveillance"))
    clock.forward(hours=8)
    assert is_signed_in(client)


def test_a_new_password_ends_the_other_sessions(client, floor):
    from django.test import Client

    other = Client()
    sign_in(client, floor)
    sign_in(other, floor)
    new = "another long password"
    fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post("/accounts/password/", fields).status_code == 302
    assert is_signed_in(client)
    assert not is_signed_in(other)


@pytest.mark.parametrize("weak", ["short", "password123", "floorperson-ny-"])
def test_a_weak_password_is_refused(client, floor, weak):
    sign_in(client, floor)
    fields = {"old_password": PASSWORD, "new_password1": weak, "new_password2": weak}
    assert client.post("/accounts/password/", fields).status_code == 200
    floor.refresh_from_db()
    assert floor.check_password(PASSWORD)


@pytest.mark.parametrize("weak", ["123", "1111", "1234", "9876", "12ab", "١٢٣٥", "104"])
def test_a_weak_pin_is_refused(client, place, weak):
    staff = make_staff(place, "floorperson", badge="104")
    sign_in(client, staff)
    response = client.post("/accounts/pin/", {"password": PASSWORD, "pin": weak, "again": weak})
    assert response.status_code == 422
    staff.refresh_from_db()
    assert staff.check_pin("2580")


def test_a_pin_is_changed_under_the_password(client, floor):
    sign_in(client, floor)
    assert (
        client.post("/accounts/pin/", {"password": "no", "pin": "4826", "again": "4826"}).status_code == 422
    )
    assert (
        client.post("/accounts/pin/", {"password": PASSWORD, "pin": "4826", "again": "4826"}).status_code
        == 302
    )
    floor.refresh_from_db()
    assert floor.check_pin("4826")


def test_the_live_layer_learns_which_sessions_stand(client, floor, clock):
    sign_in(client, floor)
    key = client.session.session_key
    assert sessions.signed_in([key, "nothing"], now=clock.now()) == {key: floor}
    assert sessions.signed_in([key], now=clock.now() + timedelta(minutes=16)) == {}
    floor.set_pin("4826")
    floor.save()
    assert sessions.signed_in([key], now=clock.now()) == {}


def test_sessions_are_looked_up_in_two_queries(place, floor, django_assert_num_queries):
    from django.test import Client

    clients = [Client() for _ in range(5)]
    for each in clients:
        each.force_login(floor)
    keys = [each.session.session_key for each in clients]
    with django_assert_num_queries(2):
        assert len(sessions.signed_in(keys, now=web_clock.now())) == 5


def test_the_admin_has_no_sign_in_of_its_own(client):
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith("/accounts/login/")
