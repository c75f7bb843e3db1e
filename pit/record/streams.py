"""Bringing a stream into being, and moving it to another topic. Both are entries of its own chain."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction

from pit.deadlines.models import Deadline
from pit.record import codec, registry
from pit.record.chain import GENESIS
from pit.record.contract import By, Entry
from pit.record.entries import StreamMoved, StreamOpened
from pit.record.registry import Change
from pit.record.rows import Head, Locked, lock, write


def create(stream: str, *, property_id: int, topic: str, by: By, now: datetime) -> bool:
    """Opens the stream "<kind>:<id>" in its kind's initial state; False when it is there already (nothing changes).

    A stream is created once, by the import or the page that makes its row, before its first command. LookupError when
    no app serves that kind.
    """
    kind = registry.must(stream)
    state = codec.dumps(kind.initial())
    try:
        with transaction.atomic():
            if lock(stream, "") is not None:
                return False
            _insert(stream, kind.name, property_id, topic, state)
            locked = lock(stream, "")
            assert locked is not None
            _append(locked, StreamOpened(property_id=property_id, topic=topic), topic=topic, by=by, now=now)
    except IntegrityError:  # another process created it at the same moment
        return False
    return True


def move(stream: str, *, topic: str, by: By, now: datetime) -> bool:
    """Moves the stream to another topic of the same property; False when it is there already.

    LookupError when there is no such stream. Screens of both topics hear of it: the hooks get the new topic and a
    `StreamMoved` entry that names the old.
    """
    with transaction.atomic():
        locked = lock(stream, "")
        if locked is None:
            raise LookupError(f"There is no stream {stream!r}")
        if locked.topic == topic:
            return False
        moved = _append(locked, StreamMoved(was=locked.topic, topic=topic), topic=topic, by=by, now=now)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE record_stream SET topic = %s WHERE name = %s", [topic, stream])
        Deadline.objects.filter(stream=stream).update(topic=topic)
        registry.must(locked.kind).project(stream, moved.state, moved.entries)
    return True


def _insert(stream: str, kind: str, property_id: int, topic: str, state: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO record_stream (name, kind, property_id, topic, seq, changed_seq, round, hash, state, dues,
            rules_seq) VALUES (%s, %s, %s, %s, 0, 0, 0, %s, %s, '[]', 0)""",
            [stream, kind, property_id, topic, GENESIS, state],
        )


def _append(locked: Locked, event: Any, *, topic: str, by: By, now: datetime) -> Change:
    seq = locked.seq + 1
    entry = Entry(
        seq=seq,
        event=event,
        at=now,
        recorded_at=now,
        by=codec.as_recorded(by),
        round=locked.round,
        clause="pitstand",
    )
    row = codec.row_of(entry, stream=locked.stream, prev_hash=locked.hash)
    head = Head(
        stream=locked.stream,
        seq=seq,
        changed_seq=seq,
        round=locked.round,
        hash=row.hash,
        state=locked.state,
        dues=locked.dues,
        rules_seq=locked.rules_seq,
    )
    write(head, [row], None)
    kind = registry.must(locked.kind)
    change = Change(
        stream=locked.stream,
        property_id=locked.property_id,
        topic=topic,
        changed_seq=seq,
        state=codec.loads(locked.state, kind.state),
        entries=(entry,),
    )

    def announce() -> None:
        registry.announce([change])

    transaction.on_commit(announce, robust=True)
    return change
