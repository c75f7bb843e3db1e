"""The board and the overview: ready tiles, whose section, six queries, and who may look."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pit.people.models import Duty
from tests.people import make_property, make_staff
from tests.pit import in_play, make_table, opened
from tests.web.floor import press


def board(client, pit):
    return client.get(f"/pits/{pit.pk}/").content.decode()


def test_a_tile_says_number_game_stage_and_sign(signed_in, table):
    page = board(signed_in, in_play(table).pit)
    (tile,) = re.findall(rf'<article id="table-{table.pk}".*?</article>', page, re.DOTALL)
    for told in ("BJ-01", "Blackjack", "In play", "#sign-in_play", f'data-stream="{table.stream}"'):
        assert told in tile
    table.refresh_from_db()
    assert f'data-seq="{table.seq}"' in tile


def test_what_needs_somebody_stands_beside_with_one_button_and_its_clause(signed_in, table):
    opened(table)
    signed_in.post(f"/tables/{table.pk}/PlayerArrives", {"seat": 1})
    page = board(signed_in, table.pit)
    (need,) = re.findall(r'<li id="need-.*?</li>', page, re.DOTALL)
    assert need.count("button--primary") == 1
    assert f'action="/tables/{table.pk}/AffordInspection"' in need
    assert "(b)(3)" in need


def test_fragments_are_the_same_for_every_role(signed_in, place, table):
    opened(table)
    mine = re.findall(r"<article.*?</article>", board(signed_in, table.pit), re.DOTALL)
    signed_in.force_login(make_staff(place, "surveillance"))
    assert re.findall(r"<article.*?</article>", board(signed_in, table.pit), re.DOTALL) == mine


def test_the_board_tells_the_browser_which_tables_are_mine(signed_in, floorperson, table):
    Duty.objects.filter(staff=floorperson).update(tables=["BJ-01", "BJ-07"])
    assert 'data-section="BJ-01 BJ-07"' in board(signed_in, table.pit)


def test_the_bar_counts_what_needs_attention_in_each_pit(signed_in, place, table):
    make_table(place, pit=2, number="BJ-20")
    in_play(table)
    counts = r'class="count[^"]*" data-count="(\d)"'
    assert re.findall(counts, board(signed_in, table.pit)) == ["0", "0"]
    assert press(signed_in, table, "RecordCoverCardOut", on="nobody").status_code == 200
    assert re.findall(counts, board(signed_in, table.pit)) == ["1", "0"]


@pytest.mark.parametrize("role", ["compliance", "technician", "table_games_shift_manager"])
def test_who_looks_after_the_whole_house_begins_with_all_pits(client, place, table, role):
    client.force_login(make_staff(place, role))
    page = client.get("/").content.decode()
    assert "All pits of House NY" in page
    assert f'id="light-{table.pk}"' in page


def test_a_floorperson_begins_with_the_own_pit(signed_in, table):
    assert signed_in.get("/")["Location"] == f"/pits/{table.pit_id}/"


def test_somebody_without_a_section_sees_the_overview(client, place, table):
    client.force_login(make_staff(place, "floorperson"))
    assert "All pits of" in client.get("/").content.decode()


def test_an_administrator_of_the_installation_chooses_a_property(client, place, table):
    client.force_login(make_staff(None, "administrator"))
    assert f"/pits/{table.pit_id}/" in client.get("/").content.decode()


def test_a_pit_of_another_property_is_not_there(signed_in):
    far = make_property("far", "ny").pits.first()
    assert signed_in.get(f"/pits/{far.pk}/").status_code == 404
    assert signed_in.get(f"/pits/{far.pk}.json").status_code == 404


def test_nobody_sees_a_board_without_signing_in(client, table):
    answer = client.get(f"/pits/{table.pit_id}/")
    assert answer["Location"] == f"/accounts/login/?next=/pits/{table.pit_id}/"


def test_the_pit_as_json(signed_in, table):
    opened(table)
    told = signed_in.get(f"/pits/{table.pit_id}.json").json()
    (one,) = told["tables"]
    assert (one["number"], one["stage"], one["condition"]) == ("BJ-01", "SPREAD", "dead_game")
    assert {"seq", "holds", "alerts", "round", "id"} <= set(one)


def test_the_board_of_three_hundred_tables_costs_six_queries(signed_in, place, valkey, floorperson):
    for number in range(300):
        make_table(place, number=f"BJ-{number:03}")
    pit = place.pits.get(number=1)
    board(signed_in, pit)
    with CaptureQueriesContext(connection) as asked:
        page = board(signed_in, pit)
    assert page.count("<article") == 300
    assert len(asked) <= 6, "\n".join(query["sql"][:160] for query in asked)


def test_the_overview_counts_what_is_open(client, place, table):
    in_play(table)
    make_table(place, pit=2, number="BJ-20")
    client.force_login(make_staff(place, "table_games_shift_manager"))
    page = client.get("/").content.decode()
    assert re.search(r"<dd>1</dd><dt>of 2 tables open", page)


def test_the_badges_of_every_pit_are_told_afresh(signed_in, table):
    press(signed_in, in_play(table), "DirectReshuffle")
    assert signed_in.get("/live/tabs.json").json()["tabs"][str(table.pit_id)] == [1, 0]


def test_the_gaming_day_of_a_pit_is_drawn_with_words(signed_in, table):
    in_play(table)
    page = signed_in.get(f"/live/days/{table.pit_id}/").content.decode()
    assert "BJ-01 today:" in page
    assert "In play" in page
    assert 'class="is-in_play"' in page
