"""Every clause of the three texts stands in its pack where the text has it, and something uses it."""

import tomllib

import msgspec
import pytest

from pit.rules import load
from pit.rules.model import Clause
from tables.rulebook.usage import unused, uses
from tests.architecture.tree import text

MATRIX: dict[str, dict[str, str]] = tomllib.loads(text("tests/architecture/clauses.toml"))
PLACES = pytest.mark.parametrize("place", MATRIX)


def pack(place):
    return load.packs()[place][-1]


@PLACES
def test_no_clause_of_the_text_is_missing_and_none_is_invented(place):
    paragraphs = {clause.rpartition("-")[0] for clause in MATRIX[place]}
    assert not set(MATRIX[place]) - set(pack(place).clauses)
    assert set(pack(place).clauses) - set(MATRIX[place]) <= paragraphs, "only whole paragraphs are added"


@PLACES
def test_every_clause_is_cited_where_the_text_has_it(place):
    known = pack(place).clauses
    assert not [
        (clause, cite, known[clause].cite)
        for clause, cite in MATRIX[place].items()
        if not known[clause].cite.endswith(cite)
    ]


@PLACES
def test_something_uses_every_clause(place):
    assert not unused(pack(place))


@PLACES
def test_every_clause_that_is_conduct_stands_with_a_step_or_in_an_irregularity(place):
    told = uses(pack(place))
    conduct = [one.id for one in pack(place).clauses.values() if one.support == "REFERENCE"]
    assert not [one for one in conduct if not told[one]]


def test_a_clause_that_nothing_uses_is_found():
    whole = pack("ny")
    lonely = Clause(id="NY-x", cite="5324.2(x)", paraphrase="Nobody reads this.")
    more = msgspec.structs.replace(whole, clauses={**whole.clauses, "NY-x": lonely})
    assert "NY-x" in unused(more)


def test_a_guard_that_is_taken_out_of_a_pack_leaves_its_clause_unused():
    whole = pack("ny")
    rule = whole.commands["OfferCut"]
    less = msgspec.structs.replace(
        whole, commands={**whole.commands, "OfferCut": msgspec.structs.replace(rule, shows=())}
    )
    assert "NY-b-4-2" in unused(less)
