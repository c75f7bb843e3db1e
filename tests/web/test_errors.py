"""What a person and a program are told when something goes wrong, and the headers of every answer."""

import pytest
from django.db import OperationalError
from django.test import Client

from tests.pit import opened
from tests.web.floor import JSON, press


def test_a_page_that_is_not_there_is_told_so(signed_in):
    answer = signed_in.get("/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing at this address" in answer.content.decode()
    assert answer["X-Request-ID"] in answer.content.decode()


def test_a_program_gets_json(signed_in):
    answer = signed_in.get("/nowhere/", headers=JSON)
    assert answer.json()["error"]["code"] == "NOT_FOUND"


@pytest.fixture
def away(monkeypatch):
    """The database stops answering when the door is asked."""

    def gone(*args, **kwargs):
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr("tables.views.sheet.submit", gone)


def test_a_database_that_is_away_is_503_with_retry_and_what_became_of_the_press(floorperson, table, away):
    client = Client(raise_request_exception=False)
    client.force_login(floorperson)
    answer = press(client, opened(table), "PlayerArrives", seat=1)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "never counted twice" in answer.json()["error"]["next_step"]
    page = client.post(f"/tables/{table.pk}/PlayerArrives", {"seat": 1})
    assert page.status_code == 503
    assert "The database does not answer" in page.content.decode()


def test_anything_else_that_breaks_is_500_and_says_nothing_of_the_inside(floorperson, table, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("tables.views.sheet.submit", broken)
    client = Client(raise_request_exception=False)
    client.force_login(floorperson)
    answer = press(client, opened(table), "PlayerArrives", seat=1)
    assert answer.status_code == 500
    assert b"secret" not in answer.content


@pytest.mark.parametrize("address", ["/", "/record/", "/inbox/", "/accounts/login/", "/nowhere/"])
def test_every_answer_bears_the_policy(signed_in, table, address):
    answer = signed_in.get(address, follow=True)
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in answer["Permissions-Policy"]


def test_the_state_of_a_pit_is_not_kept_on_the_tablet(signed_in, table):
    assert "no-store" in signed_in.get(f"/tables/{table.pk}/")["Cache-Control"]


def test_the_proxys_request_id_is_taken_when_it_is_well_formed(signed_in):
    assert signed_in.get("/healthz", headers={"X-Request-ID": "abc-123-def"})["X-Request-ID"] == "abc-123-def"
    assert signed_in.get("/healthz", headers={"X-Request-ID": "<bad>"})["X-Request-ID"] != "<bad>"


def test_health_needs_no_sign_in_and_no_database(client):
    assert client.get("/healthz").json()["status"] == "ok"


def test_ready_says_what_is_there(client, db, valkey):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "database": True, "live": True})


def test_ready_tells_a_missing_redis_and_serves_all_the_same(client, db, settings):
    settings.REDIS_URL = "unix:///nowhere.sock"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["live"]) == (200, False)


def test_not_ready_without_a_database(client, monkeypatch):
    monkeypatch.setattr("pit.web.health._database_answers", lambda: False)
    assert client.get("/readyz").status_code == 503
