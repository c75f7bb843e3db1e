"""Ready tiles for a page: heads from the database, fragments from Redis, and what is missing drawn and kept.

Always right: a fragment counts only if it is the version that the database names. Redis may be empty, away, old or
wrong; the page is then slower, never different.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from pit.live import heads, registry, render, wire
from pit.live.build import build_id
from pit.live.store import store
from pit.record.codec import loads
from pit.record.models import Stream
from pit.record.registry import kind_of

AT_ONCE = 60
"""Streams that one catch-up request may ask for."""


def board(topic: str) -> list[wire.Kept]:
    """The tiles of a topic in the order of their streams: one query when all are ready, two when not."""
    found = {head.stream: (head.property_id, head.seq) for head in heads.rows([topic])}
    tiles = ready(found)
    return [tiles[stream] for stream in found if stream in tiles]


class Page(NamedTuple):
    """A topic as HTML: all its tiles, and all lines of *Needs you now*."""

    tiles: SafeString
    needs: SafeString


def page(topic: str) -> Page:
    """What a page puts in at once: `{{ page.tiles }}`, `{{ page.needs }}`."""
    return html(board(topic))


def html(tiles: Collection[wire.Kept]) -> Page:
    """These tiles joined and decoded at once; renderers escape, so it is safe."""
    all_tiles = b"".join([tile.value[tile.cut :] for tile in tiles])
    all_needs = b"".join([tile.value[tile.begin : tile.cut] for tile in tiles])
    return Page(mark_safe(all_tiles.decode(errors="replace")), mark_safe(all_needs.decode(errors="replace")))  # noqa: S308


def some(streams: Collection[str], *, property_id: int | None) -> list[wire.Kept]:
    """The tiles of these streams of the property (None: of any); unknown ones are left out."""
    here = Stream.objects.filter(name__in=list(streams)[:AT_ONCE], kind__in=registry.kinds())
    if property_id is not None:
        here = here.filter(property_id=property_id)
    rows = here.values_list("name", "property_id", "changed_seq")
    return list(ready({name: (property_id, seq) for name, property_id, seq in rows}).values())


def ready(wanted: Mapping[str, tuple[int, int]]) -> dict[str, wire.Kept]:
    """Each wanted stream {name: (property, seq)} as a tile: kept if it is that version, else drawn from the database."""
    tiles: dict[str, wire.Kept] = {}
    wrong: dict[str, int] = {}
    for property_id, streams in _by_property(wanted).items():
        values = store().read(wire.tiles_key(property_id, build_id()), streams)
        for stream, value in zip(streams, values, strict=True):
            tile = wire.kept(stream, wanted[stream][1], value)
            if tile is not None:
                tiles[stream] = tile
            else:
                wrong[stream] = wire.version(value)
    return tiles | _drawn(wrong) if wrong else tiles


def _as_kept(tile: wire.Tile) -> wire.Kept:
    found = wire.kept(tile.stream, tile.seq, wire.keep(tile))
    assert found is not None
    return found


def _by_property(wanted: Mapping[str, tuple[int, int]]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for stream, (property_id, _seq) in wanted.items():
        found.setdefault(property_id, []).append(stream)
    return found


def _drawn(wrong: Mapping[str, int]) -> dict[str, wire.Kept]:
    """Draws what was missing, old, or newer than the head (a change in between, or a database set back)."""
    drawn: dict[str, wire.Kept] = {}
    keep: dict[int, list[tuple[wire.Tile, int]]] = {}
    rows = Stream.objects.filter(name__in=list(wrong)).values_list(
        "name", "kind", "property_id", "changed_seq", "state"
    )
    for name, kind, property_id, seq, state in rows:
        found = kind_of(kind)
        tile = render.tile(name, loads(state, found.state), seq) if found else None
        if tile is not None:
            drawn[name] = _as_kept(tile)
            keep.setdefault(property_id, []).append((tile, wrong[name]))
    for property_id, tiles in keep.items():
        store().write(wire.tiles_key(property_id, build_id()), tiles)
    return drawn


def frame(tiles: Iterable[wire.Kept]) -> str:
    """The JSON that the socket would have carried, for catching up over HTTP."""
    return wire.tiles_frame(wire.encode(tile.full) for tile in tiles)
