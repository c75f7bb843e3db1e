"""The book as lines for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tables.rulebook.book import Book, ClausePage, SettingPage

WIDTH = 100


def lines(books: Sequence[Book], settings: Sequence[SettingPage]) -> Iterator[str]:
    """All packs, then the house settings."""
    for one in books:
        yield from _pack(one)
    yield "House settings: what no regulation gives"
    for setting in settings:
        unit = f" {setting.unit}" if setting.unit else ""
        changed = f" (as shipped {value(setting.default)})" if setting.changed else ""
        yield f"  {setting.key} = {value(setting.chosen)}{unit}{changed}"
        yield from _wrapped(setting.governs, indent=6)


def _pack(one: Book) -> Iterator[str]:
    governed = "every game" if one.whole_law else ", ".join(one.governs)
    yield f"{one.version}  {one.title}"
    yield f"  {one.source}, in force from {one.effective}; governs {governed}"
    yield from _wrapped(one.effective_note, indent=2)
    yield "  Words: " + ", ".join(f"{key} = {word}" for key, word in one.words.items())
    yield "  Parameters"
    yield from (f"    {key} = {value(told)}" for key, told in one.parameters.items())
    yield "  Open readings"
    for reading in one.readings:
        chosen = "" if not reading.settled else f" (default {value(reading.default)})"
        yield f"    {reading.id} = {value(reading.chosen)}{chosen}"
        yield from _wrapped(reading.matter, indent=8)
    yield f"  Clauses ({len(one.clauses)})"
    for clause in one.clauses:
        yield from _clause(clause)
    yield ""


def _clause(clause: ClausePage) -> Iterator[str]:
    yield f"    {clause.id}  {clause.cite}  [{clause.support}]"
    yield from _wrapped(clause.paraphrase, indent=8)
    if not clause.uses:
        yield "        NOT USED"
    yield from (f"        {kind.lower()}: {where}" for kind, where in clause.uses)


def _wrapped(text: str, *, indent: int) -> list[str]:
    space = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=space, subsequent_indent=space)


def value(told: Any) -> str:
    """A figure as it is written in a pack, roughly."""
    if isinstance(told, bool):
        return "yes" if told else "no"
    if isinstance(told, Mapping):
        return ", ".join(f"{key}: {value(inner)}" for key, inner in told.items())
    if isinstance(told, list | tuple):
        return ", ".join(value(inner) for inner in told)
    return str(told)
