"""The rules as pages: every clause can be found, read and followed from a chip."""

import re

import pytest

from pit.rules import load
from tables.rulebook.book import address
from tests.pit import opened

pytestmark = pytest.mark.django_db
PACKS = [pack for dated in load.packs().values() for pack in dated]


def test_the_rules_page_names_every_pack_and_every_house_setting(signed_in):
    page = signed_in.get("/rules/").content.decode()
    assert all(pack.title in page.replace("&#x27;", "'") for pack in PACKS)
    assert all(key in page for key in load.house_settings())


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.version)
def test_a_pack_shows_every_clause_with_its_use_every_figure_and_every_reading(signed_in, pack):
    page = signed_in.get(f"/rules/{pack.version.replace('/', '-')}/").content.decode()
    assert all(f'id="{clause}"' in page for clause in pack.clauses)
    assert all(f'id="{reading}"' in page for reading in pack.readings)


def test_a_place_alone_leads_to_its_newest_pack(signed_in):
    assert "9 NYCRR 5324.2" in signed_in.get("/rules/ny/").content.decode()
    assert signed_in.get("/rules/zz/").status_code == 404


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.version)
def test_every_clause_has_a_page_and_the_dialogs_part_is_no_whole_page(signed_in, pack):
    for clause in pack.clauses:
        where = address(clause, pack.version)
        whole = signed_in.get(where).content.decode()
        part = signed_in.get(where, headers={"HX-Request": "true"}).content.decode()
        assert "<html" in whole
        assert "<html" not in part
        assert pack.clauses[clause].cite in part
    assert signed_in.get(where + "x/").status_code == 404


@pytest.mark.parametrize("clause", ["house", "pitstand"])
def test_what_no_text_says_has_a_page_too(signed_in, clause):
    where = address(clause)
    assert signed_in.get(where).status_code == 200
    assert "<html" not in signed_in.get(where, headers={"HX-Request": "true"}).content.decode()


@pytest.mark.parametrize(
    ("asked", "clause"), [("NY-b-7-1", "NY-b-7-1"), ("(b)(7)", "NY-b-7-1"), ("clockwise until", "NY-b-7-1")]
)
def test_a_clause_is_found_by_id_by_citation_and_by_its_words(signed_in, asked, clause):
    assert f'id="{clause}"' in signed_in.get("/rules/", {"q": asked}).content.decode()
    assert f'id="{clause}"' in signed_in.get("/rules/ny/", {"q": asked}).content.decode()


def test_a_search_that_finds_nothing_says_so(signed_in):
    assert "No clause matches" in signed_in.get("/rules/ny/", {"q": "zeppelin"}).content.decode()


def test_every_chip_of_a_sheet_leads_to_a_page(signed_in, table):
    opened(table)
    page = signed_in.get(f"/tables/{table.pk}/").content.decode()
    chips = set(re.findall(r'class="chip clause" href="([^"]+)"', page))
    assert chips
    assert all(signed_in.get(where).status_code == 200 for where in chips)


def test_a_clause_of_an_entry_is_read_under_the_pack_that_the_entry_names():
    pack = PACKS[0]
    clause = next(iter(pack.clauses))
    assert address(clause, pack.version) == f"/rules/{pack.version.replace('/', '-')}/{clause}/"
    assert address(clause, "xx/2000-01-01") == address(clause)
    assert address("no such clause") == ""
