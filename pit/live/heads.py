"""The newest version of every stream of a topic, read from the database: what the beats repeat.

A topic is "pit:3" (one board) or "property:1" (shift desk, surveillance: all its pits).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from pit.deadlines.selectors import heartbeats
from pit.live import registry, wire
from pit.live.build import build_id


class Head(NamedTuple):
    """One row: a stream that has a tile."""

    stream: str
    seq: int
    topic: str
    property_id: int


def read(topics: Collection[str]) -> dict[str, dict[str, int]]:
    """Topic → {stream: changed_seq} for all topics in one query; a topic without streams is there, empty."""
    found: dict[str, dict[str, int]] = {topic: {} for topic in topics}
    for head in rows(topics):
        for topic in (head.topic, f"property:{head.property_id}"):
            if topic in found:
                found[topic][head.stream] = head.seq
    return found


def beats(topics: Collection[str], *, now: datetime, redis: bool) -> dict[str, wire.Beat]:
    """The beat of each topic. `redis` False says that changes come with the beats only."""
    health = {"gateways": [], **heartbeats(now), **registry.health(now), "redis": redis}
    return {
        topic: wire.Beat(heads=heads, now=now, build=build_id(), health=health)
        for topic, heads in read(topics).items()
    }


def rows(topics: Collection[str]) -> list[Head]:
    """The heads of all streams of the topics that have a tile, by number; one query.

    By hand: the board of a pit is made of this and of one trip to Redis.
    """
    kinds = registry.kinds()
    properties = [int(topic.partition(":")[2]) for topic in topics if topic.startswith("property:")]
    pits = [topic for topic in topics if not topic.startswith("property:")]
    places = [
        f"{column} IN ({_marks(values)})"
        for column, values in (("topic", pits), ("property_id", properties))
        if values
    ]
    if not kinds or not places:
        return []
    query = f"""SELECT name, changed_seq, topic, property_id FROM record_stream
        WHERE ({" OR ".join(places)}) AND kind IN ({_marks(kinds)}) AND changed_seq > 0"""  # noqa: S608 - marks only
    with connection.cursor() as cursor:
        cursor.execute(query, [*pits, *properties, *kinds])
        return sorted(map(Head._make, cursor.fetchall()), key=_by_number)


def _marks(values: Collection[object]) -> str:
    return ", ".join(["%s"] * len(values))


def _by_number(head: Head) -> tuple[int, str]:
    """ "table:9" before "table:10"."""
    return len(head.stream), head.stream
