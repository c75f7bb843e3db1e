"""Where a scenario is played: the pure core, kept in memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Protocol

from pit.floor.domain.state import PropertyState
from pit.record.contract import By, Due, Entry, Refused
from pit.record.press import Raw
from pit.record.reading import command_of
from pit.rules.load import UnknownRules
from tables.domain.kind import KIND
from tables.play.outcome import Outcome
from tables.play.scenario import Line, Malformed, Place

SWEEP = By(kind="system", role="system", name="sweep")


class Floor(Protocol):
    """What plays lines: the core in memory, or the Record."""

    def set_up(self, number: str, place: Place, *, at: datetime) -> None:
        """The table is there, under the rules of that place. Raises Malformed when it cannot be."""

    def says(self, line: Line) -> tuple[str, ...]:
        """What fell due at the line's table up to its moment is said, as the sweep does; the kinds."""

    def play(self, line: Line, dues: tuple[str, ...]) -> Outcome:
        """The line's command, decided and folded."""

    def look(self, line: Line, dues: tuple[str, ...]) -> Outcome:
        """The table as it stands, where a line asks nothing."""


class Core:
    """The decider alone: no database, no clock but the scenario's."""

    def __init__(self) -> None:
        self.tables: dict[str, CoreTable] = {}

    def set_up(self, number: str, place: Place, *, at: datetime) -> None:
        if number not in self.tables:
            self.tables[number] = CoreTable(place)

    def says(self, line: Line) -> tuple[str, ...]:
        return tuple(self._table(line).says(line.at))

    def play(self, line: Line, dues: tuple[str, ...]) -> Outcome:
        assert line.by is not None
        return self._table(line).play(line, line.by, dues)

    def look(self, line: Line, dues: tuple[str, ...]) -> Outcome:
        return self._table(line).outcome(line, dues=dues)

    def _table(self, line: Line) -> CoreTable:
        found = self.tables.get(line.table)
        if found is None:
            raise Malformed(f"line {line.number}: no table {line.table!r} was set up")
        return found


class CoreTable:
    """One table: its state, its entries so far, and what was said of what fell due."""

    def __init__(self, place: Place) -> None:
        self.settings = PropertyState(
            jurisdiction=place.jurisdiction, house=place.house, readings=place.readings
        )
        self.state: Any = KIND.initial()
        self.seq = 0
        self.said: set[Due] = set()

    def rules(self, at: datetime) -> Any:
        try:
            return KIND.rules(self.state, self.settings, at)
        except UnknownRules as unknown:
            raise Malformed(str(unknown)) from unknown

    def says(self, until: datetime) -> Iterator[str]:
        """Due times in their order; saying one may bring another."""
        while due := self._due(until):
            self.said.add(due)
            command = KIND.due_command(self.state, due)
            if command is not None and not isinstance(self._decided(command, SWEEP, due.due_at), Refused):
                yield due.kind

    def _due(self, until: datetime) -> Due | None:
        if self.state.config is None:
            return None
        passed = [
            one
            for one in KIND.deadlines(self.state, self.rules(until))
            if one.due_at <= until and one not in self.said
        ]
        return min(passed, key=lambda one: one.due_at, default=None)

    def play(self, line: Line, by: By, dues: tuple[str, ...]) -> Outcome:
        command = command_of(KIND, Raw(line.command, line.fields))
        if isinstance(command, Refused):
            return self.outcome(line, dues=dues, refused=command)
        found = self._decided(command, by, line.at)
        if isinstance(found, Refused):
            return self.outcome(line, dues=dues, refused=found)
        return self.outcome(line, dues=dues, entries=found)

    def _decided(self, command: Any, by: By, at: datetime) -> list[Entry] | Refused:
        found = KIND.decide(self.state, command, by=by, rules=self.rules(at), now=at)
        if isinstance(found, Refused):
            return found
        return [self._fold(event, command, by, at) for event in found]

    def _fold(self, event: Any, command: Any, by: By, at: datetime) -> Entry:
        self.seq += 1
        rules = self.rules(at)
        entry = Entry(
            seq=self.seq,
            event=event,
            at=at,
            recorded_at=at,
            by=by,
            round=self.state.round,
            clause=KIND.clause_of(command, event, rules),
            pack=rules.version,
        )
        self.state = KIND.evolve(self.state, entry)
        return entry

    def outcome(
        self,
        line: Line,
        *,
        dues: tuple[str, ...] = (),
        refused: Refused | None = None,
        entries: list[Entry] | None = None,
    ) -> Outcome:
        rules, told = self.rules(line.at), entries or []
        return Outcome(
            line=line,
            state=self.state,
            rules=rules,
            refused=refused,
            events=tuple(one.event for one in told),
            clauses=tuple(one.clause for one in told),
            messages=tuple(KIND.messages(self.state, told, rules)),
            dues=dues,
        )
