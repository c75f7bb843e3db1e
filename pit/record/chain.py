"""The hash chain: what exactly is hashed, in which order. docs/record.md says the same for a stand-alone verifier."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

VERSION = "pitstand-entry-1"
GENESIS = "0" * 64
"""`prev_hash` of a stream's first entry."""


class Row(NamedTuple):
    """The columns of one entry in the order in which they are hashed; `hash` itself comes last and is not."""

    stream: str
    seq: int
    kind: str
    v: int
    data: str
    at: datetime
    recorded_at: datetime
    late: bool
    actor_kind: str
    actor_id: int | None
    actor_name: str
    actor_badge: str
    role: str
    signed: bool
    second_id: int | None
    second_name: str
    second_badge: str
    second_role: str
    second_signed: bool
    pack: str
    clause: str
    round: int
    key: str
    prev_hash: str
    hash: str = ""


COLUMNS = Row._fields
HASHED = COLUMNS[:-1]


def instant(at: datetime) -> str:
    """An instant as it is hashed: UTC with six decimals, "2026-03-04T18:00:00.000000Z"."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def text(value: str | int | datetime | None) -> str:
    """A column as it is hashed: absent is empty, yes and no are 1 and 0, a number is decimal."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return instant(value)
    return str(int(value))


def digest(row: Row) -> str:
    """SHA-256 over the netstrings ("<length in bytes>:<UTF-8>,") of the version and every column before `hash`."""
    parts = [VERSION.encode(), *(text(value).encode() for value in row[:-1])]
    return sha256(b"".join(b"%d:%b," % (len(part), part) for part in parts)).hexdigest()


def sealed(row: Row) -> Row:
    """The row with its hash."""
    return row._replace(hash=digest(row))
