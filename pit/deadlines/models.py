"""Stored due times and the heartbeat of the sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import connection, models

from pit.record.contract import Due

_UPSERT = """
INSERT INTO deadlines_deadline (stream, kind, due_at, clause, property_id, topic) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (stream, kind) DO UPDATE SET due_at = excluded.due_at, clause = excluded.clause,
    said_at = CASE WHEN deadlines_deadline.due_at = excluded.due_at THEN deadlines_deadline.said_at END
"""


class DeadlineManager(models.Manager["Deadline"]):
    def change(
        self,
        stream: str,
        *,
        property_id: int,
        topic: str,
        before: Mapping[str, Due],
        after: Mapping[str, Due],
    ) -> None:
        """Brings the rows of a stream from `before` to `after` (by kind), touching only what differs.

        A row whose due time moved is not said any more; one whose clause alone changed stays said.
        """
        gone = [kind for kind in before if kind not in after]
        if gone:
            self.filter(stream=stream, kind__in=gone).delete()
        moved = [due for kind, due in after.items() if before.get(kind) != due]
        if moved:
            instant = connection.ops.adapt_datetimefield_value
            rows: list[tuple[Any, ...]] = [
                (stream, due.kind, instant(due.due_at), due.clause, property_id, topic) for due in moved
            ]
            with connection.cursor() as cursor:
                cursor.executemany(_UPSERT, rows)

    def dues_of(self, stream: str) -> dict[str, Due]:
        """The rows of a stream as dues, by kind."""
        rows = self.filter(stream=stream)
        return {row.kind: Due(kind=row.kind, due_at=row.due_at, clause=row.clause) for row in rows}


class Deadline(models.Model):
    """Something due at `due_at`. Overdue is a fact of the clock; `said_at` only tells that the sweep said it."""

    stream = models.CharField(max_length=64)
    kind = models.CharField(max_length=80)
    due_at = models.DateTimeField()
    clause = models.CharField(max_length=64, blank=True)
    property_id = models.BigIntegerField()
    topic = models.CharField(max_length=64)
    said_at = models.DateTimeField(null=True)

    objects: ClassVar[DeadlineManager] = DeadlineManager()

    class Meta:
        ordering = ["due_at"]
        constraints = [models.UniqueConstraint(fields=["stream", "kind"], name="one_deadline_a_kind")]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(said_at__isnull=True), name="deadline_unsaid"),
            models.Index(fields=["topic", "due_at"], name="deadline_by_topic"),
            models.Index(fields=["property_id", "due_at"], name="deadline_by_property"),
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.kind} due {self.due_at:%Y-%m-%d %H:%M:%S}"


class Heartbeat(models.Model):
    """When a worker last went round, and how many streams it could not serve. The board shows it."""

    name = models.CharField(max_length=40, primary_key=True)
    beat_at = models.DateTimeField()
    failed = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name} at {self.beat_at:%H:%M:%S}"
