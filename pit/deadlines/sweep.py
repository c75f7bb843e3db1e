"""Saying out loud what fell due. Safe to run twice, late or in parallel: the door's receipt makes one event of it.

No timer records a physical act: the command comes from the stream's own kind and only says that a time has passed.
"""

from __future__ import annotations

import logging
from datetime import datetime
from hashlib import sha256

from django.db import connection

from pit.deadlines.models import Deadline, Heartbeat
from pit.record import door, registry, selectors
from pit.record.contract import By, Due
from pit.record.derive import refresh_outdated

log = logging.getLogger(__name__)

SWEEP = By(kind="system", name="sweep")


def sweep(now: datetime) -> int:
    """Says every deadline that fell due by `now` and is not said; gives how many. Beats its heart at the end.

    A stream that fails is logged, counted in the heartbeat and tried again by the next sweep; the others go on.
    When the database itself is gone its error goes through.
    """
    failed = refresh_outdated(now)
    said = 0
    for deadline in list(Deadline.objects.filter(due_at__lte=now, said_at=None).order_by("due_at")):
        try:
            _say(deadline, now)
            said += 1
        except Exception:
            if not connection.is_usable():
                raise
            log.exception("Deadline %s of %s could not be said", deadline.kind, deadline.stream)
            failed += 1
    Heartbeat.objects.update_or_create(name="sweep", defaults={"beat_at": now, "failed": failed})
    return said


def _say(deadline: Deadline, now: datetime) -> None:
    """The stream's kind gives the command; the entry is dated with the due time."""
    due = Due(kind=deadline.kind, due_at=deadline.due_at, clause=deadline.clause)
    kind = registry.kind_of(deadline.stream)
    look = selectors.look(deadline.stream, now=now)
    if kind is None or look is None:
        raise LookupError(f"No app serves {deadline.stream!r}")
    command = kind.due_command(look.state, due)
    if command is not None:
        answer = door.submit(
            command, stream=deadline.stream, by=SWEEP, key=key_of(due), now=now, at=due.due_at
        )
        if answer.refused is not None:
            log.warning("%s was refused at %s: %s", due.kind, deadline.stream, answer.refused.code)
    # Only if it is still the same due time: the command, or a tap meanwhile, may have moved it.
    rows = Deadline.objects.filter(stream=deadline.stream, kind=due.kind, due_at=due.due_at, said_at=None)
    rows.update(said_at=now)


def key_of(due: Due) -> str:
    """The idempotency key of a passed deadline: the same from every worker and on every run."""
    key = f"due:{due.kind}:{due.due_at:%Y%m%dT%H%M%S.%fZ}"
    return (
        key
        if len(key) <= 64 and key.isascii() and " " not in key
        else f"due:{sha256(key.encode()).hexdigest()[:60]}"
    )
