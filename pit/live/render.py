"""From a stream's state to its tile, once a change."""

from __future__ import annotations

from html import escape
from typing import Any

import structlog

from pit.live import registry, wire

log = structlog.get_logger(__name__)


def kind_of(stream: str) -> str:
    """ "table" of "table:12"."""
    return stream.partition(":")[0]


def tile(stream: str, state: Any, seq: int) -> wire.Tile | None:
    """The stream's tile at this version; None when its kind has none.

    A tile that cannot be drawn is logged and shown as such: one broken table must not blank the pit.
    """
    render = registry.tile_of(kind_of(stream))
    if render is None:
        return None
    try:
        fragment = render(stream, state, seq)
    except Exception:
        log.exception("tile_not_drawn", stream=stream, seq=seq)
        fragment = _broken(stream, seq)
    return wire.Tile(stream, seq, _plain(fragment.tile), _plain(fragment.needs))


def _plain(text: str) -> str:
    """A template gives a SafeString, which the encoder does not take for text."""
    return "".join([text])  # noqa: FLY002 - an f-string would hand the SafeString through


def _broken(stream: str, seq: int) -> registry.Fragment:
    name = escape(stream)
    return registry.Fragment(
        f'<article id="{name.replace(":", "-")}" data-stream="{name}" data-seq="{seq}" class="tile tile--broken">'
        f"<p>{name}: this tile cannot be drawn. The record is kept.</p></article>"
    )
