"""Tables for tests: set up and taken through the one door, as a pit does it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from pit.floor.models import Pit, Property
from pit.record import door, streams
from pit.record.contract import Answer, By
from tables.domain import commands as ask
from tables.domain.state import BatchSpec, DeviceSpec
from tables.models import Table

SYSTEM = By(kind="system", role="system", name="test")
NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)
"""Where the `clock` fixture stands."""
DEALER = By(id=900, name="Dealer", role="dealer", badge="900", signed=True)
FLOOR = By(id=901, name="Floor", role="floorperson", badge="901", signed=True, second=DEALER)
RED = BatchSpec(id="red", back="red")


def make_table(
    place: Property, *, pit: int = 1, number: str = "BJ-01", game: str = "blackjack", **setup: Any
) -> Table:
    """A table in that pit with its stream, set up; closed, without cards."""
    row = Table.objects.create(
        property=place,
        pit=Pit.objects.get(property=place, number=pit),
        number=number,
        game=game,
        seats=7,
        x=50,
        y=50,
    )
    streams.create(
        row.stream, property_id=place.pk, topic=row.pit.topic, by=SYSTEM, now=NOW - timedelta(days=1)
    )
    told = {"decks": 6, "rack_decks": 6, "batches": (RED,)} if game == "blackjack" else {}
    does(
        row, ask.SetUpTable(number=number, game=game, **{"seats": 7, **told, **setup}), by=SYSTEM, ago=86_000
    )
    row.refresh_from_db()
    return row


def does(table: Table, command: Any, *, by: By = FLOOR, ago: float = 0) -> Answer:
    """One command that the door must accept, so many seconds before NOW."""
    answer = door.submit(
        command, stream=table.stream, by=by, key=uuid4().hex, now=NOW - timedelta(seconds=ago)
    )
    assert answer.refused is None, (command, answer.refused)
    return answer


def opened(table: Table) -> Table:
    """Cards received, inspected, table open, cards spread."""
    for nth, command in enumerate((ask.ReceiveCards(set_id="CS-1"), ask.InspectCards(), ask.OpenTable())):
        does(table, command, ago=3600 - nth)
    does(table, ask.RecordSpread(batches_separate=True), ago=3500)
    return table


def shuffled(table: Table, *seats: int) -> Table:
    """Players in these seats had their look; the cards are shuffled by hand."""
    opened(table)
    for nth, seat in enumerate(seats or (1, 3)):
        does(table, ask.PlayerArrives(seat=seat), ago=3400 - nth)
    told = (ask.AffordInspection(), ask.TurnFaceDown(), ask.RecordWash(), ask.RecordShuffle())
    for nth, command in enumerate(told):
        does(table, command, ago=3300 - nth)
    return table


def in_play(table: Table) -> Table:
    """Cut by the first, cover card in, shoe loaded, ten rounds dealt."""
    shuffled(table)
    told = (ask.RecordCut(seat=1), ask.InsertCoverCard(), ask.LoadShoe(), ask.AdvanceRounds(count=10))
    for nth, command in enumerate(told):
        does(table, command, ago=3200 - nth)
    return table


def with_shuffler(place: Property, *, number: str = "BJ-02") -> Table:
    """A table with two batches and a shuffler."""
    return make_table(
        place,
        number=number,
        batches=(RED, BatchSpec(id="blue", back="blue")),
        devices=(DeviceSpec(id="SH-1", kind="shuffler"),),
    )
