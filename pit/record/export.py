"""Entries as lines of JSON which a stand-alone verifier can check (docs/record.md)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pit.record.chain import Row, instant
from pit.record.replay import rows_of


def lines(stream: str) -> Iterator[str]:
    """The entries of a stream in order, one JSON object each: every hashed column, and the hash."""
    return (line(row) for row in rows_of(stream))


def line(row: Row) -> str:
    """Instants as they are hashed; ids may be null; late and signed are true or false."""
    told = row._asdict() | {"at": instant(row.at), "recorded_at": instant(row.recorded_at)}
    told |= {name: bool(told[name]) for name in ("late", "signed", "second_signed")}
    return msgspec.json.encode(told).decode()
