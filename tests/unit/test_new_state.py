"""A state that does not exist: its small pack is completed, loaded, played and thrown away (docs/new-state.md)."""

import tomllib
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from pit.rules import load
from tables.domain import kind
from tables.domain.commands import COMMANDS
from tables.play.floor import Core
from tables.play.run import play
from tables.play.scenario import read
from tables.rulebook.complete import complete
from tables.rulebook.usage import unused

HERE = Path(__file__).parent.parent / "newstate"
SMALL = (HERE / "zz.toml").read_text(encoding="utf-8")


def completed(like="pa"):
    return complete(SMALL, load.packs()[like][-1])


@pytest.fixture
def zz(tmp_path, monkeypatch):
    """The pack in force as long as the test runs."""
    path = tmp_path / "zz" / "2026-01-01.toml"
    path.parent.mkdir()
    path.write_text(completed(), encoding="utf-8")
    pack = load.read_pack(path)
    known = {**load.packs(), "zz": (pack,)}
    monkeypatch.setattr(load, "packs", lambda: known)
    yield pack
    kind._in_force.cache_clear()


def test_the_small_pack_is_small():
    assert len(SMALL.splitlines()) < 150


@pytest.mark.parametrize("like", sorted(load.packs()))
def test_completed_it_loads_and_every_command_has_an_entry(tmp_path, like):
    path = tmp_path / "zz" / "2026-01-01.toml"
    path.parent.mkdir()
    path.write_text(completed(like), encoding="utf-8")
    assert set(load.read_pack(path).commands) == set(COMMANDS)


def test_what_the_text_says_wins_and_what_it_does_not_say_cites_nothing(zz):
    said = tomllib.loads(SMALL)["command"]
    assert zz.commands["OfferCut"].clause == "ZZ-a"
    for name, rule in zz.commands.items():
        if name not in said:
            assert rule.not_governed, name
            assert {guard.clause for guard in rule.guards} <= {"house"}, name
    for step in zz.steps:
        assert step.clause == said.get(step.command, {}).get("clause", "house"), step.command


def test_every_clause_of_the_new_state_is_used(zz):
    assert unused(zz) == ()


def test_its_day_is_played_with_its_own_clauses_and_words(zz):
    played = list(play(read(HERE / "day.jsonl"), Core(), strict=True))
    assert [text for one in played for text in one.wrong] == []
    refusals = {one.outcome.clause for one in played if not one.outcome.accepted}
    assert {"ZZ-b", "ZZ-c", "ZZ-d", "house"} <= refusals
    assert played[0].outcome.rules.word("dealer") == "croupier"


def test_afterwards_it_is_gone():
    assert "zz" not in load.packs()


def test_the_command_writes_the_whole_pack():
    out = StringIO()
    call_command("complete_pack", str(HERE / "zz.toml"), like="pa", stdout=out)
    assert out.getvalue() == completed()


@pytest.mark.parametrize(
    ("like", "says"), [("yy", "no rule pack 'yy'"), ("pa", "cannot|Expected|Invalid|No such file")]
)
def test_the_command_says_what_it_cannot_read(tmp_path, like, says):
    small = tmp_path / "broken.toml"
    small.write_text("[pack\n")
    with pytest.raises(CommandError, match=says):
        call_command("complete_pack", str(small), like=like, stdout=StringIO())


def test_a_pack_that_names_no_clause_of_its_own_is_refused_with_file_line_and_key(tmp_path):
    path = tmp_path / "zz" / "2026-01-01.toml"
    path.parent.mkdir()
    path.write_text(completed().replace('["cover_depth", "ZZ-c"]', '["cover_depth", "ZZ-x"]'))
    with pytest.raises(load.BadPack, match=r"zz/2026-01-01.toml:\d+: command.InsertCoverCard.guards"):
        load.read_pack(path)
