"""Reading a floor file into the house: all problems at once, and either everything or nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import DataError, transaction

from pit.floor import door
from pit.floor.registry import Change, Floor, Importer, importers
from pit.floor.source import FloorFile, Problem, Row


@dataclass
class Result:
    """What an import did, or would do. With problems nothing was done."""

    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        return {sign: sum(change.sign == sign for change in self.changes) for sign in "+~="}


def import_floor(text: str, *, now: datetime, demo: bool = False, check: bool = False) -> Result:
    """Reads the file and makes the house so. `check` does the same and takes it back: the door's own refusals show too."""
    file = FloorFile(text)
    readers = importers()
    file.unknown({one.section for one in readers})
    rows = {one.section: file.rows(one.section, one.schema, many=one.many) for one in readers}
    if "property" not in file.data and not file.problems:
        file.problems.append(Problem(1, "property", "is missing: whose floor is this?"))
    if not rows["property"]:
        return Result(problems=sorted(file.problems))
    floor = Floor(now=now, demo=demo, problems=file.problems)
    return _carry_out(readers, rows, floor, check=check)


def _carry_out(
    readers: list[Importer], rows: dict[str, list[Row[Any]]], floor: Floor, *, check: bool
) -> Result:
    result = Result()
    with transaction.atomic():
        for reader in readers:
            result.changes += _section(reader, rows[reader.section], floor)
        result.problems = sorted(set(floor.problems))
        if check or result.problems:
            transaction.set_rollback(True)
    return result


def _stands(floor: Floor) -> bool:
    return hasattr(floor, "property") and door.state(floor.property).is_set_up


def _apply(reader: Importer, change: Change, floor: Floor) -> None:
    """One change; what the database cannot keep (too long, too large) is the problem of that row and no crash."""
    try:
        with transaction.atomic():
            reader.apply(change, floor)
    except (DataError, OverflowError) as error:
        floor.problems.append(change.row.problem("", f"cannot be kept: {str(error).splitlines()[0]}"))


def _section(reader: Importer, rows: list[Row[Any]], floor: Floor) -> list[Change]:
    """Plans and applies one section; what has a problem is not applied, and the rest shows its own problems."""
    if reader.order > 0 and not _stands(floor):
        return []  # without a property that stands nothing else can be judged: its own problems come first
    changes = reader.plan(rows, floor)
    for change in changes:
        if change.sign != "=":
            _apply(reader, change, floor)
    return changes
