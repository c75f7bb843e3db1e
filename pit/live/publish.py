"""After a commit: draw the tile once, keep it, tell every process. Registered as a hook of the door."""

from __future__ import annotations

from collections.abc import Sequence

from pit.live import render, wire
from pit.live.build import build_id
from pit.live.store import store
from pit.record.registry import Change


def publish(changes: Sequence[Change]) -> None:
    """Usable from any synchronous code. Never raises for Redis: what is lost here, the next beat repairs.

    A round that was only counted has no entry and no new version: nobody's tile moves for it.
    """
    drawn = []
    for change in changes:
        tile = render.tile(change.stream, change.state, change.changed_seq) if change.entries else None
        if tile is not None:
            key = wire.tiles_key(change.property_id, build_id())
            drawn.append((key, change.topic, change.property_id, tile))
    store().publish(drawn)
