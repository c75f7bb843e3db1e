"""Deadlines after a change of the property's settings: a stream that got no command since then derives its own anew."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import connection, transaction

from pit.deadlines.models import Deadline
from pit.record import codec, registry
from pit.record import rules as rulebook
from pit.record.rows import lock

log = logging.getLogger(__name__)

_OUTDATED = """
SELECT s.name FROM record_stream s JOIN record_stream p ON p.name = 'property:' || s.property_id
WHERE s.rules_seq <> p.changed_seq AND s.name <> p.name ORDER BY s.name
"""


def refresh_outdated(now: datetime) -> int:
    """Derives the deadlines of every stream whose property changed since; gives how many streams failed."""
    with connection.cursor() as cursor:
        cursor.execute(_OUTDATED)
        outdated = [name for (name,) in cursor.fetchall()]
    failed = 0
    for stream in outdated:
        try:
            refresh(stream, now=now)
        except Exception:
            if not connection.is_usable():
                raise
            log.exception("The deadlines of %s could not be derived", stream)
            failed += 1
    return failed


def refresh(stream: str, *, now: datetime) -> None:
    """Derives the deadlines of one stream from its state under the rules in force at `now`; what stays, stays said."""
    with transaction.atomic():
        locked = lock(stream, "")
        kind = registry.kind_of(stream)
        if locked is None or kind is None:
            raise LookupError(f"No app serves {stream!r}")
        state = codec.loads(locked.state, kind.state)
        rules = rulebook.in_force(
            kind, state, property_id=locked.property_id, property_hash=locked.property_hash, at=now
        )
        dues = codec.dues_text(kind.deadlines(state, rules))
        Deadline.objects.change(
            stream,
            property_id=locked.property_id,
            topic=locked.topic,
            before=Deadline.objects.dues_of(stream),
            after=codec.dues_by_kind(dues),
        )
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE record_stream SET dues = %s, rules_seq = %s WHERE name = %s",
                [dues, locked.property_seq or 0, stream],
            )
