"""Every command stands in every pack with a clause; the packs and the code name the same things."""

import re

import pytest

from pit.record import registry
from pit.rules import load
from pit.rules.checks import CHECKS
from pit.rules.model import HOUSE
from tables.domain.commands import COMMANDS
from tests.architecture.tree import files, text

PACKS = [pack for dated in load.packs().values() for pack in dated]
BY_NAME = pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.version)


def test_three_places_have_a_pack():
    assert {pack.jurisdiction for pack in PACKS} >= {"ny", "pa", "nj"}


@BY_NAME
def test_every_command_stands_in_every_pack_and_no_other(pack):
    assert set(pack.commands) == set(COMMANDS)


@BY_NAME
def test_every_command_has_a_clause_of_its_pack_or_says_that_no_text_governs_it(pack):
    wrong = [
        rule.name
        for rule in pack.commands.values()
        if not (rule.clause in pack.clauses or (rule.clause == HOUSE and rule.not_governed))
    ]
    assert not wrong


@BY_NAME
def test_every_guard_and_step_cites_a_clause_that_is_there(pack):
    known = {*pack.clauses, HOUSE, "pitstand"}
    cited = [(rule.name, guard.clause) for rule in pack.commands.values() for guard in rule.guards]
    cited += [(step.command, step.clause) for step in pack.steps]
    cited += [(event.key, clause) for event in pack.irregularities.values() for clause in event.clauses]
    assert not [pair for pair in cited if pair[1] not in known]


@BY_NAME
def test_every_clause_says_where_it_stands_and_what_it_says(pack):
    assert pack.clauses
    assert not [clause.id for clause in pack.clauses.values() if not clause.cite or not clause.paraphrase]


@BY_NAME
def test_the_file_is_named_by_its_place_and_the_day_it_came_into_force(pack):
    assert re.fullmatch(r"[a-z]{2}/\d{4}-\d\d-\d\d", pack.version)
    assert f"pit/rules/{pack.version}.toml" in files("pit/rules", ending=".toml")


@BY_NAME
def test_no_pack_holds_an_expression(pack):
    """Parameters and names of checks, never conditions: nothing in a pack is ever evaluated."""
    source = text(f"pit/rules/{pack.version}.toml")
    values = re.findall(
        r'^(?!\s*(?:paraphrase|words|matter|cite|title|source|effective_note)\b)[\w.-]+\s*=\s*"([^"]*)"',
        source,
        re.MULTILINE,
    )
    assert not [
        value for value in values if re.search(r"[<>=]=|\band\b.*\bor\b|lambda|\bif\b.*\belse\b|\w\(", value)
    ]


@BY_NAME
def test_every_guard_is_on_the_closed_list(pack):
    assert {guard.check for rule in pack.commands.values() for guard in rule.guards} <= CHECKS


def test_every_check_of_the_closed_list_is_used_by_a_pack():
    used = {guard.check for pack in PACKS for rule in pack.commands.values() for guard in rule.guards}
    assert not CHECKS - used


def test_every_stream_kind_knows_its_commands_and_events_by_their_own_names():
    kinds = registry.kinds()
    assert {"table", "property"} <= {kind.name for kind in kinds}
    for kind in kinds:
        assert all(name == struct.__name__ for name, struct in {**kind.commands, **kind.events}.items())


def test_commands_are_orders_and_events_are_past():
    """A command begins with a verb and an event ends with one in the past."""
    for kind in registry.kinds():
        assert not [
            name
            for name in kind.commands
            if name.endswith("ed") and not name.startswith(("Record", "Attest"))
        ]
        assert not set(kind.commands) & set(kind.events)
