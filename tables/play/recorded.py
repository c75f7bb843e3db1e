"""A scenario played through the one door, into the Record of a property."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import uuid4

from pit.deadlines.models import Deadline
from pit.deadlines.sweep import key_of
from pit.floor import door as house
from pit.floor.models import Pit, Property
from pit.record import door, selectors, streams
from pit.record.contract import Answer, Due, Entry, Refused
from pit.record.models import Event
from pit.record.press import Raw
from tables.domain.kind import KIND
from tables.importer import SHAPES
from tables.models import Shape, Table
from tables.play.floor import SWEEP
from tables.play.outcome import Outcome
from tables.play.scenario import Line, Malformed, Place


class Recorded:
    """The Record of one property. A table of the scenario that is not there is put into its first pit."""

    def __init__(self, key: str | None) -> None:
        self.property = _property(key)
        self.tables: dict[str, Table] = {}

    def set_up(self, number: str, place: Place, *, at: datetime) -> None:
        if number in self.tables:
            return
        self._fits(place)
        found = Table.objects.filter(property=self.property, number=number).first()
        self.tables[number] = found or self._created(number, at=at)

    def _fits(self, place: Place) -> None:
        """The scenario stands under the rules of this house, or is not played here at all."""
        held = house.state(self.property)
        if held.jurisdiction != place.jurisdiction:
            raise Malformed(
                f"the scenario plays in {place.jurisdiction}, {self.property.name} is in {held.jurisdiction}"
            )
        for chosen, wanted in ((held.house, place.house), (held.readings, place.readings)):
            for key, value in wanted.items():
                if chosen.get(key) != value:
                    raise Malformed(
                        f"the scenario needs {key} = {value!r}, which {self.property.name} has not chosen"
                    )

    def _created(self, number: str, *, at: datetime) -> Table:
        pit = Pit.objects.filter(property=self.property).order_by("number").first()
        if pit is None:
            raise Malformed(f"{self.property.name} has no pit to put {number} into")
        table = Table.objects.create(
            property=self.property,
            pit=pit,
            number=number,
            game="",
            seats=1,
            x=50,
            y=50,
            shape=Shape.HALF_MOON,
        )
        streams.create(table.stream, property_id=self.property.pk, topic=pit.topic, by=SWEEP, now=at)
        return table

    def says(self, line: Line) -> tuple[str, ...]:
        stream, told = self._table(line).stream, []
        rows = Deadline.objects.filter(stream=stream, due_at__lte=line.at, said_at=None).order_by("due_at")
        for row in list(rows):
            due = Due(kind=row.kind, due_at=row.due_at, clause=row.clause)
            command = KIND.due_command(self._seen(line).state, due)
            if command is not None:
                door.submit(command, stream=stream, by=SWEEP, key=key_of(due), now=line.at, at=due.due_at)
                told.append(due.kind)
            Deadline.objects.filter(pk=row.pk, due_at=row.due_at, said_at=None).update(said_at=line.at)
        return tuple(told)

    def play(self, line: Line, dues: tuple[str, ...]) -> Outcome:
        assert line.by is not None
        table = self._table(line)
        answer = door.submit(
            Raw(line.command, line.fields), stream=table.stream, by=line.by, key=uuid4().hex, now=line.at
        )
        if answer.refused is None and line.command == "SetUpTable":
            _drawn(table, answer)
        return self._outcome(line, dues, answer.refused, answer.events)

    def look(self, line: Line, dues: tuple[str, ...]) -> Outcome:
        return self._outcome(line, dues, None, ())

    def _outcome(
        self, line: Line, dues: tuple[str, ...], refused: Refused | None, events: tuple[Any, ...]
    ) -> Outcome:
        stream, found = self._table(line).stream, self._seen(line)
        rows = Event.objects.filter(stream=stream).exclude(kind="Refused").order_by("-seq")[: len(events)]
        clauses = tuple(row.clause for row in reversed(rows))
        entries = [_entry(line, event, clause) for event, clause in zip(events, clauses, strict=False)]
        return Outcome(
            line=line,
            state=found.state,
            rules=found.rules,
            refused=refused,
            events=events,
            clauses=clauses,
            messages=tuple(KIND.messages(found.state, entries, found.rules)),
            dues=dues,
        )

    def _seen(self, line: Line) -> Any:
        found = selectors.look(self._table(line).stream, now=line.at)
        assert found is not None
        return found

    def _table(self, line: Line) -> Table:
        found = self.tables.get(line.table)
        if found is None:
            raise Malformed(f"line {line.number}: no table {line.table!r} was set up")
        return found


def _entry(line: Line, event: Any, clause: str) -> Entry:
    """An event as its message is made of it."""
    return Entry(seq=0, event=event, at=line.at, recorded_at=line.at, by=line.by or SWEEP, clause=clause)


def _property(key: str | None) -> Property:
    known = list(Property.objects.filter(**({"key": key} if key else {})))
    if len(known) != 1:
        raise Malformed(
            "say whose Record with --property; there are " + ", ".join(_keys()) if _keys() else "no property"
        )
    return known[0]


def _keys() -> list[str]:
    return list(Property.objects.values_list("key", flat=True))


def _drawn(table: Table, answer: Answer) -> None:
    """The row's own columns, which the floor file gives otherwise."""
    config = answer.state.config
    shape = SHAPES.get(config.game, Shape.HALF_MOON)
    Table.objects.filter(pk=table.pk).update(game=config.game, seats=config.seats, shape=shape)
