"""An irregularity on the screen: what happened, the facts, what the text states, recorded; then its ruling."""

import pytest

from tests.people import make_property, make_staff
from tests.pit import in_play, make_table
from tests.web.floor import HTMX, tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(table):
    return in_play(table)


def address(table, **query):
    return f"/tables/{table.pk}/RecordIrregularity", query


def ask(client, table, **query):
    where, told = address(table, **query)
    return client.get(where, told, headers=HTMX).content.decode()


def test_the_sheet_has_one_way_to_say_that_something_happened(signed_in, playing):
    page = signed_in.get(f"/tables/{playing.pk}/", headers=HTMX).content.decode()
    assert page.count('data-test="happened"') == 1
    assert f"/tables/{playing.pk}/RecordIrregularity" in page


def test_only_what_the_pack_rules_on_at_this_table_is_offered(signed_in, playing):
    page = ask(signed_in, playing)
    assert 'data-test="kind-wrong_card_count"' in page
    assert "5324.2(j)(2)" in page
    assert "shaker" not in page.lower(), "there is none at a blackjack table"


def test_a_fact_that_is_missing_is_asked_for_before_anything_is_stated(signed_in, playing):
    page = ask(signed_in, playing, kind="wrong_card_count")
    assert 'name="facts.who"' in page
    assert 'data-test="stated"' not in page


def test_with_the_facts_the_clauses_and_their_consequences_stand_there_and_silence_is_said(
    signed_in, playing
):
    part = ask(signed_in, playing, kind="wrong_card_count", part="ruling", **{"facts.who": "community"})
    assert "<form" not in part
    assert "5324.2(j)(4)" in part
    assert "All hands are void" in part
    assert "The text is silent" in part
    assert "wagers" in part


def test_three_taps_and_a_confirmation_record_it_and_the_ruling_is_then_asked_for(signed_in, playing):
    taps = [
        ask(signed_in, playing),
        ask(signed_in, playing, kind="wrong_card_count"),
        ask(signed_in, playing, kind="wrong_card_count", part="ruling", **{"facts.who": "community"}),
    ]
    assert all(taps)
    page = tap(
        signed_in,
        playing,
        "RecordIrregularity",
        kind="wrong_card_count",
        **{"facts.who": "community", "from": "ask", "key": "k1"},
    )
    assert page.status_code == 200, page.content.decode()
    text = page.content.decode()
    assert 'data-test="open-irregularity"' in text
    assert "RecordRuling" in text
    assert 'data-test="exposure"' in text


def test_what_is_not_in_the_pack_is_refused_in_the_same_form(signed_in, playing):
    page = tap(
        signed_in,
        playing,
        "RecordIrregularity",
        kind="wrong_card_count",
        **{"facts.who": "the cat", "from": "ask", "key": "k2"},
    )
    assert page.status_code == 422
    assert "data-refused" in page.content.decode()
    assert 'name="facts.who"' in page.content.decode()


def test_who_only_reads_sees_the_open_irregularity_and_no_button(client, place, playing):
    tap_as = make_staff(place, "floorperson", badge="77", pits=(1,))
    client.force_login(tap_as)
    tap(
        client, playing, "RecordIrregularity", kind="wrong_card_count", **{"facts.who": "dealer", "key": "k3"}
    )
    client.force_login(make_staff(place, "surveillance"))
    page = client.get(f"/tables/{playing.pk}/", headers=HTMX).content.decode()
    assert 'data-test="open-irregularity"' in page
    assert 'data-test="happened"' not in page


def test_at_a_game_that_no_text_governs_nothing_is_offered(client):
    place = make_property("pa", "pa")
    table = make_table(place)
    client.force_login(make_staff(place, "floorperson", pits=(1,)))
    assert "No text rules on irregularities" in ask(client, table)


def test_without_the_dialog_the_same_stands_on_a_page_of_its_own(signed_in, playing):
    for query in ({}, {"kind": "wrong_card_count"}):
        where, told = address(playing, **query)
        assert "<html" in signed_in.get(where, told).content.decode()


def test_the_preview_and_the_record_state_the_same(signed_in, playing):
    kind = {"kind": "face_up_in_shoe"}
    part = ask(signed_in, playing, part="ruling", **kind)
    assert "5324.2(h)(4)" in part
    tap(signed_in, playing, "RecordIrregularity", **kind, key="k4")
    line = signed_in.get("/record/", {"clause": "NY-h-4-1"}).content.decode()
    assert "5324.2(h)(4)" in line
