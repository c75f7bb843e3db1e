"""Writes the property's row from its stream: the only writer of those columns, inside the door's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time

from pit.floor.domain.state import PropertyState
from pit.floor.models import Property
from pit.record.contract import Entry


def project(stream: str, state: PropertyState, entries: Sequence[Entry]) -> None:
    """`property:<id>` as pages read it."""
    Property.objects.filter(pk=int(stream.partition(":")[2])).update(
        name=state.name,
        jurisdiction=state.jurisdiction,
        zone=state.zone,
        gaming_day_starts=time.fromisoformat(state.gaming_day_starts),
        clock=state.clock,
        house=dict(state.house),
        readings=dict(state.readings),
    )
