"""A table at a past minute: "this table at 02:14". What the house knew then, and what was written about it later."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Q

from pit.people.models import Duty
from pit.record import registry
from pit.record.models import Event
from pit.record.replay import Broken, Replay, rows_of
from tables import history
from tables.domain.state import TableState
from tables.models import Table
from tables.terms import in_force

AROUND = 12
"""Entries shown before the moment."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was on: by duty in the pit, or by what the Record says of this table."""

    name: str
    role: str
    why: str


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """`seq` is the last entry known at that time; 0: the table was not in the Record yet. `broken` tells where the chain
    does not hold. `later` are entries about that time or before it which were only written afterwards."""

    at: datetime
    seq: int
    state: TableState
    terms: tuple[tuple[str, str, str], ...]
    pack: str
    lines: tuple[history.Line, ...]
    later: tuple[history.Line, ...]
    people: tuple[Person, ...]
    head: str
    broken: str = ""


def at(table: Table, moment: datetime) -> Moment:
    """Folds the table's stream up to what was written by then, checking the chain on the way."""
    seq = _known_by(table, moment)
    told, broken = _replayed(table.stream, seq)
    numbers = {table.stream: (table.pk, table.number)}
    rows = Event.objects.filter(stream=table.stream)
    lines = [history.line(row, numbers) for row in rows.filter(seq__lte=seq).order_by("-seq")[:AROUND]]
    later = rows.filter(seq__gt=seq, late=True, at__lte=moment).order_by("seq")[:AROUND]
    state: TableState = told.state
    return Moment(
        at=moment,
        seq=seq,
        state=state,
        terms=tuple((matter, item, value) for (matter, item), value in sorted(in_force(state).items())),
        pack=lines[0].pack if lines else "",
        lines=tuple(lines),
        later=tuple(history.line(row, numbers) for row in later),
        people=tuple(_people(told.topic, state, lines, moment)),
        head=told.hash,
        broken=broken,
    )


def _known_by(table: Table, moment: datetime) -> int:
    rows = Event.objects.filter(stream=table.stream, recorded_at__lte=moment)
    return rows.order_by("-seq").values_list("seq", flat=True).first() or 0


def _replayed(stream: str, seq: int) -> tuple[Replay, str]:
    told = Replay(registry.must(stream))
    try:
        told.feed(rows_of(stream, upto=seq))
    except Broken as broken:
        return told, f"Entry {broken.seq}: {broken.what}"
    return told, ""


def _people(topic: str, state: TableState, lines: list[history.Line], moment: datetime) -> list[Person]:
    pit = topic.partition(":")[2]
    running = Q(until_at__isnull=True) | Q(until_at__gt=moment)
    duties = Duty.objects.filter(running, pit_id=int(pit) if pit.isdecimal() else None, from_at__lte=moment)
    found = {
        one.staff.name: Person(name=one.staff.name, role=one.staff.role, why="on duty in the pit")
        for one in duties.select_related("staff")
    }
    if state.dealer:
        found[state.dealer] = Person(name=state.dealer, role="dealer", why="dealer of the table")
    for line in lines:
        for name, role in ((line.who, line.role), (line.second, "")):
            if name and line.badge and name not in found:
                found[name] = Person(name=name, role=role, why=f"entry {line.seq}")
    return list(found.values())


def clock_words(state: TableState) -> dict[str, Any]:
    """What stands beside the stage, for the page: holds, alerts, dice, devices out of order."""
    return {
        "holds": [one.kind.replace("_", " ") for one in state.holds],
        "alerts": [one.kind.replace("_", " ") for one in state.alerts],
        "dice": [f"{one.id}, placed {one.placed_at:%H:%M} UTC" for one in state.dice],
        "failed": [one.id for one in state.devices if one.failed],
    }
