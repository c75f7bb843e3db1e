"""The rules in force for a stream: its kind asks for them, the property's settings come from the property's stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import connection

from pit.record import codec, registry
from pit.record.contract import StreamKind

_properties: dict[int, tuple[str, Any]] = {}
"""A property's state by the hash of its head: read again only when the property's stream moved."""


def property_state(property_id: int, head: str | None) -> Any | None:
    """The state of `property:<id>` whose head has this hash; the same object while the head stands. None: no such."""
    if head is None:
        return None
    known = _properties.get(property_id)
    if known is not None and known[0] == head:
        return known[1]
    kind = registry.kind_of("property")
    if kind is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT hash, state FROM record_stream WHERE name = %s", [f"property:{property_id}"])
        found, text = cursor.fetchone()
    _properties[property_id] = found, codec.loads(text, kind.state)
    return _properties[property_id][1]


def in_force(
    kind: StreamKind, state: Any, *, property_id: int, property_hash: str | None, at: datetime
) -> Any:
    """The rules for this stream at that moment. The property's own stream is judged by its own state."""
    settings = state if kind.name == "property" else property_state(property_id, property_hash)
    return kind.rules(state, settings, at)


def version(rules: Any) -> str:
    """The pack as an entry names it."""
    return str(getattr(rules, "version", ""))


def house(rules: Any) -> Any:
    """The house settings in force, by key."""
    return getattr(rules, "house", {})
