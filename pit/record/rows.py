"""The statements of the hot path: one that locks and reads all a decision needs, one that writes all that follows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from pit.record.chain import COLUMNS, Row


class Locked(NamedTuple):
    """A stream's row under its lock, with the version of its property's settings and the receipt of this key."""

    stream: str
    kind: str
    property_id: int
    topic: str
    seq: int
    changed_seq: int
    round: int
    hash: str
    state: str
    dues: str
    rules_seq: int
    property_seq: int | None
    property_hash: str | None
    fingerprint: str | None
    answer: str | None


class Head(NamedTuple):
    """What the stream's row becomes."""

    stream: str
    seq: int
    changed_seq: int
    round: int
    hash: str
    state: str
    dues: str
    rules_seq: int


class ReceiptRow(NamedTuple):
    stream: str
    key: str
    fingerprint: str
    answer: str
    created_at: datetime


LOCK = """
SELECT s.name, s.kind, s.property_id, s.topic, s.seq, s.changed_seq, s.round, s.hash, s.state, s.dues, s.rules_seq,
    p.changed_seq, p.hash, r.fingerprint, r.answer
FROM record_stream s
LEFT JOIN record_stream p ON p.name = 'property:' || s.property_id
LEFT JOIN record_receipt r ON r.stream = s.name AND r.key = %s
WHERE s.name = %s
"""
EVENT = f"INSERT INTO record_event ({', '.join(COLUMNS)}) VALUES "  # noqa: S608 - names of our own
EVENT_ROW = f"({', '.join(['%s'] * len(COLUMNS))})"
RECEIPT = (
    "INSERT INTO record_receipt (stream, key, fingerprint, answer, created_at) VALUES (%s, %s, %s, %s, %s)"
)
HEAD = """UPDATE record_stream SET seq = %s, changed_seq = %s, round = %s, hash = %s, state = %s, dues = %s,
    rules_seq = %s WHERE name = %s"""


def lock(stream: str, key: str) -> Locked | None:
    """Locks the stream until the end of the transaction; None when there is no such stream.

    PostgreSQL: whoever waited for the lock sees the stream's newest row, but the receipt and the property as they
    were when he began to wait. A receipt missed that way is met again as a unique violation (door.submit retries).
    SQLite: BEGIN IMMEDIATE took the writer's lock already.
    """
    database = connections[DEFAULT_DB_ALIAS]
    wait = "" if database.vendor == "sqlite" else "FOR NO KEY UPDATE OF s"
    with _cursor(database) as cursor:
        cursor.execute(LOCK + wait, (key, stream))
        row = cursor.fetchone()
    return None if row is None else Locked(*row)


def write(head: Head, rows: Sequence[Row], receipt: ReceiptRow | None) -> None:
    """Entries, receipt and head: one statement on PostgreSQL, up to three on SQLite."""
    database = connections[DEFAULT_DB_ALIAS]
    adapt = _as_they_are if database.vendor != "sqlite" else _adapted
    parts: list[tuple[str, Sequence[Any]]] = [(HEAD, [*head[1:], head.stream])]
    if receipt is not None:
        parts.insert(0, (RECEIPT, adapt(receipt)))
    if rows:
        values = [value for row in rows for value in adapt(row)]
        parts.insert(0, (EVENT + ", ".join([EVENT_ROW] * len(rows)), values))
    with _cursor(database) as cursor:
        for part in parts if database.vendor == "sqlite" else [_as_one(parts)]:
            cursor.execute(*part)


def execute(sql: str, values: Sequence[Any]) -> None:
    """One prepared statement inside the door's transaction, for projections: the ORM costs more than the rest."""
    database = connections[DEFAULT_DB_ALIAS]
    with _cursor(database) as cursor:
        cursor.execute(sql, values if database.vendor != "sqlite" else _adapted(values))


def _cursor(database: BaseDatabaseWrapper) -> Any:
    """A cursor whose statements the server keeps prepared: on PostgreSQL planning costs more than running them.

    Django's own binds in the client. Errors, logging and wrappers stay Django's. OPTIONS["prepare_threshold"] None
    (for a pooler in between) turns preparing off and nothing else.
    """
    if database.vendor == "sqlite":
        return database.cursor()
    from psycopg import Cursor

    database.ensure_connection()
    bound: Any = Cursor(database.connection)
    return database.make_debug_cursor(bound) if database.queries_logged else database.make_cursor(bound)


def _as_one(parts: Sequence[tuple[str, Sequence[Any]]]) -> tuple[str, list[Any]]:
    """The statements as one, all but the last as common table expressions."""
    *first, (last, _) = parts
    names = ", ".join(f"part{at} AS ({sql})" for at, (sql, _) in enumerate(first))
    sql = f"WITH {names} {last}" if names else last
    return sql, [value for _, values in parts for value in values]


def _as_they_are(row: Sequence[Any]) -> Sequence[Any]:
    return row


def _adapted(row: Sequence[Any]) -> Sequence[Any]:
    """Instants as SQLite takes them."""
    adapt = connections[DEFAULT_DB_ALIAS].ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, datetime) else value for value in row]
