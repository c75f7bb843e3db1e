"""Is the Record whole? Every chain, every head, every projection, and the triggers that keep it append-only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.db import connection, transaction

from pit.deadlines.models import Deadline
from pit.record import codec, registry, triggers
from pit.record import rules as rulebook
from pit.record.models import Event, Stream
from pit.record.replay import Broken, Replay, rows_of
from pit.record.rows import Locked, lock


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something that does not hold. `stream` is "" for what concerns the whole Record."""

    stream: str
    seq: int
    what: str


class Anchor(msgspec.Struct, frozen=True, kw_only=True):
    """A head that was noted down outside the database: who rewrites a whole chain cannot rewrite this."""

    seq: int
    hash: str


def anchors() -> dict[str, Anchor]:
    """Every stream's head as it stands now."""
    return {
        name: Anchor(seq=seq, hash=head)
        for name, seq, head in Stream.objects.values_list("name", "seq", "hash")
    }


def verify(
    streams: list[str] | None = None,
    *,
    noted: Mapping[str, Anchor] | None = None,
    now: datetime | None = None,
) -> Iterator[Fault]:
    """Every fault of these streams, or of all; the first of each chain, because what follows it proves nothing.

    With `now` the deadlines are derived anew, too, and must be those that are kept. The floor may work
    on meanwhile: a stream is locked only to catch up with its last entries.
    """
    if streams is None:
        yield from _of_the_whole()
        streams = sorted({*Stream.objects.values_list("name", flat=True), *(noted or {})})
    for stream in streams:
        yield from _of_stream(stream, (noted or {}).get(stream), now)


def _of_the_whole() -> Iterator[Fault]:
    for what in triggers.faults(connection):
        yield Fault(stream="", seq=0, what=what)
    there = Stream.objects.values("name")
    for stream in Event.objects.exclude(stream__in=there).values_list("stream", flat=True).distinct():
        yield Fault(stream=stream, seq=0, what="there are entries of a stream that is not there")


def _of_stream(stream: str, anchor: Anchor | None, now: datetime | None) -> Iterator[Fault]:
    kind = registry.kind_of(stream)
    if kind is None:
        yield Fault(stream=stream, seq=0, what="no app serves this kind of stream")
        return
    told = Replay(kind)
    try:
        told.feed(rows_of(stream))
    except Broken as broken:
        yield Fault(stream=stream, seq=broken.seq, what=broken.what)
        return
    with transaction.atomic():
        yield from _under_lock(stream, told, now)
    if anchor is not None and not _holds(stream, anchor):
        yield Fault(stream=stream, seq=anchor.seq, what="the entry is not the one that was noted down")


def _under_lock(stream: str, told: Replay, now: datetime | None) -> list[Fault]:
    locked = lock(stream, "")
    if locked is None:
        return [Fault(stream=stream, seq=0, what="the stream is not there")]
    try:
        told.feed(rows_of(stream, after=told.seq))
    except Broken as broken:
        return [Fault(stream=stream, seq=broken.seq, what=broken.what)]
    return [Fault(stream=stream, seq=seq, what=what) for seq, what in _differences(locked, told, now)]


def _differences(locked: Locked, told: Replay, now: datetime | None) -> Iterator[tuple[int, str]]:
    """What the stream's row and its projections say other than the entries do."""
    if locked.seq > told.seq:
        yield told.seq + 1, f"the entries up to {locked.seq} are missing at the end"
        return
    if locked.seq < told.seq:
        yield locked.seq + 1, "the entry stands after the head"
        return
    if locked.hash != told.hash:
        yield told.seq, "the head has another hash than the last entry"
    if locked.kind != told.kind.name:
        yield told.seq, f"kind is {locked.kind}, the name says {told.kind.name}"
    for name in ("changed_seq", "topic", "property_id"):
        if getattr(locked, name) != getattr(told, name):
            yield told.seq, f"{name} is {getattr(locked, name)}, the entries say {getattr(told, name)}"
    yield from ((told.seq, what) for what in _projections(locked, told, now))


def _projections(locked: Locked, told: Replay, now: datetime | None) -> Iterator[str]:
    if locked.round < told.round:
        yield f"the round is {locked.round}, the entries say {told.round}"
    state = told.state_at_round(locked.round)
    if codec.dumps(state) != locked.state:
        yield "the state is not what the entries fold to"
    if Deadline.objects.dues_of(locked.stream) != codec.dues_by_kind(locked.dues):
        yield "the deadlines are not those of the stream"
    elif now is not None and not _derived(locked, told, state, now):
        yield "the deadlines are not those that its state leads to (rebuild_projection derives them anew)"
    if differs := told.kind.differs(locked.stream, state):
        yield f"the projection differs: {differs}"


def _derived(locked: Locked, told: Replay, state: Any, now: datetime) -> bool:
    """Whether the kept deadlines follow from the state, by the rules of its last act or of now.

    Who takes a deadline away at both places leaves no entry. A stream whose property changed since is the sweep's.
    """
    if locked.rules_seq != (locked.property_seq or 0) or told.last is None or told.kind.name == "property":
        return True
    for at in (told.last.at, now):
        rules = rulebook.in_force(
            told.kind, state, property_id=locked.property_id, property_hash=locked.property_hash, at=at
        )
        if codec.dues_text(told.kind.deadlines(state, rules)) == locked.dues:
            return True
    return False


def _holds(stream: str, anchor: Anchor) -> bool:
    return Event.objects.filter(stream=stream, seq=anchor.seq, hash=anchor.hash).exists()
