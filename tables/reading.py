"""A table as it stands: its state from the Record and the rules in force for it, for pages (never for a decision)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from pit.record import registry
from pit.record.codec import loads
from pit.record.models import Stream
from pit.record.rules import in_force
from tables.domain.state import TableState


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One table at one moment. `seq` is the version a person sees and a command names as `seen`."""

    stream: str
    property_id: int
    topic: str
    seq: int
    state: TableState
    rules: Any


def read(stream: str, *, now: datetime) -> Reading | None:
    """The table's state and rules; None when the Record has no such stream. One query when the settings stand still."""
    row = (
        Stream.objects.filter(name=stream).values_list("property_id", "topic", "changed_seq", "state").first()
    )
    if row is None:
        return None
    property_id, topic, seq, text = row
    kind = registry.kind_of(stream)
    assert kind is not None
    state = loads(text, kind.state)
    rules = rules_for(state, property_id=property_id, now=now)
    return Reading(stream=stream, property_id=property_id, topic=topic, seq=seq, state=state, rules=rules)


def rules_for(state: TableState, *, property_id: int, now: datetime) -> Any:
    """The rules in force for a table in this state."""
    kind = registry.kind_of("table")
    assert kind is not None
    head = Stream.objects.filter(name=f"property:{property_id}").values_list("hash", flat=True).first()
    return in_force(kind, state, property_id=property_id, property_hash=head, at=now)
