"""The newest version of every stream of a topic, read from the database: what the beats repeat.

A topic is "pit:3" (one board) or "property:1" (shift desk, surveillance: all its pits).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet

from pit.deadlines.selectors import heartbeats
from pit.live import registry, wire
from pit.live.build import build_id
from pit.record.models import Stream


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


def rows(topics: Collection[str]) -> Iterator[Head]:
    """The heads of all streams of the topics that have a tile, one query."""
    columns = streams(topics).values_list("name", "changed_seq", "topic", "property_id")
    return (Head(*row) for row in columns.iterator(chunk_size=2000))


def streams(topics: Collection[str]) -> QuerySet[Stream]:
    """The streams of these topics that have a tile."""
    properties = [int(topic.partition(":")[2]) for topic in topics if topic.startswith("property:")]
    here = Q(topic__in=[topic for topic in topics if not topic.startswith("property:")])
    if properties:
        here |= Q(property_id__in=properties)
    return Stream.objects.filter(here, kind__in=registry.kinds(), changed_seq__gt=0)
