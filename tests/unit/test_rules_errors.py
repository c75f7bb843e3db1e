"""A broken rule pack, game or house file stops with file, line and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pit.rules import load

HERE = Path(load.__file__).parent


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "rules" / "pa"
    folder.mkdir(parents=True)
    return Path(shutil.copy(HERE / "pa" / "2019-11-02.toml", folder))


def broken(path: Path, old: str, new: str) -> tuple[load.BadPack, int]:
    """The error of the file with one thing changed, and the line where it was changed."""
    text = path.read_text()
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(load.BadPack) as caught:
        load.read_pack(path)
    return caught.value, line


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        (
            '["recut_window", "PA-e-1"]',
            '["recut_when", "PA-e-1"]',
            "command.OrderRecut.guards",
            "unknown check",
        ),
        (
            '["recut_window", "PA-e-1"]',
            '["recut_window", "PA-z-9"]',
            "command.OrderRecut.guards",
            "no clause",
        ),
        ("min_cut = 10", 'min_cut = "ten"', "params.min_cut", "wrong type"),
        ("rotation_step = -1", "rotation_step = true", "params.rotation_step", "wrong type"),
        ('floorperson = "floorperson"', "floorperson = 3", "words.floorperson", "must be a word"),
        ('track = "manual"', 'track = "sideways"', "step.track", "no track"),
        ('default = "rotate"', 'default = "spin"', "reading.A-03.default", "none of the options"),
        ("effective = 2019-11-02", "effective = 2019-11-03", "pack.effective", "file's name"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_key(
    pack: Path, old: str, new: str, key: str, problem: str
) -> None:
    error, line = broken(pack, old, new)
    assert (error.file, error.line, error.key) == ("rules/pa/2019-11-02.toml", line, key)
    assert problem in error.problem
    assert str(error).startswith(f"rules/pa/2019-11-02.toml:{line}: {key}: ")


def test_an_unknown_role_is_named(pack: Path) -> None:
    error, _ = broken(pack, 'rank = "pit_manager"', 'rank = "croupier"')
    assert error.key == "command.SetUpTable.rank"


def test_a_field_that_nobody_reads_is_named(pack: Path) -> None:
    error, line = broken(pack, "[command.OpenTable]\n", '[command.OpenTable]\nif = "sunny"\n')
    assert error.key == "command.OpenTable.if"
    assert error.line == line + 1


def test_a_command_without_an_entry_stops_the_start(pack: Path) -> None:
    error, _ = broken(pack, "[command.RecordBurn]", "[command.RecordBlink]")
    assert error.key == "command.RecordBurn"
    assert "every command has an entry" in error.problem


def test_a_command_without_a_clause_stops_the_start(pack: Path) -> None:
    error, _ = broken(pack, '[command.OfferCut]\nclause = "PA-b-1"\n', "[command.OfferCut]\n")
    assert error.key == "command.OfferCut.clause"


def test_a_section_that_nobody_reads_stops_the_start(pack: Path) -> None:
    error, _ = broken(pack, "[words]", "[wurds]")
    assert error.key == "wurds"


def test_text_that_is_no_toml_names_its_line(pack: Path) -> None:
    error, line = broken(pack, "min_cut = 10", "min_cut = = 10")
    assert error.line == line


def test_a_game_with_a_strange_deal_mode_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "whist.toml"
    path.write_text(
        'name = "Whist"\nuses = ["cards"]\ncards_per_deck = 52\ndecks = [1]\ndeal_modes = ["thrown"]\n'
    )
    with pytest.raises(load.BadPack) as caught:
        load.read_game(path)
    assert (caught.value.line, caught.value.key) == (5, "deal_modes")


def test_a_card_game_without_decks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "whist.toml"
    path.write_text('name = "Whist"\nuses = ["cards"]\n')
    with pytest.raises(load.BadPack) as caught:
        load.read_game(path)
    assert "cards_per_deck" in caught.value.key


def test_a_house_setting_of_a_wrong_type_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('[tea_minutes]\nlabel = 5\ngoverns = "tea"\ndefault = 5\n')
    with pytest.raises(load.BadPack) as caught:
        load.read_house(path)
    assert (caught.value.line, caught.value.key) == (2, "tea_minutes.label")


@pytest.mark.parametrize(
    "bad",
    [b"x = " + b"[" * 5000 + b"]" * 5000, b"x = " + b"9" * 5000, b'x = "\xff"', b"\x00"],
    ids=["deep", "long number", "no UTF-8", "NUL"],
)
def test_what_no_reader_can_take_is_a_bad_pack_and_no_crash(pack: Path, bad: bytes) -> None:
    pack.write_bytes(bad)
    with pytest.raises(load.BadPack, match=r"2019-11-02\.toml:1: \(TOML\)"):
        load.read_pack(pack)
