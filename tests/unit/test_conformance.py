"""`check_rules`: our own cases pass, a wrong answer fails, a case that is none is a failure and never a crash."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tables.conformance.case import INFORMS
from tables.conformance.kinds import KINDS
from tables.conformance.run import run, run_case

OWN = Path(__file__).parent.parent / "vectors"
SHARED = Path(__file__).parents[2].parent / "shared" / "vectors"
FILES = sorted(OWN.glob("*.json"))


def cases(files: list[Path]) -> list[dict[str, Any]]:
    return [case for path in files for case in json.loads(path.read_text())]


def check(*paths: object, **options: object) -> tuple[int, list[str]]:
    out = StringIO()
    try:
        call_command("check_rules", *map(str, paths), stdout=out, **options)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def wrong_answers(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The case once for each word and figure of its answer, that one changed."""
    for name in {"expected", "expected_accepted"} & set(case):
        for path in _leaves(case[name], (name,)):
            changed = copy.deepcopy(case)
            inside = changed
            for step in path[:-1]:
                inside = inside[step]
            inside[path[-1]] = _other(inside[path[-1]])
            yield changed


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in INFORMS and not (key == "clause" and inner == "reading"):
                yield from _leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for nth, inner in enumerate(value):
            yield from _leaves(inner, (*path, nth))
    else:
        yield path


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return "SOMETHING_ELSE" if value is not None else False


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_our_own_cases_agree(path: Path) -> None:
    assert [(one.id, one.wrong) for one in run(path).results if one.wrong] == []


def test_every_kind_has_a_case_of_our_own() -> None:
    assert {case["kind"] for case in cases(FILES)} == set(KINDS)


@pytest.mark.parametrize("case", cases(FILES), ids=lambda case: case["id"])
def test_a_case_with_any_word_of_its_answer_changed_fails(case: dict[str, Any]) -> None:
    changed = list(wrong_answers(case))
    assert changed
    for wrong in changed:
        assert run_case(wrong).wrong, wrong


@pytest.mark.parametrize("folder", [one for one in [SHARED] if one.is_dir()], ids=str)
def test_the_cases_beside_this_tree_agree(folder: Path) -> None:
    code, lines = check(folder)
    assert [line for line in lines if line.startswith("FAILED")] == []
    assert code == 0


def test_an_alternative_answer_is_run_under_its_own_setting() -> None:
    case = next(one for one in cases(FILES) if one["id"] == "last-number")
    assert not run_case(case).wrong
    assert run_case(case | {"alt": {"reading": "A-12", "expected": {"position": 1}}}).wrong


def test_a_setting_of_the_case_counts() -> None:
    case = next(one for one in cases(FILES) if one["id"] == "by-hand-at-a-free-house")
    assert run_case(case | {"settings": {}}).wrong


def test_an_answer_that_keeps_a_refusal_to_itself_fails() -> None:
    case = next(one for one in cases(FILES) if one["id"] == "nj-does-not-deal-with-cutting")
    assert run_case(case | {"expected": {"note": "nothing said"}}).wrong


CUT_OFFER: dict[str, Any] = {
    "id": "x",
    "kind": "cut_offer",
    "input": {"seats": 6, "cause": "discretion"},
    "expected": {},
}
DICE = {"id": "x", "kind": "dice_24h", "timezone": "UTC", "placed_local": "2026-01-01T00:00", "expected": {}}
PLAYER_CUT = {
    "id": "x",
    "kind": "player_cut",
    "jurisdiction": "NY",
    "total_cards": 52,
    "cards_above_cover": 20,
    "expected": {},
}


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (None, "a case is an object"),
        ([], "a case is an object"),
        ({"kind": "player_cut"}, "id is missing"),
        ({"id": "x", "kind": 3}, "kind is missing"),
        (PLAYER_CUT | {"kind": "crystal_ball"}, "no kind 'crystal_ball'"),
        ({key: value for key, value in PLAYER_CUT.items() if key != "expected"}, "expected is missing"),
        ({key: value for key, value in PLAYER_CUT.items() if key != "cards_above_cover"}, "cards_above_cover is missing"),
        (PLAYER_CUT | {"jurisdiction": "NV"}, "no rule pack of jurisdiction 'NV'"),
        (PLAYER_CUT | {"jurisdiction": 7}, "no rule pack"),
        (PLAYER_CUT | {"settings": []}, "settings is not an object"),
        (PLAYER_CUT | {"settings": {"gravity": 9}}, "no setting or reading 'gravity'"),
        (PLAYER_CUT | {"alts": {}}, "alts is not a list"),
        (PLAYER_CUT | {"alts": [{}]}, "names its reading"),
        (PLAYER_CUT | {"alt": {"reading": "A-31", "expected": {"valid": True}}}, "say which as `option`"),
        ({"id": "x", "kind": "cut_offer", "expected": {}}, "input is missing"),
        (CUT_OFFER | {"input": CUT_OFFER["input"] | {"occupied": [{"seat": 1, "player": []}]}}, "a player is a token"),
        (DICE | {"timezone": "Moon/Crater"}, "timezone"),
        (DICE | {"placed_local": "yesterday"}, "placed_local"),
        ({"id": "x", "kind": "pickup_order", "occupied": "all", "expected": []}, "a list of seats"),
    ],
)  # fmt: skip
def test_a_malformed_case_is_a_failure_with_one_clear_line(case: object, says: str) -> None:
    (line,) = run_case(case).wrong
    assert line.startswith("malformed: ")
    assert says in line


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize(
    "rubbish", [{}, {"input": {}}, {"input": {"kind": [], "seats": [], "occupied": {}, "rounds": "x"}}]
)
def test_rubbish_of_any_kind_is_refused_and_never_raises(kind: str, rubbish: dict[str, Any]) -> None:
    (line, *_) = run_case({"id": "x", "kind": kind, "expected": {"accepted": "?"}, **rubbish}).wrong
    assert not line.startswith("cannot be run"), line


@pytest.mark.parametrize("text", ["", "{}", "[1", '"a"', "[" * 100_000, "\x00"])
def test_a_file_that_is_none_is_a_failure(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.json").write_text(text)
    code, lines = check(tmp_path / "odd.json")
    assert (code, lines[-1]) == (1, "0 passed, 1 failed")


def test_a_folder_without_cases_and_a_path_that_is_not_there_are_no_success(tmp_path: Path) -> None:
    assert check(tmp_path) == (1, ["0 passed, 0 failed"])
    assert check(tmp_path / "gone.json")[0] == 1


def test_the_command_says_each_file_and_the_sum(tmp_path: Path) -> None:
    code, lines = check(OWN / "depths.json", OWN / "rounds.json")
    assert (code, lines) == (0, ["depths.json  10/10", "rounds.json  4/4", "14 passed, 0 failed"])


def test_one_wrong_answer_among_right_ones_makes_the_command_fail(tmp_path: Path) -> None:
    listed = json.loads((OWN / "depths.json").read_text())
    listed[0]["expected"]["cards_below"] = 1
    (tmp_path / "depths.json").write_text(json.dumps(listed))
    code, lines = check(tmp_path)
    assert (code, lines[-1]) == (1, "9 passed, 1 failed")
    assert lines[0] == "FAILED depths.json half-of-a-shoe: cards_below: expected 1, got 130"


def test_verbose_shows_what_went_in_was_expected_and_came_out() -> None:
    _, lines = check(OWN / "depths.json", verbose=True)
    assert "depths.json half-of-a-shoe: passed" in lines
    assert [line.split(":")[0].strip() for line in lines[1:4]] == ["input", "expected", "got"]


def test_a_house_can_run_its_cases_without_any_settings() -> None:
    root = OWN.parent.parent
    bare = {"PATH": os.environ["PATH"], "HOME": str(root)}
    done = subprocess.run(
        [sys.executable, str(root / "manage.py"), "check_rules", str(OWN / "recut.json")],
        env=bare,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "8 passed, 0 failed"), done.stderr
