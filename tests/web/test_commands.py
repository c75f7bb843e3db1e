"""One command over HTTP: answered as JSON and as HTML, refused with code, clause and the next lawful step."""

import json

import pytest

from pit.record.models import Event
from tables.models import Table
from tests.people import PIN, WRONG_PIN, make_property, make_staff
from tests.pit import in_play, make_table, opened, shuffled
from tests.web.floor import HTMX, press, tap


def entries(table):
    return Event.objects.filter(stream=table.stream).count()


def test_a_recorded_command_answers_seq_stage_and_holds(signed_in, table):
    answer = press(signed_in, opened(table), "PlayerArrives", seat=3)
    assert answer.status_code == 200
    assert answer.json() == {"seq": entries(table), "stage": "AWAIT_INSPECTION", "holds": []}


def test_a_form_is_answered_with_the_sheet_and_the_fresh_tile(signed_in, table):
    answer = tap(signed_in, opened(table), "PlayerArrives", seat=3)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert f'data-seq="{entries(table)}"' in page
    assert f'<template data-tile data-stream="{table.stream}"' in page
    assert json.loads(answer["HX-Trigger"]) == {"pitstand:recorded": {}}


def test_a_press_from_the_list_of_needs_is_answered_with_the_tile_alone(signed_in, table):
    answer = tap(signed_in, opened(table), "PlayerArrives", seat="3", **{"from": "need"})
    assert answer["HX-Reswap"] == "none"
    assert "data-sheet" not in answer.content.decode()
    assert "<template data-tile" in answer.content.decode()


def test_without_scripts_a_form_leads_back_to_the_sheet(signed_in, table):
    answer = signed_in.post(f"/tables/{opened(table).pk}/PlayerArrives", {"seat": 3})
    assert (answer.status_code, answer["Location"]) == (302, f"/tables/{table.pk}/")


def test_a_rule_refuses_with_code_clause_message_and_next_step(signed_in, table):
    opened(table)
    before = entries(table)
    answer = press(signed_in, table, "RecordWash")
    refused = answer.json()["refused"]
    assert answer.status_code == 409
    assert refused["code"] == "INSPECTION_NOT_YET_AFFORDED"
    assert refused["clause"] == "NY-b-3-0"
    assert refused["message"]
    assert refused["next_step"]
    assert Event.objects.filter(stream=table.stream, kind="Refused").count() == 1
    assert entries(table) == before + 1
    table.refresh_from_db()
    assert table.stage == "SPREAD"


def test_a_refusal_stands_in_the_sheet_with_its_clause(signed_in, table):
    answer = tap(signed_in, opened(table), "RecordWash")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert 'data-code="INSPECTION_NOT_YET_AFFORDED"' in page
    assert "5324.2(b)(3)" in page
    assert "Next:" in page


def test_an_unknown_command_is_refused_and_recorded(signed_in, table):
    answer = press(signed_in, table, "Cheat")
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "UNKNOWN_COMMAND")
    assert Event.objects.filter(stream=table.stream, kind="Refused").exists()


def test_a_wrong_field_is_named(signed_in, table):
    answer = press(signed_in, opened(table), "PlayerArrives", seat="three", hat=True)
    assert answer.status_code == 422
    assert answer.json()["refused"]["code"] == "MALFORMED"
    assert set(answer.json()["errors"]) == {"hat"} or set(answer.json()["errors"]) == {"seat", "hat"}


def test_a_seat_that_is_not_there_is_refused(signed_in, table):
    answer = press(signed_in, opened(table), "PlayerArrives", seat=99)
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "SEAT_OUT_OF_RANGE")


def test_a_rank_too_low_is_refused(client, place, table):
    client.force_login(make_staff(place, "floorperson", pits=(1,)))
    opened(table)
    answer = press(client, table, "CorrectEntry", of=2, reason="slip", back_to="SPREAD", pin=PIN)
    assert (answer.status_code, answer.json()["refused"]["code"]) == (403, "ROLE_NOT_PERMITTED")


@pytest.mark.parametrize(
    "role", ["commission_staff", "surveillance", "compliance", "technician", "administrator"]
)
def test_who_only_looks_records_nothing(client, place, table, role):
    client.force_login(make_staff(place, role))
    answer = press(client, opened(table), "PlayerArrives", seat=1)
    assert answer.status_code == 403
    table.refresh_from_db()
    assert table.stage == "SPREAD"


def test_a_table_of_another_pit_is_refused_and_recorded(signed_in, place):
    far = opened(make_table(place, pit=2, number="BJ-09"))
    answer = press(signed_in, far, "PlayerArrives", seat=1)
    assert (answer.status_code, answer.json()["refused"]["code"]) == (403, "OTHER_PIT")
    assert Event.objects.filter(stream=far.stream, kind="Refused").exists()


def test_a_table_of_another_property_cannot_be_acted_on(signed_in):
    other = opened(make_table(make_property("nj2", "ny")))
    assert press(signed_in, other, "PlayerArrives", seat=1).status_code == 403
    assert tap(signed_in, other, "PlayerArrives", seat=1).status_code == 404
    other.refresh_from_db()
    assert other.stage == "SPREAD"


def test_a_view_that_is_no_longer_true_is_refused(signed_in, table):
    opened(table)
    answer = press(signed_in, table, "PlayerArrives", seat=1, seen=2)
    assert (answer.status_code, answer.json()["refused"]["code"]) == (409, "STALE_VIEW")


def test_the_same_key_twice_is_recorded_once(signed_in, table):
    opened(table)
    first = press(signed_in, table, "PlayerArrives", seat=1, key="k-1")
    before = entries(table)
    again = press(signed_in, table, "PlayerArrives", seat=1, key="k-1")
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert entries(table) == before


def test_the_key_may_stand_in_the_header(signed_in, table):
    opened(table)
    address, fields = f"/tables/{table.pk}/PlayerArrives", {"seat": 1}
    headers = {"Accept": "application/json", "Idempotency-Key": "k-2"}
    for _ in range(2):
        assert signed_in.post(address, fields, headers=headers).status_code == 200
    assert Event.objects.filter(stream=table.stream, kind="PlayerArrived").count() == 1


def test_a_key_used_for_another_command_is_refused(signed_in, table):
    opened(table)
    press(signed_in, table, "PlayerArrives", seat=1, key="k-3")
    answer = press(signed_in, table, "PlayerArrives", seat=2, key="k-3")
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "KEY_REUSED")


def test_a_decision_is_signed_with_the_pin(signed_in, table):
    shuffled(table)
    press(signed_in, table, "RecordCut", seat=1)
    fields = {"ground": "improper_cut", "option": "last_cutter"}
    unsigned = press(signed_in, table, "OrderRecut", fields)
    assert (unsigned.status_code, unsigned.json()["refused"]["code"]) == (403, "SIGNATURE_REQUIRED")
    assert press(signed_in, table, "OrderRecut", fields, pin=PIN).status_code == 200
    entry = Event.objects.get(stream=table.stream, kind="RecutOrdered")
    assert (entry.signed, entry.role, entry.clause) == (True, "floorperson", "NY-b-8-1")


def test_a_wrong_pin_is_refused_recorded_and_leaves_the_key_free(signed_in, table):
    shuffled(table)
    press(signed_in, table, "RecordCut", seat=1)
    fields = {"ground": "improper_cut", "option": "last_cutter", "key": "recut-1"}
    wrong = press(signed_in, table, "OrderRecut", fields, pin=WRONG_PIN)
    assert (wrong.status_code, wrong.json()["refused"]["code"]) == (403, "PIN_WRONG")
    entry = Event.objects.get(stream=table.stream, kind="Refused")
    assert WRONG_PIN not in entry.data
    assert press(signed_in, table, "OrderRecut", fields, pin=PIN).status_code == 200


def test_two_people_sign_the_inspection(signed_in, place, table):
    dealer = make_staff(place, "dealer", badge="801")
    press(signed_in, table, "ReceiveCards", set_id="CS-9")
    alone = press(signed_in, table, "InspectCards", pin=PIN)
    assert alone.status_code in (403, 422)
    both = press(signed_in, table, "InspectCards", pin=PIN, second_badge="801", second_pin=PIN)
    assert both.status_code == 200
    entry = Event.objects.get(stream=table.stream, kind="CardsVerified")
    assert (entry.second_badge, entry.second_signed) == (dealer.badge, True)


def test_the_same_person_cannot_sign_twice(signed_in, floorperson, table):
    press(signed_in, table, "ReceiveCards", set_id="CS-9")
    answer = press(signed_in, table, "InspectCards", pin=PIN, second_badge=floorperson.badge, second_pin=PIN)
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "SAME_PERSON_TWICE")


def test_a_late_entry_is_marked_and_dated_at_the_property(signed_in, table):
    opened(table)
    answer = press(signed_in, table, "PlayerArrives", seat=1, at="2026-03-04T12:50:00")
    assert answer.status_code == 200
    entry = Event.objects.get(stream=table.stream, kind="PlayerArrived")
    assert (entry.late, entry.at.isoformat()) == (True, "2026-03-04T17:50:00+00:00")


def test_the_future_is_refused(signed_in, table):
    answer = press(signed_in, opened(table), "PlayerArrives", seat=1, at="2026-03-04T14:00")
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "IN_THE_FUTURE")


@pytest.mark.parametrize(
    ("at", "more", "code"),
    [
        ("2026-03-08T02:30", {}, "NONEXISTENT_LOCAL_TIME"),
        ("2025-11-02T01:30", {}, "AMBIGUOUS_LOCAL_TIME"),
        ("2025-11-02T01:30", {"fold": 1}, "TOO_LATE_TO_ENTER"),
        ("yesterday", {}, "MALFORMED"),
        ("2025-11-02T01:30", {"fold": 7}, "OUT_OF_RANGE"),
    ],
)
def test_a_local_time_that_is_none_is_refused_and_recorded(signed_in, table, at, more, code):
    answer = press(signed_in, opened(table), "PlayerArrives", seat=1, at=at, **more)
    assert answer.status_code in (409, 422)
    assert answer.json()["refused"]["code"] == code
    assert Event.objects.filter(stream=table.stream, kind="Refused").count() == 1


@pytest.mark.parametrize("body", ["", "{", "[1]", '"x"', "null", "\ud800".encode("utf-8", "surrogatepass")])
def test_a_body_that_is_no_object_is_refused_not_broken(signed_in, table, body):
    answer = signed_in.post(
        f"/tables/{opened(table).pk}/PlayerArrives", body, content_type="application/json",
        headers={"Accept": "application/json"},
    )  # fmt: skip
    assert (answer.status_code, answer.json()["refused"]["code"]) == (422, "MALFORMED")


def test_a_table_that_is_not_there_is_404(signed_in):
    assert (
        signed_in.post("/tables/999/RecordSpread", headers={"Accept": "application/json"}).status_code == 404
    )


def test_nobody_signed_in_is_told_to_sign_in(client, table):
    assert press(client, table, "RecordSpread").status_code == 401
    assert client.post(f"/tables/{table.pk}/RecordSpread", headers=HTMX)["HX-Redirect"].startswith(
        "/accounts/login/"
    )


def test_a_press_without_the_csrf_token_is_forbidden(floorperson, table):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(floorperson)
    answer = press(client, opened(table), "PlayerArrives", seat=1)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "FORBIDDEN")
    table.refresh_from_db()
    assert table.stage == "SPREAD"


def test_rounds_only_advance_the_counter(signed_in, table):
    in_play(table)
    before = entries(table)
    assert press(signed_in, table, "AdvanceRounds", count=3).status_code == 200
    assert entries(table) == before
    assert Table.objects.get(pk=table.pk).round == 13
