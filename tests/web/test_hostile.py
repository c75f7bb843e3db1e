"""What strangers and careless programs send: a clear answer with a code, never a crash, nothing believed."""

import json
import logging

import pytest
from django.test import Client

from pit.live import access
from pit.people import pins
from pit.people.models import PinGuess, Staff
from pit.record.models import Event
from pit.web import clock as web_clock
from pit.web.logs import Line
from tests.people import PASSWORD, PIN, make_staff
from tests.pit import opened, shuffled
from tests.web.floor import HTMX, JSON, press

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("fold", ["\u00b2", "--1", "-", "9" * 5000, "0x1"])
def test_a_pass_that_is_no_number_is_malformed(signed_in, table, fold):
    answer = press(signed_in, opened(table), "PlayerArrives", seat=1, at="2026-11-01T01:30", fold=fold)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "at", ["12:00Z", "12:00+01", "12:0\u0000", "0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00"]
)
def test_a_time_that_is_none_is_malformed(signed_in, table, at):
    answer = press(signed_in, opened(table), "PlayerArrives", seat=1, at=at)
    assert (answer.status_code, set(answer.json()["errors"])) == (422, {"at"})


def test_a_form_nested_without_end_is_refused_and_recorded(signed_in, table):
    form, kind = "key=deep&a" + ".a" * 20_000 + "=1", "application/x-www-form-urlencoded"
    answer = signed_in.post(
        f"/tables/{opened(table).pk}/PlayerArrives", form, content_type=kind, headers=JSON
    )
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "MALFORMED")
    assert Event.objects.filter(stream=table.stream, kind="Refused").count() == 1


@pytest.mark.parametrize("badge", ["8\u000001", "8" * 5000, "8\n1"])
def test_a_badge_of_any_characters_is_nobody(signed_in, table, badge):
    answer = press(
        signed_in, opened(table), "PlayerArrives", seat=1, second_badge=badge, second_pin="1\u0000"
    )
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "SECOND_PERSON_UNKNOWN")


def test_a_program_that_sends_no_key_is_told_so(signed_in, table):
    address = f"/tables/{opened(table).pk}/PlayerArrives"
    answer = signed_in.post(address, json.dumps({"seat": 1}), content_type="application/json", headers=JSON)
    assert (answer.status_code, set(answer.json()["errors"])) == (422, {"key"})
    assert Event.objects.filter(stream=table.stream, kind="Refused").count() == 1


def test_a_pin_forgotten_and_then_given_with_the_same_key_is_taken(signed_in, table):
    shuffled(table)
    press(signed_in, table, "RecordCut", seat=1)
    fields = {"ground": "improper_cut", "option": "last_cutter", "key": "recut"}
    assert press(signed_in, table, "OrderRecut", fields).json()["refused"]["code"] == "SIGNATURE_REQUIRED"
    assert press(signed_in, table, "OrderRecut", fields, pin=PIN).status_code == 200
    assert press(signed_in, table, "OrderRecut", fields, pin=PIN).status_code == 200
    assert Event.objects.filter(stream=table.stream, kind="RecutOrdered").count() == 1


@pytest.mark.parametrize("shown", ["http://[evil", "//evil.example/x", "javascript:alert(1)"])
def test_a_page_that_is_none_leads_nowhere_else(shown):
    answer = Client().get("/pits/1/", headers=HTMX | {"HX-Current-URL": shown})
    assert answer.status_code == 401
    assert answer["HX-Redirect"].startswith("/accounts/login/?next=")


def test_guesses_of_a_password_are_counted_where_it_is_changed(signed_in, floorperson, settings):
    new = "another long password"
    told = {"new_password1": new, "new_password2": new}
    for guess in range(settings.PIN_FAILURES):
        signed_in.post("/accounts/password/", told | {"old_password": f"guess {guess}"})
    assert signed_in.post("/accounts/password/", told | {"old_password": PASSWORD}).status_code == 200
    floorperson.refresh_from_db()
    assert floorperson.check_password(PASSWORD)


def test_the_admins_own_form_for_a_password_is_not_there(client, place):
    client.force_login(make_staff(place, "administrator"))
    assert client.get("/admin/password_change/")["Location"] == "/accounts/password/"


def test_a_sheet_that_follows_its_table_keeps_no_session_awake(client, floorperson, table, clock):
    client.post("/accounts/login/", {"username": floorperson.username, "password": PASSWORD})
    for _ in range(4):
        clock.forward(minutes=4)
        answer = client.get(f"/tables/{table.pk}/", headers=HTMX | {"X-Pitstand-By-Itself": "1"})
    assert answer.status_code == 401


def test_a_line_break_in_a_badge_makes_no_line_of_the_log(settings):
    record = logging.LogRecord(
        "x", logging.WARNING, "", 0, "pin_refused key=%s", ("8\n2026 ERROR fake\x1b[2J",), None
    )
    record.request_id = "-"
    line = Line(settings.LOGGING["formatters"]["line"]["format"]).format(record)
    assert settings.LOGGING["formatters"]["line"]["()"] == "pit.web.logs.Line"
    assert "\n" not in line
    assert "\x1b" not in line
    assert r"8\x0a2026 ERROR fake\x1b[2J" in line


def test_a_lock_counts_whatever_badge_is_named(place, clock):
    for _ in range(3):
        pins.check(None, "1", property_id=place.pk, badge="8\u000001", now=web_clock.now())
    assert PinGuess.objects.get().failures == 3


@pytest.mark.parametrize("address", ["/record/?q=%00", "/rules/?q=a%00", "/inbox/?page=%00", "/rules/%00/"])
def test_a_nul_in_an_address_is_a_bad_request(signed_in, address):
    assert signed_in.get(address).status_code == 400


def test_a_session_cookie_that_is_no_key_is_nobodys():
    client = Client()
    client.cookies.load('sessionid="\\000\\000\\000\\000\\000\\000\\000\\000"')
    assert client.get("/pits/1/", headers=JSON).status_code == 401


def test_neither_is_that_of_a_socket():
    cookie = b'sessionid="\\000\\000\\000\\000\\000\\000\\000\\000"'
    assert access.ask_of({"headers": [(b"cookie", cookie)]}, "pit:1").session == ""


@pytest.mark.parametrize("key", ["=1+1", "+1", "-1", "@x", "a b", ""])
def test_a_key_is_no_formula_of_a_spreadsheet(signed_in, table, key):
    answer = press(signed_in, opened(table), "PlayerArrives", seat=1, key=key)
    assert (answer.status_code, set(answer.json()["errors"])) == (422, {"key"})
    assert not Event.objects.filter(key=key).exclude(key="").exists()


@pytest.mark.parametrize(
    ("name", "badge"), [("=cmd()", "77"), ("Ann", "=77"), ("Ann\u202e", "77"), ("@x", "77")]
)
def test_neither_is_a_name_or_a_badge(client, place, name, badge):
    client.force_login(make_staff(place, "administrator"))
    told = {"name": name, "badge": badge, "role": "dealer", "property": place.pk, "is_active": "on"}
    told |= {f"duties-{one}_FORMS": "0" for one in ("TOTAL", "INITIAL", "MIN_NUM", "MAX_NUM")}
    assert client.post("/admin/people/staff/add/", told).status_code == 200
    assert not Staff.objects.filter(badge__in=(badge, badge.strip("="))).exists()
    plain = told | {"name": "Ann O\u2019Hara", "badge": "77"}
    assert client.post("/admin/people/staff/add/", plain).status_code == 302


@pytest.mark.parametrize("number", ["\u00b2", "9" * 5000, "-1", ""])
def test_a_number_in_another_script_is_nothing_of_ours(client, place, number):
    client.force_login(make_staff(None, "administrator"))
    for address in ("/desk/", "/notices/"):
        assert client.get(address, {"property": number}).status_code in (200, 404), address
    client.force_login(make_staff(place, "surveillance"))
    remark = {"stream": "table:1", "seq": number, "text": "x", "key": "r1"}
    assert client.post("/desk/remarks", remark).status_code == 404


def test_a_remark_with_a_nul_is_refused(client, place, table):
    client.force_login(make_staff(place, "surveillance"))
    remark = {"stream": table.stream, "seq": "1", "text": "a\0b", "key": "r1"}
    assert client.post("/desk/remarks", remark).status_code == 422
