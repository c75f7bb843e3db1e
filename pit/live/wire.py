"""The bytes of the live layer: what goes through Redis, what is kept there, and what a browser hears.

Names in Redis: channel `pitstand:live`; hash `pitstand:{property:1}:tiles:<build>`, field `table:12`.
A kept fragment is `<seq> <needs><tile>` with, after the seq, two lengths in bytes of eight hexadecimal digits each: a page
reads hundreds of them, so nothing is parsed, searched or decoded alone, only cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

CHANNEL = "pitstand:live"


class Tile(msgspec.Struct, frozen=True):
    """One stream at one version as the browser gets it. The highest `seq` wins."""

    stream: str
    seq: int
    tile: str
    needs: str = ""


class Publication(msgspec.Struct, frozen=True):
    """One change on its way to every process. `tile` is encoded already, so that nobody encodes it again."""

    topic: str
    property_id: int
    stream: str
    tile: msgspec.Raw


class Beat(msgspec.Struct, frozen=True):
    """The newest version of every stream of a topic, the server's time and its health."""

    heads: Mapping[str, int]
    now: datetime
    build: str
    health: Mapping[str, Any]
    type: Literal["beat"] = "beat"


encode = msgspec.json.Encoder().encode
decode_publication = msgspec.json.Decoder(Publication).decode


def publication(topic: str, property_id: int, tile: Tile) -> bytes:
    """The message for Redis: one change with its tile encoded once."""
    return encode(Publication(topic, property_id, tile.stream, msgspec.Raw(encode(tile))))


def tiles_frame(tiles: Iterable[bytes | msgspec.Raw]) -> str:
    """One text frame of tiles that are encoded already."""
    return (b'{"type":"tiles","tiles":[' + b",".join(bytes(one) for one in tiles) + b"]}").decode()


def tiles_key(property_id: int, build: str) -> str:
    """The hash of a property's fragments. A new build draws its own: its templates may differ."""
    return f"pitstand:{{property:{property_id}}}:tiles:{build}"


def keep(tile: Tile) -> bytes:
    """A fragment as it is kept in Redis."""
    needs, html = tile.needs.encode(), tile.tile.encode()
    return b"%d %08x%08x%b%b" % (tile.seq, len(needs), len(html), needs, html)


class Kept(msgspec.Struct, frozen=True, gc=False):
    """A fragment as it was kept: `value` from `begin` is its needs, from `cut` its tile. Text is made when asked for.

    Hundreds a page: not tracked by the garbage collector, which would otherwise run for each of them.
    """

    stream: str
    seq: int
    value: bytes
    begin: int
    cut: int

    @property
    def tile(self) -> str:
        return self.value[self.cut :].decode(errors="replace")

    @property
    def needs(self) -> str:
        return self.value[self.begin : self.cut].decode(errors="replace")

    @property
    def full(self) -> Tile:
        """All of it as text."""
        return Tile(self.stream, self.seq, self.tile, self.needs)


def kept(stream: str, seq: int, value: bytes | None) -> Kept | None:
    """The fragment that was kept, if it is of this version; None for any other, or if somebody wrote something else."""
    head = b"%d " % seq
    if value is None or not value.startswith(head):
        return None
    middle, begin = len(head) + 8, len(head) + 16
    try:
        cut = begin + int(value[len(head) : middle], 16)
        end = cut + int(value[middle:begin], 16)
    except ValueError:
        return None
    return Kept(stream, seq, value, begin, cut) if begin <= cut <= end == len(value) else None


def version(value: bytes | None) -> int:
    """The version that a kept value claims, as the script in Redis reads it; -1 for none."""
    digits = re.match(rb"\d+", value or b"")
    return int(digits[0]) if digits else -1
