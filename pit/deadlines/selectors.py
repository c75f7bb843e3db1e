"""What is due and what is overdue, computed from the clock at read time, and whether the sweep goes round."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.db.models import QuerySet

from pit.deadlines.models import Deadline, Heartbeat

MISSED_ROUNDS = 6
"""A worker that stayed away for so many of its intervals is not going round any more."""


def overdue(now: datetime, *, topics: Iterable[str] | None = None) -> QuerySet[Deadline]:
    """What is past due at `now`, whether or not any worker said it; longest overdue first."""
    rows = Deadline.objects.filter(due_at__lte=now)
    return rows if topics is None else rows.filter(topic__in=list(topics))


def heartbeats(now: datetime) -> dict[str, dict[str, Any]]:
    """{"sweep": {"at": instant or None, "ok": bool}}: ok while the sweep goes round and served every stream."""
    rows = {row.name: row for row in Heartbeat.objects.all()}
    every = cast(timedelta, settings.CELERY_BEAT_SCHEDULE["sweep-deadlines"]["schedule"])
    return {name: _health(rows.get(name), now, every * MISSED_ROUNDS) for name in {"sweep", *rows}}


def _health(row: Heartbeat | None, now: datetime, patience: timedelta) -> dict[str, Any]:
    if row is None:
        return {"at": None, "ok": False}
    return {"at": row.beat_at, "ok": now - row.beat_at <= patience and row.failed == 0}
