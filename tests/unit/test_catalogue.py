"""The clauses, readings and irregularities of the packs: whole, cited, in our own words, silence kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pit.rules.load import packs
from pit.rules.model import Pack
from tables.domain.rulings import CONSEQUENCES

REGULATIONS = Path(__file__).parents[2].parent / "shared" / "regulations"
NEWEST = [all_[-1] for all_ in packs().values()]
CITES = {"ny": "5324.2", "pa": "635a.5", "nj": "13:69F-33.9"}
ROWS = {"ny": 122, "pa": 28, "nj": 13}
"""Rows of the requirements' matrix, and three paragraphs that are also cited whole."""
beside = pytest.mark.parametrize("folder", [one for one in [REGULATIONS] if one.is_dir()], ids=str)
"""Runs where the regulations lie beside this tree."""


@pytest.mark.parametrize("pack", NEWEST, ids=lambda pack: pack.jurisdiction)
def test_every_row_has_its_place_in_the_text_and_one_line_of_our_own(pack: Pack) -> None:
    assert len(pack.clauses) == ROWS[pack.jurisdiction]
    for one in pack.clauses.values():
        assert one.id.startswith(pack.jurisdiction.upper() + "-")
        assert one.cite.startswith(CITES[pack.jurisdiction])
        assert one.support
        assert 10 < len(one.paraphrase) < 240
        assert "\n" not in one.paraphrase
        assert one.paraphrase.endswith(".")


@pytest.mark.parametrize("pack", NEWEST, ids=lambda pack: pack.jurisdiction)
def test_the_id_of_a_clause_follows_its_place(pack: Pack) -> None:
    for one in pack.clauses.values():
        letters = one.id.split("-")[1:]
        told = re.findall(r"\((\w+)\)", one.cite)
        assert letters[: len(told)] == told or not told, one


@pytest.mark.parametrize("pack", NEWEST, ids=lambda pack: pack.jurisdiction)
def test_a_reading_has_a_default_among_its_options(pack: Pack) -> None:
    for one in pack.readings.values():
        assert re.fullmatch(r"A-\d\d", one.id)
        assert one.matter
        assert not one.options or one.default in one.options


@pytest.mark.parametrize("pack", NEWEST, ids=lambda pack: pack.jurisdiction)
def test_an_irregularity_states_only_known_outcomes_under_known_clauses(pack: Pack) -> None:
    triggers = [one.trigger for one in pack.irregularities.values()]
    assert len(set(triggers)) == len(triggers)
    for one in pack.irregularities.values():
        assert one.clauses
        assert set(one.clauses) <= set(pack.clauses)
        assert set(one.consequences) <= set(CONSEQUENCES)
        assert one.steps


def test_a_void_without_a_word_on_wagers_bears_a_prompt_that_says_whose_default_it_is() -> None:
    for one in packs()["ny"][-1].irregularities.values():
        stated = one.consequences.get("hands_void") or one.consequences.get("round_void")
        void = stated or one.inferred.get("round_void")
        silent = "wagers_returned" not in one.consequences or "reshuffle" not in one.consequences
        assert bool(one.prompt) == bool(void and silent), one.key
        assert not one.prompt or "House default" in one.prompt


@beside
def test_no_row_of_the_matrix_is_missing(folder: Path) -> None:
    text = (folder / "requirements.md").read_text()
    rows = set(re.findall(r"^\| ((?:NY|PA|NJ)-[\w-]+) \|", text, re.MULTILINE))
    have = {clause for pack in NEWEST for clause in pack.clauses}
    assert have - rows == {"NY-d-1", "NY-h-5", "NY-k-4"}
    assert rows <= have


@beside
def test_the_rulings_are_those_of_the_text(folder: Path) -> None:
    found = packs()["ny"][-1].irregularities
    by_trigger = {one.trigger: one for one in found.values()}
    table = json.loads((folder / "rulings-ny.json").read_text())["table"]
    assert {row["trigger"] for row in table} == set(by_trigger)
    for row in table:
        one, stated = by_trigger[row["trigger"]], row["consequence"]
        assert one.clauses == (row["clause"],)
        assert list(one.steps) == stated["steps"]
        assert dict(one.inferred) == stated["inferred"]
        said = {
            key: value
            for key, value in stated.items()
            if value is not None and key not in ("steps", "inferred")
        }
        assert dict(one.consequences) == said
