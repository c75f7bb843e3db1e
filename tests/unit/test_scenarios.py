"""The kept scenarios come out as they say, and a scenario that is wrong is told where."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tables.play.floor import Core
from tables.play.run import play, told
from tables.play.scenario import Malformed, read

KEPT = sorted((Path(__file__).parent.parent / "scenarios").rglob("*.jsonl"))
SET_UP = {
    "at": "2026-03-04T09:00",
    "table": {"number": "1", "place": "ny", "game": "roulette", "seats": 6, "zone": "America/New_York"},
}
OPEN = {"at": "+5m", "as": "floorperson", "command": "OpenTable"}


def written(folder, *lines):
    path = folder / "one.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def outcomes(folder, *lines):
    return list(play(read(written(folder, *lines)), Core(), strict=True))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_scenario_comes_out_as_it_says(path):
    wrong = [
        f"line {one.outcome.line.number}: {text}"
        for one in play(read(path), Core(), strict=True)
        for text in one.wrong
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_scenario_holds_outcomes_to_be_checked(path):
    expected = [line for line in read(path) if line.expect]
    assert len(expected) >= 3


def test_a_line_that_is_not_as_expected_is_told_and_fails_the_command(tmp_path):
    path = written(tmp_path, SET_UP, OPEN | {"expect": {"stage": "READY", "code": "NO_SUCH"}})
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("play", str(path), stdout=out)
    assert "NOT AS EXPECTED code: expected 'NO_SUCH', got None" in out.getvalue()
    assert out.getvalue().endswith("2 accepted, 0 refused, 1 not as expected\n")


def test_a_refusal_that_no_line_foresees_fails_when_strict(tmp_path):
    last = outcomes(tmp_path, SET_UP, {**OPEN, "as": "dealer"})[-1]
    assert "ROLE_NOT_PERMITTED" in last.wrong[0]


def test_a_refusal_says_code_clause_and_the_next_step(tmp_path):
    text = "\n".join(told(outcomes(tmp_path, SET_UP, {**OPEN, "as": "dealer"})[-1]))
    assert "refused   ROLE_NOT_PERMITTED" in text
    assert "next: " in text


def test_what_falls_due_between_two_lines_is_said_as_the_sweep_says_it(tmp_path):
    dice = {
        "at": "+1m",
        "as": "dealer",
        "command": "PlaceDice",
        "fields": {"set_id": "DS-1", "shaker": "SK-1"},
    }
    pai_gow = {**SET_UP["table"], "game": "pai_gow_tiles", "shaker": "SK-1"}
    played = outcomes(tmp_path, {**SET_UP, "table": pai_gow}, OPEN, dice, {"at": "+25h"})
    assert [kind.partition(":")[0] for kind in played[-1].outcome.dues] == ["dice_warning"] * 2 + [
        "dice_over"
    ]


def test_a_time_of_day_is_the_next_one_by_the_clock_of_the_place(tmp_path):
    lines = read(written(tmp_path, SET_UP, {"at": "23:30"}, {"at": "01:15"}, {"at": "+1h30m20s"}))
    assert [f"{one.at:%d %H:%M:%S}" for one in lines] == [
        "04 14:00:00",
        "05 04:30:00",
        "05 06:15:00",
        "05 07:45:20",
    ]


def test_a_device_speaks_in_its_own_codes(tmp_path):
    lines = read(
        written(
            tmp_path, SET_UP, {"at": "+1m", "device": "SH-1", "code": "CYCLE_DONE", "fields": {"batch": "A"}}
        )
    )
    assert (lines[-1].command, dict(lines[-1].fields)) == ("CompleteShuffle", {"batch": "A"})
    assert lines[-1].by.role == "device"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2: not JSON"),
        ("[]", "line 2: not an object"),
        ({"at": "+1m", "act": "OpenTable"}, "line 2: unknown: act"),
        ({"at": "soon"}, "line 2: at cannot be read"),
        ({"at": "25:00"}, "line 2: no such time"),
        ({"at": "2026-03-03T09:00"}, "line 2: 2026-03-03T09:00 lies before the line above it"),
        ({**OPEN, "as": "croupier"}, "line 2: no role 'croupier'"),
        ({"at": "+1m", "command": "OpenTable"}, "line 2: as says who acts"),
        ({**OPEN, "fields": []}, "line 2: fields is an object"),
        ({**OPEN, "expect": {"color": "red"}}, "line 2: expect does not know color"),
        ({"at": "+1m", "code": "SHUF_JAM"}, "line 2: SHUF_JAM comes from a device"),
        ({"at": "+1m", "table": {}}, "line 2: table is the number of a table"),
    ],
)
def test_a_line_that_cannot_be_played_is_told_with_its_number(tmp_path, line, says):
    with pytest.raises(Malformed, match=says.replace("(", r"\(")):
        read(written(tmp_path, SET_UP, line))


def test_a_command_for_a_table_that_was_never_set_up_is_told(tmp_path):
    with pytest.raises(Malformed, match="no table '2' was set up"):
        outcomes(tmp_path, SET_UP, {**OPEN, "table": "2"})


def test_a_place_without_a_pack_is_told_by_the_command(tmp_path):
    path = written(tmp_path, {**SET_UP, "table": {**SET_UP["table"], "place": "zz"}})
    with pytest.raises(CommandError, match="no rule pack"):
        call_command("play", str(path), stdout=StringIO())
