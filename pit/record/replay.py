"""Folding a stream from its first entry, checking the chain on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pit.record import codec
from pit.record.chain import COLUMNS, GENESIS, Row, digest
from pit.record.contract import Entry, StreamKind
from pit.record.entries import RefusalRecorded, StreamMoved, StreamOpened
from pit.record.judge import at_round, round_of
from pit.record.models import Event

CHUNK = 2_000
"""Entries read at once: a long stream is folded without holding it in memory."""


class Broken(Exception):
    """The chain does not hold: `seq` is the first entry that is wrong or missing, `what` says how."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"{seq}: {what}")
        self.seq = seq
        self.what = what


class Replay:
    """A stream as its entries tell it. `feed` goes on from where it stands, so that a live stream is caught up with."""

    def __init__(self, kind: StreamKind) -> None:
        self.kind = kind
        self.state: Any = kind.initial()
        self.seq = 0
        self.changed_seq = 0
        self.hash = GENESIS
        self.round = 0
        self.topic = ""
        self.property_id = 0
        self.last: Entry | None = None
        """The last entry that a projection hears of."""

    def feed(self, rows: Iterable[Row]) -> None:
        """Checks and folds these rows, which follow the last; Broken at the first that does not fit."""
        for row in rows:
            self._check(row)
            self._fold(row)
            self.seq, self.hash = row.seq, row.hash

    def state_at_round(self, number: int) -> Any:
        """The state with the counter of rounds that the stream's row has: rounds are no entries."""
        return at_round(self.state, max(number, self.round))

    def _check(self, row: Row) -> None:
        expected = self.seq + 1
        if row.seq != expected:
            raise Broken(expected, "the entry is missing")
        if row.prev_hash != self.hash:
            raise Broken(expected, "the entry does not follow the one before it")
        if digest(row) != row.hash:
            raise Broken(expected, "the entry was changed")

    def _fold(self, row: Row) -> None:
        try:
            entry = codec.entry_of(self.kind, row)
        except (codec.UnknownEntry, msgspec.MsgspecError) as error:
            raise Broken(row.seq, f"the entry cannot be read: {error}") from error
        match entry.event:
            case RefusalRecorded():
                return
            case StreamOpened(property_id=property_id, topic=topic):
                self.property_id, self.topic = property_id, topic
            case StreamMoved(topic=topic):
                self.topic, self.last = topic, entry
            case _:
                self.state = self.kind.evolve(at_round(self.state, entry.round), entry)
                self.round, self.last = round_of(self.state, entry.round), entry
        self.changed_seq = row.seq


def rows_of(stream: str, *, after: int = 0, upto: int | None = None) -> Iterator[Row]:
    """The rows of a stream with `after` < seq (<= `upto`), in order, a chunk at a time."""
    rows = Event.objects.filter(stream=stream).order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    while chunk := [Row(*row) for row in rows.filter(seq__gt=after).values_list(*COLUMNS)[:CHUNK]]:
        yield from chunk
        after = chunk[-1].seq


def replay(stream: str, kind: StreamKind, *, upto: int | None = None) -> Replay:
    """The whole stream, or up to a seq; Broken where the chain does not hold."""
    told = Replay(kind)
    told.feed(rows_of(stream, upto=upto))
    return told
