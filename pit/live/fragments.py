"""Ready tiles for a page: heads from the database, fragments from Redis, and what is missing drawn and kept.

Always right: a fragment counts only if it is the version that the database names. Redis may be empty, away, old or
wrong; the page is then slower, never different.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from pit.live import heads, registry, render, wire
from pit.live.build import build_id
from pit.live.store import ANY, NONE, store
from pit.record.codec import loads
from pit.record.models import Stream
from pit.record.registry import kind_of

AT_ONCE = 60
"""Streams that one catch-up request may ask for."""


def board(topic: str) -> list[wire.Tile]:
    """The tiles of a topic in the order of their streams: one query when all are ready, two when not."""
    found = list(heads.rows([topic]))
    tiles = _ready({head.stream: (head.property_id, head.seq) for head in found})
    return [tiles[head.stream] for head in sorted(found, key=_order) if head.stream in tiles]


def some(streams: Collection[str], *, property_ids: Collection[int] | None) -> list[wire.Tile]:
    """The tiles of these streams, of the properties given (None: of any); unknown ones are left out."""
    here = Stream.objects.filter(name__in=list(streams)[:AT_ONCE], kind__in=registry.kinds())
    if property_ids is not None:
        here = here.filter(property_id__in=property_ids)
    rows = here.values_list("name", "property_id", "changed_seq")
    return list(_ready({name: (property_id, seq) for name, property_id, seq in rows}).values())


def _ready(wanted: Mapping[str, tuple[int, int]]) -> dict[str, wire.Tile]:
    """Each wanted (property, seq) as a tile: kept if it is the right version, else drawn from the database."""
    tiles: dict[str, wire.Tile] = {}
    wrong: dict[str, int] = {}
    for property_id, streams in _by_property(wanted).items():
        values = store().read(wire.tiles_key(property_id, build_id()), streams)
        for stream, value in zip(streams, values or [None] * len(streams), strict=True):
            tile = wire.kept(stream, value)
            if tile is not None and tile.seq == wanted[stream][1]:
                tiles[stream] = tile
            else:
                wrong[stream] = tile.seq if tile else NONE if value is None else ANY
    return tiles | _drawn(wrong, tiles) if wrong else tiles


def _by_property(wanted: Mapping[str, tuple[int, int]]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for stream, (property_id, _seq) in wanted.items():
        found.setdefault(property_id, []).append(stream)
    return found


def _drawn(wrong: Mapping[str, int], ready: Mapping[str, wire.Tile]) -> dict[str, wire.Tile]:
    """Draws what was missing, old, or newer than the head (a change in between, or a database set back)."""
    drawn: dict[str, wire.Tile] = {}
    keep: dict[int, list[tuple[wire.Tile, int]]] = {}
    rows = Stream.objects.filter(name__in=list(wrong)).values_list(
        "name", "kind", "property_id", "changed_seq", "state"
    )
    for name, kind, property_id, seq, state in rows:
        found = kind_of(kind)
        tile = render.tile(name, loads(state, found.state), seq) if found else None
        if tile is not None:
            drawn[name] = tile
            keep.setdefault(property_id, []).append((tile, wrong[name]))
    for property_id, tiles in keep.items():
        store().write(wire.tiles_key(property_id, build_id()), tiles)
    return drawn


def _order(head: heads.Head) -> tuple[str, int, str]:
    kind, _, name = head.stream.partition(":")
    return (kind, int(name), "") if name.isdigit() else (kind, 0, name)


def frame(tiles: Iterable[wire.Tile]) -> str:
    """The JSON that the socket would have carried, for catching up over HTTP."""
    return wire.tiles_frame(wire.encode(tile) for tile in tiles)
