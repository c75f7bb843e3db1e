"""Writing state, deadlines and projections again from the entries, when a projection was lost or its code changed."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction

from pit.record import codec, registry
from pit.record.derive import refresh
from pit.record.replay import Broken, replay
from pit.record.rows import lock


def rebuild(stream: str, *, now: datetime) -> None:
    """One stream, under its lock. Broken (and nothing written) when the chain does not hold or does not reach its head.

    `project` gets the folded state and the last entry alone.
    """
    kind = registry.must(stream)
    with transaction.atomic():
        locked = lock(stream, "")
        if locked is None:
            raise LookupError(f"There is no stream {stream!r}")
        told = replay(stream, kind)
        if (told.seq, told.hash) != (locked.seq, locked.hash):
            raise Broken(min(told.seq, locked.seq) + 1, "the head does not stand at the last entry")
        state = told.state_at_round(locked.round)
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE record_stream SET state = %s, changed_seq = %s, round = %s, topic = %s WHERE name = %s",
                [codec.dumps(state), told.changed_seq, max(locked.round, told.round), told.topic, stream],
            )
        refresh(stream, now=now)
        if told.last is not None:
            kind.project(stream, state, (told.last,))
