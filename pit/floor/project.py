"""Writes the property's row from its stream: the only writer of those columns, inside the door's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time
from typing import Any

from django.db.models import QuerySet

from pit.floor.domain.state import PropertyState
from pit.floor.models import Property
from pit.record.contract import Entry


def project(stream: str, state: PropertyState, entries: Sequence[Entry]) -> None:
    """`property:<id>` as pages read it."""
    _row(stream).update(**_columns(state))


def differs(stream: str, state: PropertyState) -> str:
    """The columns that do not say what the state says, or "" (verify_record)."""
    columns = _columns(state)
    found = _row(stream).values(*columns).first()
    if found is None:
        return "there is no such property"
    return ", ".join(name for name, value in columns.items() if found[name] != value)


def _row(stream: str) -> QuerySet[Property]:
    return Property.objects.filter(pk=int(stream.partition(":")[2]))


def _columns(state: PropertyState) -> dict[str, Any]:
    return {
        "name": state.name,
        "jurisdiction": state.jurisdiction,
        "zone": state.zone,
        "gaming_day_starts": time.fromisoformat(state.gaming_day_starts),
        "clock": state.clock,
        "house": dict(state.house),
        "readings": dict(state.readings),
    }
