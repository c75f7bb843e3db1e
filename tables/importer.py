"""[[table]] of a floor file: the tables of each pit, their game, equipment and place on the plan.

What a table is comes from its stream; the file asks the door for it like everybody else (`SetUpTable`), so a matter
of notice at an open table is refused here with the door's own code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import msgspec

from pit.floor.door import IMPORT
from pit.floor.importer import differences, told
from pit.floor.registry import Change, Floor, register_importer
from pit.floor.source import Problem, Row
from pit.record import codec, door, streams
from pit.record.models import Stream
from pit.rules import load
from tables.domain.commands import SetUpTable
from tables.domain.decide_setup import config_of
from tables.domain.state import BatchSpec, Config, DeviceSpec, ProgressiveSpec, TableState, TermSpec
from tables.import_terms import import_terms, told_terms
from tables.models import Shape, Table

PLACE = ("name", "x", "y", "rotation", "shape")
SHAPES = {
    "baccarat": Shape.OVAL,
    "big_wheel": Shape.WHEEL,
    "craps": Shape.TUB,
    "mini_craps": Shape.TUB,
    "roulette": Shape.LONG,
}


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[table]]. Zero or empty takes the game's own."""

    pit: int
    number: str
    game: str
    seats: int
    name: str = ""
    x: int = 50
    y: int = 50
    rotation: int = 0
    shape: str = ""
    decks: int = 0
    cards_per_deck: int = 0
    deal_mode: str = ""
    cut_mode: str = ""
    batches: list[BatchSpec] = []
    devices: list[DeviceSpec] = []
    drop_box: bool = True
    tip_box_side: str = "dealer"
    rack_decks: int | None = None
    rack_mark_decks: int | None = None
    shaker: str = ""
    stack_size: int = 0
    internal_controls_ref: str = ""
    extra_positions: int = 0
    shaker_bears_name: bool = True
    shaker_opaque: bool = True
    progressive: ProgressiveSpec | None = None
    rounds_by: str = ""
    terms: list[TermSpec] = []
    """What is in force here, each with `matter`, `item` and `value`: a pay table, a percentage, a procedure."""


def register() -> None:
    """Called once at start."""
    register_importer("table", TableRow, plan_tables, apply_table, order=50)


def plan_tables(rows: Sequence[Row[TableRow]], floor: Floor) -> list[Change]:
    """Tables by their number within the property; a table may move to another pit."""
    tables = {one.number: one for one in Table.objects.filter(property=floor.property).select_related("pit")}
    configs = _configs(list(tables.values()))
    changes, seen = [], set[str]()
    for row in rows:
        problems = _problems(row, floor)
        if row.data.number in seen:
            problems.append(row.problem("number", "is there twice"))
        seen.add(row.data.number)
        floor.problems += problems
        if not problems:
            found = tables.get(row.data.number)
            changes.append(_change(row, found, configs.get(found.stream) if found else None, floor))
    return changes


def _configs(tables: Sequence[Table]) -> dict[str, Config | None]:
    """What each table's stream says that it is set up as."""
    rows = Stream.objects.filter(name__in=[table.stream for table in tables]).values_list("name", "state")
    return {name: codec.loads(text, TableState).config for name, text in rows}


def _problems(row: Row[TableRow], floor: Floor) -> list[Problem]:
    data = row.data
    checks = {
        "pit": (data.pit in floor.keep["pits"], f"there is no pit {data.pit} here"),
        "number": (0 < len(data.number) <= 16, "1 to 16 characters"),
        "game": (data.game in load.games(), f"there are: {', '.join(load.games())}"),
        "x": (0 <= data.x <= 100, "0 to 100, per cent from the left"),
        "y": (0 <= data.y <= 100, "0 to 100, per cent from the top"),
        "rotation": (data.rotation in (0, 90, 180, 270), "0, 90, 180 or 270"),
        "shape": (data.shape in ("", *Shape.values), f"there are: {', '.join(Shape.values)}"),
        "rounds_by": (data.rounds_by in ("", "counter", "steps"), "counter or steps"),
        "tip_box_side": (data.tip_box_side in ("dealer", "players"), "dealer or players"),
    }
    return [row.problem(name, text) for name, (holds, text) in checks.items() if not holds]


def command_of(row: TableRow) -> SetUpTable:
    """The set-up that the row asks for."""
    fields = {name: getattr(row, name) for name in SetUpTable.__struct_fields__ if hasattr(row, name)}
    return msgspec.convert(msgspec.to_builtins(fields), SetUpTable)


def _effective(row: TableRow) -> dict[str, Any]:
    """The set-up as the stream will hold it: the game's own where the row is silent."""
    return msgspec.structs.asdict(config_of(command_of(row), load.games()[row.game]))


def _place(row: TableRow) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in PLACE}
    return fields | {"shape": row.shape or SHAPES.get(row.game, Shape.HALF_MOON).value}


def _change(row: Row[TableRow], found: Table | None, config: Config | None, floor: Floor) -> Change:
    what = f"table {row.data.number}"
    if found is None:
        return Change("+", what, row)
    held = msgspec.structs.asdict(config) if config else {}
    wanted = {name: value for name, value in _effective(row.data).items() if held.get(name, "") != value}
    parts = [
        differences({"pit": found.pit.number}, {"pit": row.data.pit}),
        differences({name: getattr(found, name) for name in PLACE}, _place(row.data)),
        ", ".join(f"{name} {_short(held.get(name))} → {_short(value)}" for name, value in wanted.items()),
        told_terms(row.data.terms, found.stream),
    ]
    detail = ", ".join(part for part in parts if part)
    return Change("~" if detail else "=", what, row, detail, work=(found, bool(wanted)))


def _short(value: Any) -> str:
    """A value of the set-up as the plan shows it: batches by their backs, devices by their ids."""
    if isinstance(value, tuple):
        return "+".join(getattr(one, "back", getattr(one, "id", "")) for one in value) or "none"
    return str(value)


def apply_table(change: Change, floor: Floor) -> None:
    """Makes the table's row and stream, or moves and redraws it; then asks the door for its set-up."""
    row: TableRow = change.row.data
    pit = floor.keep["pits"][row.pit]
    table, changes_set_up = change.work or (None, True)
    fields = {"pit": pit, "game": row.game, "seats": row.seats} | _place(row)
    if table is None:
        table = Table.objects.create(property=floor.property, number=row.number, **fields)
        streams.create(table.stream, property_id=floor.property.pk, topic=pit.topic, by=IMPORT, now=floor.now)
    else:
        moved = table.pit_id != pit.pk
        Table.objects.filter(pk=table.pk).update(**fields)
        if moved:
            streams.move(table.stream, topic=pit.topic, by=IMPORT, now=floor.now)
    if changes_set_up:
        _set_up(change, table, floor)
    floor.problems += import_terms(change.row, table, now=floor.now)


def _set_up(change: Change, table: Table, floor: Floor) -> None:
    command = command_of(change.row.data)
    answer = door.submit(command, stream=table.stream, by=IMPORT, key=uuid4().hex, now=floor.now)
    if answer.refused is not None:
        floor.problems += [change.row.problem(name, text) for name, text in told(answer.refused, "")]
