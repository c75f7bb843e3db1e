"""The sections of a floor file that are the property's own: [property], [readings], [house], [[pit]]."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from pit.floor import door
from pit.floor.domain.commands import ChangeHouseSetting, SettleReading, SetUpProperty
from pit.floor.models import Pit, Property
from pit.floor.registry import Change, Floor, Sign, register_importer
from pit.floor.source import Free, Row
from pit.record.contract import Refused


class PropertyRow(msgspec.Struct, frozen=True, kw_only=True):
    """[property]"""

    key: str
    name: str
    jurisdiction: str
    zone: str
    gaming_day_starts: str = "06:00"
    clock: int = 24


class PitRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[pit]]"""

    number: int
    name: str = ""


KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")
LARGEST_PIT = 9_999
LONGEST_PIT_NAME = 60


def register() -> None:
    """Called once at start."""
    register_importer("property", PropertyRow, plan_property, apply_property, many=False, order=0)
    register_importer("readings", Free, plan_readings, apply_command, many=False, order=10)
    register_importer("house", Free, plan_house, apply_command, many=False, order=11)
    register_importer("pit", PitRow, plan_pits, apply_pit, order=20)


def differences(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """ "seats 7 → 6, decks 6 → 8" for a line of the plan; "" when nothing differs."""
    return ", ".join(
        f"{name} {now.get(name)} → {value}" for name, value in wanted.items() if now.get(name) != value
    )


def _command(row: PropertyRow) -> SetUpProperty:
    fields = msgspec.structs.asdict(row)
    del fields["key"]
    return SetUpProperty(**fields)


def plan_property(rows: Sequence[Row[PropertyRow]], floor: Floor) -> list[Change]:
    """One property, found again by its key."""
    changes = []
    for row in rows:
        if not KEY.fullmatch(row.data.key):
            floor.problems.append(row.problem("key", "1 to 40 letters, digits, hyphens and underscores"))
            continue
        found = Property.objects.filter(key=row.data.key).first()
        if found is None:
            changes.append(Change("+", f"property {row.data.key}", row))
            continue
        floor.property = found
        state = msgspec.structs.asdict(door.state(found))
        detail = differences(state, msgspec.structs.asdict(_command(row.data)))
        changes.append(Change("~" if detail else "=", f"property {row.data.key}", row, detail))
    return changes


def apply_property(change: Change, floor: Floor) -> None:
    """Makes the row, then asks the door: jurisdiction, zone and day are the stream's."""
    row: PropertyRow = change.row.data
    if change.sign == "+":
        floor.property = Property.objects.create(key=row.key, name=row.name, jurisdiction=row.jurisdiction)
    _ask(change, floor, _command(row))
    floor.property.refresh_from_db()


def plan_readings(rows: Sequence[Row[Free]], floor: Floor) -> list[Change]:
    """Readings that the file names; one that it does not name stays as it is."""
    return _plan_values(rows, floor, door.state(floor.property).readings, "reading", _settle)


def plan_house(rows: Sequence[Row[Free]], floor: Floor) -> list[Change]:
    """House settings that the file names; one that it does not name stays as it is."""
    return _plan_values(rows, floor, door.state(floor.property).house, "house setting", _change)


def _settle(key: str, value: Any) -> SettleReading:
    return SettleReading(reading=key, choice=value)


def _change(key: str, value: Any) -> ChangeHouseSetting:
    return ChangeHouseSetting(setting=key, value=value)


def _plan_values(
    rows: Sequence[Row[Free]],
    floor: Floor,
    held: Mapping[str, Any],
    what: str,
    command: Callable[[str, Any], Any],
) -> list[Change]:
    changes = []
    for row in rows:
        for key, value in row.data.values.items():
            now = held.get(key)
            sign: Sign = "=" if now == value else ("+" if now is None else "~")
            detail = "" if sign == "=" else (f"{value}" if now is None else f"{now} → {value}")
            changes.append(Change(sign, f"{what} {key}", row, detail, work=(key, command(key, value))))
    return changes


def apply_command(change: Change, floor: Floor) -> None:
    """Asks the door for a reading or a house setting; its refusal is the problem of that key's line."""
    key, command = change.work
    _ask(change, floor, command, field=key)


def _ask(change: Change, floor: Floor, command: Any, *, field: str = "") -> None:
    answer = door.ask(floor.property, command, now=floor.now)
    if answer.refused is not None and answer.refused.code != "NOTHING_CHANGES":
        floor.problems += [change.row.problem(name, text) for name, text in told(answer.refused, field)]


def told(refused: Refused, field: str) -> list[tuple[str, str]]:
    one = [(field, f"{refused.code}: {refused.message}")]
    fields = [(name, f"{refused.code}: {text}") for name, text in refused.fields.items()]
    return (one if field else fields or one) + [told for more in refused.also for told in told(more, field)]


def plan_pits(rows: Sequence[Row[PitRow]], floor: Floor) -> list[Change]:
    """Pits by their number. `floor.keep["pits"]` holds number → Pit for the sections after this one."""
    pits = {pit.number: pit for pit in Pit.objects.filter(property=floor.property)}
    floor.keep["pits"] = pits
    changes, seen = [], set[int]()
    for row in rows:
        number, name = row.data.number, row.data.name or f"Pit {row.data.number}"
        if number in seen or not 1 <= number <= LARGEST_PIT:
            text = "is there twice" if number in seen else f"from 1 to {LARGEST_PIT}"
            floor.problems.append(row.problem("number", text))
            continue
        if len(name) > LONGEST_PIT_NAME:
            floor.problems.append(row.problem("name", f"at most {LONGEST_PIT_NAME} characters"))
            continue
        seen.add(number)
        found = pits.get(number)
        detail = differences({"name": found.name}, {"name": name}) if found else ""
        sign: Sign = "+" if found is None else ("~" if detail else "=")
        changes.append(Change(sign, f"pit {number}", row, detail, work=name))
    return changes


def apply_pit(change: Change, floor: Floor) -> None:
    """Makes or renames one pit."""
    number = change.row.data.number
    pit, _ = Pit.objects.update_or_create(
        property=floor.property, number=number, defaults={"name": change.work}
    )
    floor.keep["pits"][number] = pit
