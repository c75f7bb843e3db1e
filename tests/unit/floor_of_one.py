"""A table without a database: decide and fold as the door does, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pit.record.contract import By, Entry, Refused
from pit.rules import load
from pit.rules.model import Rules
from tables.domain import commands as c
from tables.domain.decide import decide
from tables.domain.events import Event
from tables.domain.evolve import evolve
from tables.domain.kind import clause_of
from tables.domain.state import BatchSpec, DeviceSpec, TableState

NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
DEALER = By(id=1, name="Dana Dealer", role="dealer", badge="D1", signed=True)
FLOOR = By(id=2, name="Fay Floor", role="floorperson", badge="F1", signed=True, second=DEALER)
MANAGER = By(id=3, name="Max Manager", role="pit_manager", badge="M1", signed=True)
SYSTEM = By(kind="system", name="Pitstand", role="system")
TWO_BATCHES = (BatchSpec(id="A", back="red"), BatchSpec(id="B", back="blue"))
ONE_BATCH = (BatchSpec(id="A", back="red"),)
SHUFFLER = DeviceSpec(id="SH-1", kind="shuffler", approval_ref="LAB-1")


class Table:
    """One table under given rules; `do` records, `ask` only tries."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.state, self.now = rules, TableState(), NOON
        self.entries: list[Entry] = []

    def ask(self, command: c.Command, *, by: By = FLOOR) -> Sequence[Event] | Refused:
        return decide(self.state, command, by=by, rules=self.rules, now=self.now)

    def do(self, *commands: c.Command, by: By = FLOOR) -> Table:
        for command in commands:
            answer = self.ask(command, by=by)
            assert not isinstance(answer, Refused), f"{command}: {answer}"
            self.fold(command, answer, by)
        return self

    def fold(self, command: c.Command, events: Sequence[Event], by: By) -> None:
        for event in events:
            entry = Entry(
                seq=len(self.entries) + 1,
                event=event,
                at=self.now,
                recorded_at=self.now,
                by=by,
                round=self.state.round,
                clause=clause_of(command, event, self.rules),
            )
            self.entries.append(entry)
            self.state = evolve(self.state, entry)

    def refused(self, command: c.Command, *, by: By = FLOOR) -> Refused:
        before = self.state
        answer = self.ask(command, by=by)
        assert isinstance(answer, Refused), f"{command} was accepted: {answer}"
        assert self.state == before
        return answer

    def wait(self, **length: float) -> Table:
        self.now += timedelta(**length)
        return self

    @property
    def stage(self) -> str:
        return self.state.stage


def rules(place: str = "ny", game: str = "blackjack", **overrides: Any) -> Rules:
    return load.in_force(place, game, NOON.date(), **overrides)


def set_up(
    place: str = "ny", game: str = "blackjack", *, rules_: Rules | None = None, **fields: Any
) -> Table:
    table = Table(rules_ or rules(place, game))
    given = {
        "number": "12",
        "game": game,
        "seats": 6,
        "decks": 6,
        "rack_decks": 6,
        "batches": ONE_BATCH,
    } | fields
    return table.do(c.SetUpTable(**given), by=MANAGER)


def opened(place: str = "ny", game: str = "blackjack", **fields: Any) -> Table:
    return set_up(place, game, **fields).do(c.ReceiveCards(set_id="CS-1"), c.InspectCards(), c.OpenTable())


def in_play(place: str = "ny", game: str = "blackjack", **fields: Any) -> Table:
    table = opened(place, game, **fields)
    return table.do(c.AttestThrough(to="READY", arrival_seat=3), c.AdvanceRounds())
