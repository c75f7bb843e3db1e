"""Structs to the text that is kept, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from pit.record.chain import Row, sealed
from pit.record.contract import Answer, By, Due, Entry, Refused, StreamKind
from pit.record.entries import KERNEL

_encoder = msgspec.json.Encoder(order="deterministic")
"""Sets and dicts in sorted order: the same state is always the same text, in every process."""

UNREADABLE = (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError)
"""What converting and encoding raise for values that are no JSON or no such struct."""


class UnknownEntry(Exception):
    """The Record holds an event that no registered class can read."""


def dumps(value: Any) -> str:
    """JSON text of a struct; one of UNREADABLE for what JSON cannot hold."""
    return _encoder.encode(value).decode()


@lru_cache(maxsize=1024)
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


def loads(text: str | bytes, shape: Any) -> Any:
    """The struct of that shape; msgspec.ValidationError when the text is something else."""
    return _decoder(shape).decode(text)


def tag_of(shape: Any) -> str:
    """The name under which a command or event class is known: its tag, or the class name."""
    tag = shape.__struct_config__.tag if hasattr(shape, "__struct_config__") else None
    return str(tag or shape.__name__)


def event_class(kind: StreamKind, name: str, v: int) -> type[Any]:
    """The class of an event kind in its version: `events[name]`, or `events["<name>.v<v>"]` for an older one."""
    if name in KERNEL:
        return KERNEL[name]
    newest = kind.events.get(name)
    if newest is not None and getattr(newest, "v", 1) == v:
        return newest
    older = kind.events.get(f"{name}.v{v}")
    if older is None:
        raise UnknownEntry(f"no class reads {name} version {v} of {kind.name}")
    return older


def entry_of(kind: StreamKind, row: Row) -> Entry:
    """The entry as `evolve` gets it. Raises UnknownEntry or msgspec.ValidationError."""
    event = loads(row.data, event_class(kind, row.kind, row.v))
    return Entry(
        seq=row.seq,
        event=event,
        at=row.at,
        recorded_at=row.recorded_at,
        by=by_of(row),
        round=row.round,
        clause=row.clause,
        pack=row.pack,
    )


def row_of(entry: Entry, *, stream: str, prev_hash: str, key: str = "", late: bool = False) -> Row:
    """The hashed row of an entry."""
    by, second = entry.by, entry.by.second or By()
    row = Row(
        stream=stream,
        seq=entry.seq,
        kind=tag_of(type(entry.event)),
        v=getattr(entry.event, "v", 1),
        data=dumps(entry.event),
        at=entry.at,
        recorded_at=entry.recorded_at,
        late=late,
        actor_kind=by.kind,
        actor_id=by.id,
        actor_name=by.name,
        actor_badge=by.badge,
        role=by.role,
        signed=by.signed,
        second_id=second.id,
        second_name=second.name,
        second_badge=second.badge,
        second_role=second.role,
        second_signed=second.signed,
        pack=entry.pack,
        clause=entry.clause,
        round=entry.round,
        key=key,
        prev_hash=prev_hash,
    )
    return sealed(row)


def by_of(row: Row) -> By:
    """Who stood behind an entry, as the columns say."""
    second = None
    if row.second_role or row.second_name:
        second = By(
            id=row.second_id,
            name=row.second_name,
            role=row.second_role,
            badge=row.second_badge,
            signed=row.second_signed,
        )
    return By(
        kind=row.actor_kind,  # type: ignore[arg-type]
        id=row.actor_id,
        name=row.actor_name,
        role=row.role,
        badge=row.actor_badge,
        signed=row.signed,
        second=second,
    )


def as_recorded(by: By) -> By:
    """`by` with exactly what the columns keep, so that the live fold and a replay see the same."""
    second = by.second
    if second is not None:
        second = By(
            id=second.id, name=second.name, role=second.role, badge=second.badge, signed=second.signed
        )
        second = second if second.role or second.name else None
    return By(
        kind=by.kind, id=by.id, name=by.name, role=by.role, badge=by.badge, signed=by.signed, second=second
    )


class _Kept(msgspec.Struct, frozen=True):
    """An answer as a receipt keeps it; the state and each event are already text."""

    status: int
    seq: int
    state: msgspec.Raw
    refused: Refused | None = None
    events: tuple[tuple[str, int, msgspec.Raw], ...] = ()


def keep(answer: Answer, *, state: str) -> str:
    """The text of an answer for its receipt; `state` is the state's text, which is there already."""
    events = tuple(
        (tag_of(type(event)), getattr(event, "v", 1), msgspec.Raw(_encoder.encode(event)))
        for event in answer.events
    )
    kept = _Kept(
        status=answer.status,
        seq=answer.seq,
        state=msgspec.Raw(state.encode()),
        refused=answer.refused,
        events=events,
    )
    return _encoder.encode(kept).decode()


def kept_answer(text: str, kind: StreamKind) -> Answer:
    """The answer of a receipt, marked `again`."""
    kept: _Kept = loads(text, _Kept)
    return Answer(
        status=kept.status,
        seq=kept.seq,
        state=loads(bytes(kept.state), kind.state),
        refused=kept.refused,
        events=tuple(loads(bytes(raw), event_class(kind, name, v)) for name, v, raw in kept.events),
        again=True,
    )


def dues_text(dues: Sequence[Due]) -> str:
    """The deadlines of a stream as its row keeps them; one a kind, sorted, so that equal dues are equal text."""
    return dumps(sorted({due.kind: due for due in dues}.values(), key=lambda due: due.kind))


def dues_by_kind(text: str) -> dict[str, Due]:
    return {due.kind: due for due in loads(text, list[Due])}
