"""API tokens: a program acts under a person's name."""

from datetime import timedelta

import pytest
from django.test import Client

from pit.people.models import Token
from pit.web import clock as web_clock
from tests.people import PASSWORD, make_property, make_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff():
    return make_staff(make_property(), "compliance")


def ask(text, path="/accounts/", **headers):
    return Client().get(path, headers={"Authorization": f"Bearer {text}", **headers})


def issue(staff, **fields):
    return Token.issue(staff, label="test", now=web_clock.now(), **fields)[1]


def test_a_token_speaks_for_its_person(staff):
    response = ask(issue(staff))
    assert response.status_code == 200
    assert response.context["user"] == staff


def test_only_a_digest_of_the_token_is_kept(staff):
    text = issue(staff)
    kept = Token.objects.get()
    assert text not in (kept.digest, kept.label)
    assert kept.digest == Token.digest_of(text)


@pytest.mark.parametrize("header", ["Bearer pit_nothing", "Bearer ", "Basic Zm9vOmJhcg==", "pit_x"])
def test_what_is_no_token_is_401(staff, header):
    response = Client().get("/accounts/", headers={"Authorization": header})
    assert response.status_code == 401
    assert response.json()["refused"]["code"] == "TOKEN_UNKNOWN"


def test_a_wrong_token_is_no_way_around_through_the_session(client, staff):
    client.force_login(staff)
    assert client.get("/accounts/", headers={"Authorization": "Bearer pit_x"}).status_code == 401


def test_a_token_runs_out(staff, clock):
    text = issue(staff, expires_at=clock.now() + timedelta(days=1))
    assert ask(text).status_code == 200
    clock.forward(days=1)
    assert ask(text).status_code == 401


def test_the_token_of_an_inactive_person_is_nothing(staff):
    text = issue(staff)
    staff.is_active = False
    staff.save()
    assert ask(text).status_code == 401


def test_a_token_needs_no_csrf_and_a_session_does(staff):
    strict = Client(enforce_csrf_checks=True)
    token = Token.objects.get(digest=Token.digest_of(issue(staff)))
    text = issue(staff)
    address = f"/accounts/tokens/{token.pk}/revoke/"
    assert strict.post(address, headers={"Authorization": f"Bearer {text}"}).status_code == 302
    strict.force_login(staff)
    assert strict.post(address).status_code == 403


def test_a_token_opens_no_session(staff):
    assert "sessionid" not in ask(issue(staff)).cookies


def test_the_text_is_shown_once_and_asks_for_the_password(client, staff):
    client.force_login(staff)
    wrong = client.post("/accounts/tokens/new/", {"label": "mine", "days": 30, "password": "no"})
    assert (wrong.status_code, Token.objects.count()) == (422, 0)
    made = client.post("/accounts/tokens/new/", {"label": "mine", "days": 30, "password": PASSWORD})
    text = made.context["text"]
    assert ask(text).status_code == 200
    assert text.encode() not in client.get("/accounts/").content


def test_a_person_revokes_their_own_tokens_and_nobody_elses(client, staff):
    text = issue(staff)
    token = Token.objects.get()
    other = make_staff(staff.property, "technician")
    client.force_login(other)
    assert client.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 404
    client.force_login(staff)
    assert client.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 302
    assert ask(text).status_code == 401
