"""The tile of a table and its lines of *Needs you now*: one rendering a change, the same for every role.

What a table is up to comes from the domain (`stage`, `holds`, `needs`, `deadlines`); here it gets a word, a sign and a
place. Nothing here decides anything.
"""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.template.loader import get_template


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A hold or an alert on the tile. `tone`: "hold", "alert" or "device"; `short` is two letters, `words` says all."""

    tone: str
    short: str
    words: str


class Tile(msgspec.Struct, frozen=True, kw_only=True):
    """What `_tile.html` shows."""

    pk: int
    stream: str
    seq: int
    number: str
    game: str
    shape: str
    rotation: int
    x: int
    y: int
    condition: str
    word: str
    fact: str = ""
    since: datetime | None = None
    due_at: datetime | None = None
    due_from: datetime | None = None
    due_word: str = ""
    marks: tuple[Mark, ...] = ()
    needs: int = 0


class NeedLine(msgspec.Struct, frozen=True, kw_only=True):
    """What `_need.html` shows. `action` is the address of the one button; `asks` when the form must ask something."""

    id: str
    stream: str
    seq: int
    table: int
    number: str
    game: str
    tone: str
    words: str
    label: str
    rank: str = ""
    since: datetime | None = None
    due_at: datetime | None = None
    action: str = ""
    asks: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    cite: str = ""
    paraphrase: str = ""


def draw(tile: Tile) -> str:
    """The tile as HTML: one root element that stands alone."""
    return get_template("tables/_tile.html").render({"tile": tile})


def draw_need(need: NeedLine) -> str:
    """One line of *Needs you now*."""
    return get_template("tables/_need.html").render({"need": need})
