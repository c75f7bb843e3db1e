"""What others may read of the Record: where a stream stands, the rules in force for it, its entries, heads of a topic."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection

from pit.record import codec, registry
from pit.record import rules as rulebook
from pit.record.chain import COLUMNS, Row
from pit.record.contract import Entry
from pit.record.models import Event, Stream


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """A stream as it stands: `changed_seq` is what a page shows and gives back as `seen`."""

    stream: str
    property_id: int
    topic: str
    changed_seq: int
    round: int
    state: Any
    rules: Any


def look(stream: str, *, now: datetime) -> Look | None:
    """The stream's state and the rules in force at `now`, in one query; None when there is no such stream."""
    found = looks([stream], now=now)
    return found[0] if found else None


def looks(streams: Sequence[str], *, now: datetime) -> list[Look]:
    """Many streams in one query (and one a property whose settings moved), by name."""
    if not streams:
        return []
    return _looks(f"s.name IN ({', '.join(['%s'] * len(streams))})", streams, now)


def looks_of_topic(topic: str, *, now: datetime) -> list[Look]:
    """Every stream of a topic ("pit:3"), by name."""
    return _looks("s.topic = %s", [topic], now)


def heads(topic: str) -> dict[str, int]:
    """{stream: changed_seq} of a topic: what a beat repeats."""
    return dict(Stream.objects.filter(topic=topic).values_list("name", "changed_seq"))


def heads_of_property(property_id: int) -> dict[str, int]:
    """{stream: changed_seq} of a whole property."""
    return dict(Stream.objects.filter(property_id=property_id).values_list("name", "changed_seq"))


def entries(stream: str, *, before: int | None = None, limit: int = 50, refusals: bool = True) -> list[Entry]:
    """The last entries of a stream, newest first, those before seq `before`. `refusals` False leaves refusals out.

    Entries of the kernel are among them: their events are `pit.record.entries` structs.
    """
    kind = registry.must(stream)
    rows = Event.objects.filter(stream=stream)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    if not refusals:
        rows = rows.exclude(kind="Refused")
    return [codec.entry_of(kind, Row(*row)) for row in rows.order_by("-seq").values_list(*COLUMNS)[:limit]]


_LOOK = """
SELECT s.name, s.property_id, s.topic, s.changed_seq, s.round, s.state, p.hash
FROM record_stream s LEFT JOIN record_stream p ON p.name = 'property:' || s.property_id
WHERE {where} ORDER BY s.name
"""


def _looks(where: str, values: Sequence[str], now: datetime) -> list[Look]:
    with connection.cursor() as cursor:
        cursor.execute(_LOOK.format(where=where), list(values))
        return [_look(row, now) for row in cursor.fetchall()]


def _look(row: tuple[Any, ...], now: datetime) -> Look:
    stream, property_id, topic, changed_seq, rounds, text, property_hash = row
    kind = registry.must(stream)
    state = codec.loads(text, kind.state)
    rules = rulebook.in_force(kind, state, property_id=property_id, property_hash=property_hash, at=now)
    return Look(
        stream=stream,
        property_id=property_id,
        topic=topic,
        changed_seq=changed_seq,
        round=rounds,
        state=state,
        rules=rules,
    )
