"""The sheet: next step, lawful and refused ones with their clause, the ring, the form of one command."""

import re
from itertools import pairwise
from math import hypot

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.domain.commands import AttestThrough
from tests.people import PIN, make_property, make_staff
from tests.pit import does, in_play, make_table, opened, shuffled, with_shuffler
from tests.web.floor import HTMX, tap


def sheet(client, table, **headers):
    return client.get(f"/tables/{table.pk}/", headers=headers).content.decode()


def test_the_next_step_is_the_one_big_button(signed_in, table):
    page = sheet(signed_in, shuffled(table))
    (button,) = re.findall(r'id="next-step"[^>]*data-test="(\w+)"', page)
    assert button == "RecordCut"
    assert page.count("button--primary button--big") == 1


def test_what_is_not_yet_lawful_says_why_and_by_which_clause(signed_in, table):
    page = sheet(signed_in, shuffled(table))
    assert "Order a recut" in page
    assert "NO_CUT_YET" in page
    assert "5324.2(b)(8)" in page


def test_the_ring_marks_who_sits_and_who_is_asked(signed_in, table):
    page = sheet(signed_in, shuffled(table, 2, 5))
    taken = re.findall(r'id="seat-(\d)" class="seat is-taken', page)
    assert taken == ["2", "5"]
    assert 'aria-label="Seat 2, asked"' in page
    assert 'class="ring__turn"' in page


def test_the_last_events_say_who_saw_what(signed_in, table):
    page = sheet(signed_in, shuffled(table))
    assert "Shuffled by hand" in page
    assert "901" in page


def test_beside_the_board_it_comes_without_the_page_around_it(signed_in, table):
    part = sheet(signed_in, opened(table), **HTMX)
    assert "<html" not in part
    assert "data-sheet" in part
    assert "data-close" in part


def test_a_step_that_needs_nothing_more_is_recorded_with_one_tap(signed_in, table):
    page = sheet(signed_in, shuffled(table))
    assert f'hx-post="/tables/{table.pk}/RecordCut"' in page
    assert '<input type="hidden" name="seat" value="1">' in page


def test_a_signed_step_asks_for_the_pin_and_never_shows_it_again(signed_in, table):
    shuffled(table)
    tap(signed_in, table, "RecordCut", seat=1)
    assert "OrderRecut" in sheet(signed_in, table)
    form = signed_in.get(f"/tables/{table.pk}/OrderRecut", headers=HTMX).content.decode()
    assert 'name="pin" type="password" inputmode="numeric"' in form
    wrong = tap(signed_in, table, "OrderRecut", pin=PIN, **{"from": "ask"})
    assert wrong.status_code == 422
    assert PIN not in wrong.content.decode()
    assert "DETERMINATION_REQUIRED" in wrong.content.decode()


def test_a_step_that_nobody_signs_asks_for_no_pin(signed_in, table):
    form = signed_in.get(f"/tables/{shuffled(table).pk}/RecordCut", headers=HTMX).content.decode()
    assert 'name="depth"' in form
    assert 'name="pin"' not in form


def test_a_form_put_right_is_recorded_and_closes(signed_in, table):
    shuffled(table)
    tap(signed_in, table, "RecordCut", seat=1)
    fields = {"ground": "improper_cut", "option": "next_entitled", "pin": PIN, "from": "ask"}
    answer = tap(signed_in, table, "OrderRecut", **fields)
    assert answer.status_code == 200
    assert answer["HX-Retarget"] == "#sheet"
    assert "pitstand:recorded" in answer["HX-Trigger"]


def test_what_was_told_stands_in_the_form_after_a_refusal(signed_in, table):
    shuffled(table)
    answer = tap(signed_in, table, "RecordCut", seat=1, depth=3, **{"from": "ask"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'data-code="TOO_CLOSE_TO_TOP"' in page
    assert re.search(r'name="depth"[^>]*value="3"', page)


def test_a_time_that_came_twice_asks_which(signed_in, table):
    answer = tap(signed_in, shuffled(table), "RecordCut", seat=1, at="2025-11-02T01:30", **{"from": "ask"})
    assert 'name="fold"' in answer.content.decode()


def test_a_seat_offers_what_may_be_done_there(signed_in, table):
    shuffled(table, 1, 3)
    page = signed_in.get(f"/tables/{table.pk}/seats/4/", headers=HTMX).content.decode()
    assert f'hx-post="/tables/{table.pk}/PlayerArrives"' in page
    assert '<input type="hidden" name="seat" value="4">' in page
    taken = signed_in.get(f"/tables/{table.pk}/seats/3/", headers=HTMX).content.decode()
    assert f'hx-post="/tables/{table.pk}/PlayerLeaves"' in taken


def test_a_device_out_of_order_calls_for_cover_or_sign(signed_in, place):
    table = opened(with_shuffler(place))
    tap(signed_in, table, "DeclareOutOfOrder", device="SH-1")
    page = sheet(signed_in, table)
    assert 'data-test="CoverDevice"' in page
    assert 'data-test="SignDevice"' in page
    assert "Shuffler out of order" in page


@pytest.mark.parametrize("role", ["commission_staff", "surveillance"])
def test_who_only_looks_finds_no_button(client, place, table, role):
    client.force_login(make_staff(place, role))
    page = sheet(client, shuffled(table))
    assert "You look on" in page
    assert "hx-post" not in page


def test_a_table_of_another_property_is_not_there(signed_in):
    other = make_table(make_property("far", "ny"))
    for address in ("/", ".json", "/seats/1/", "/RecordCut"):
        assert signed_in.get(f"/tables/{other.pk}{address}").status_code == 404


def test_json_tells_state_deadlines_holds_and_offers(signed_in, table):
    told = signed_in.get(f"/tables/{shuffled(table).pk}.json").json()
    assert told["stage"] == "SHUFFLED"
    assert {"state", "deadlines", "holds", "alerts", "offers", "seq", "pack"} <= set(told)
    following = [offer["command"] for offer in told["offers"] if offer["next"]]
    assert following == ["RecordCut"]
    refused = next(offer for offer in told["offers"] if offer["command"] == "OrderRecut")
    assert refused["refused"]["code"] == "NO_CUT_YET"


def test_the_sheet_costs_at_most_eight_queries(signed_in, table):
    shuffled(table)
    sheet(signed_in, table, **HTMX)
    with CaptureQueriesContext(connection) as asked:
        sheet(signed_in, table, **HTMX)
    assert len(asked) <= 8, "\n".join(query["sql"][:140] for query in asked)


def test_a_step_whose_answer_stands_on_its_button_takes_one_tap(signed_in, place):
    table = opened(with_shuffler(place))
    does(table, AttestThrough(to="INSPECTED", arrival_seat=1), ago=60)
    page = sheet(signed_in, table)
    (button,) = re.findall(r'<(\w+) id="next-step"', page)
    assert button == "button"


def test_steps_that_are_refused_for_one_reason_stand_under_it_together(signed_in, table):
    page = sheet(signed_in, shuffled(table))
    groups = re.findall(r'<li class="later"><p>([^<]+)</p>', page)
    assert len(groups) == len(set(groups)) > 0


def test_many_seats_are_drawn_smaller_so_that_none_covers_another(signed_in, place):
    page = sheet(signed_in, make_table(place, number="CR-06", game="craps", seats=16))
    radius = float(re.findall(r'class="seat__disc"[^>]* r="([\d.]+)"', page)[0])
    xs = [(float(x), float(y)) for x, y in re.findall(r'seat__disc" cx="([\d.]+)" cy="([\d.]+)"', page)]
    assert all(hypot(a[0] - b[0], a[1] - b[1]) > 2 * radius for a, b in pairwise(xs))


def test_an_incomplete_form_says_that_it_is_to_be_completed(signed_in, table):
    shuffled(table)
    page = tap(signed_in, table, "ReplaceDeck", **{"from": "ask"}).content.decode()
    assert "Fill in what is marked below" in page
    assert "cannot be read" not in page


def test_an_entry_to_be_corrected_is_chosen_from_the_last_ones(client, place, table):
    in_play(table)
    client.force_login(make_staff(place, "pit_manager"))
    page = client.get(f"/tables/{table.pk}/CorrectEntry", headers=HTMX).content.decode()
    assert "Dealing began</option>" in page
    assert ">Choose</option>" in page  # nothing is chosen for the one who signs
    assert 'name="of"' in page
