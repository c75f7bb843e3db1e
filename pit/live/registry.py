"""What other apps lend to the live layer: the tile of a stream kind, and what the beat says about health."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec
import structlog

log = structlog.get_logger(__name__)


class Fragment(msgspec.Struct, frozen=True):
    """HTML of one stream at one version, the same for every role.

    `tile` is one `<article id="table-12" data-stream="table:12" data-seq="41" …>`; `needs` is zero or more
    `<li id="need-12-…" data-table="12" data-rank="…" data-due="…Z">`. Neither holds a NUL character.
    """

    tile: str
    needs: str = ""


Render = Callable[[str, Any, int], Fragment]
"""render(stream, state, changed_seq): called once a change, in no particular thread; reads no request."""

Health = Callable[[datetime], Any]
"""health(now): JSON-ready; called once a beat and process, in the database's thread."""

_tiles: dict[str, Render] = {}
_health: dict[str, Health] = {}


def register_tile(kind: str, render: Render) -> None:
    """Called in `AppConfig.ready()` by the app that owns the stream kind."""
    _tiles[kind] = render


def forget_tile(kind: str) -> None:
    """Takes a tile away again (tests)."""
    _tiles.pop(kind, None)


def forget_health(name: str) -> None:
    """Takes it away again (tests)."""
    _health.pop(name, None)


def register_health(name: str, health: Health) -> None:
    """Adds one key to the beat's `health`."""
    _health[name] = health


def tile_of(kind: str) -> Render | None:
    """The renderer of a stream kind; None for kinds that nobody shows as a tile."""
    return _tiles.get(kind)


def kinds() -> list[str]:
    """Stream kinds that have a tile: heads speak of these."""
    return list(_tiles)


def health(now: datetime) -> dict[str, Any]:
    """What the registered parts say about themselves; None for one that cannot say. No part may stop the beats."""
    return {name: _asked(name, ask, now) for name, ask in _health.items()}


def _asked(name: str, ask: Health, now: datetime) -> Any:
    try:
        return ask(now)
    except Exception:
        log.exception("health_not_told", part=name)
        return None
