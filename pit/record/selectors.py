"""What others may read of the Record: where a stream stands, and the rules in force for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection

from pit.record import codec, registry
from pit.record import rules as rulebook


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
    with connection.cursor() as cursor:
        cursor.execute(_LOOK.format(names=", ".join(["%s"] * len(streams))), list(streams))
        return [_look(row, now) for row in cursor.fetchall()]


_LOOK = """
SELECT s.name, s.property_id, s.topic, s.changed_seq, s.round, s.state, p.hash
FROM record_stream s LEFT JOIN record_stream p ON p.name = 'property:' || s.property_id
WHERE s.name IN ({names}) ORDER BY s.name
"""


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
