"""Events are for ever: what a release once wrote is read by every later one, field by field."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from pit.record.contract import Entry
from tables.domain.events import EVENTS
from tables.domain.evolve import evolve
from tables.domain.kind import KIND
from tables.domain.state import TableState
from tests.unit.floor_of_one import FLOOR, NOON, in_play

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.json"))


def test_every_event_has_its_golden_file() -> None:
    assert {path.name.split(".")[0] for path in FILES} == set(EVENTS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_released_event_is_read_and_written_again_as_it_was(path: Path) -> None:
    kept = path.read_bytes()
    event = msgspec.json.decode(kept, type=KIND.events[path.name.split(".")[0]], strict=True)
    assert msgspec.json.format(msgspec.json.encode(event), indent=2) + b"\n" == kept


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_released_event_can_be_folded_into_any_table(path: Path) -> None:
    event = msgspec.json.decode(path.read_bytes(), type=KIND.events[path.name.split(".")[0]])
    at: datetime = NOON
    entry = Entry(seq=1, event=event, at=at, recorded_at=at, by=FLOOR, round=7, clause="house")
    for state in (TableState(), in_play().state):
        assert isinstance(evolve(state, entry), TableState)
