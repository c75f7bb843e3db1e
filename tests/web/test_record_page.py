"""The Record on the screen: found by table, time, person and clause, refusals included, for everybody of the property."""

from datetime import timedelta

import pytest

from pit.people.roles import LOGIN_ROLES
from tables import history
from tests.people import make_property, make_staff
from tests.pit import make_table, opened
from tests.web.floor import press

RELIEVED = "Dealer relieved by 802"


def record(client, **query):
    return client.get("/record/", query).content.decode()


@pytest.mark.parametrize("role", sorted(LOGIN_ROLES))
def test_every_role_that_signs_in_reads_it(client, place, table, role):
    opened(table)
    client.force_login(make_staff(place, role))
    page = record(client)
    assert "Cards spread face up" in page
    assert "5324.2(b)(2)" in page


def test_a_refusal_stands_there_with_code_and_who(signed_in, table, floorperson):
    press(signed_in, opened(table), "RecordWash")
    page = record(signed_in, only="refused")
    assert "INSPECTION_NOT_YET_AFFORDED" in page
    assert floorperson.badge in page
    assert "Cards spread" not in page


def test_it_is_searched_by_table(signed_in, place, table):
    opened(table)
    opened(make_table(place, number="BJ-77"))
    page = record(signed_in, table="bj-77")
    assert "BJ-77" in page
    assert ">BJ-01<" not in page


@pytest.mark.parametrize("clause", ["NY-b-2", "b-2", "(b)(2)", "5324.2(b)(2)"])
def test_it_is_searched_by_clause(signed_in, table, clause):
    opened(table)
    page = record(signed_in, clause=clause)
    assert "Cards spread face up" in page
    assert "Table opened" not in page


def test_it_is_ordered_by_when_it_happened_or_by_when_it_was_written(signed_in, table, clock):
    opened(table)
    clock.forward(minutes=10)
    press(signed_in, table, "PlayerArrives", seat=4)
    press(signed_in, table, "RelieveDealer", to="802", at=(clock.now() - timedelta(minutes=5)).isoformat())
    for order, first in (("", "Player sat down at seat 4"), ("written", RELIEVED)):
        page = record(signed_in, order=order)
        assert min((page.index(one), one) for one in ("Player sat down at seat 4", RELIEVED))[1] == first


@pytest.mark.parametrize("clause", ["PA-a", "(a)", "635a.5(a)"])
def test_a_clause_is_found_as_it_is_cited_in_every_state(clause):
    found = history.matching(None, history.Search(clause=clause)).query.where
    assert "PA-a" in str(found)


def test_it_is_searched_by_person(signed_in, table):
    opened(table)
    press(signed_in, table, "PlayerArrives", seat=4)
    page = record(signed_in, who="901")
    assert "Cards spread" in page
    assert "seat 4" not in page


def test_a_table_is_shown_as_of_a_moment(signed_in, table):
    opened(table)
    page = record(signed_in, table="BJ-01", until="2026-03-04T12:00:01")
    assert "Cards inspected by" in page
    assert "Cards spread" not in page


@pytest.mark.parametrize("since", ["never", "2026-03-08T02:30"])
def test_a_time_that_is_none_is_told(signed_in, table, since):
    assert 'role="alert"' in record(signed_in, since=since)


def test_of_another_property_nothing_is_seen(signed_in, table):
    opened(table)
    opened(make_table(make_property("far", "ny"), number="FAR-1"))
    assert "FAR-1" not in record(signed_in)
    assert "No entry matches" in record(signed_in, table="FAR-1")


def test_older_entries_come_page_by_page(signed_in, table):
    opened(table)
    for nth in range(70):
        press(signed_in, table, "RecordWash", key=f"k{nth}")
    page = record(signed_in)
    assert "Older entries" in page
    assert "Table set up" not in page
    assert (
        "Table set up"
        in signed_in.get(
            "/record/?" + page.split('href="?')[1].split('"')[0].replace("&amp;", "&")
        ).content.decode()
    )


def test_text_from_outside_is_never_markup(signed_in, table):
    press(signed_in, opened(table), "WithdrawIdle", reason="<script>alert(1)</script>")
    page = record(signed_in)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
