"""[[card_set]], [[dice]] and [[shaker]] of a floor file: what the house has registered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from pit.floor.models import Article, Property
from pit.floor.registry import Change, Floor, Sign, register_importer
from pit.floor.source import Row


class CardSetRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[card_set]]: decks that travel together; `backs` one colour a batch. A pre-shuffled set bears its seal."""

    number: str
    decks: int
    backs: list[str]
    seal: str = ""


class DiceRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[dice]]: a lot of so many dice."""

    number: str
    dice: int


class ShakerRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[shaker]]: a pai gow shaker; `bears_name`: the house's name or logo is on it, `opaque`: no die is seen."""

    number: str
    bears_name: bool
    opaque: bool


def register() -> None:
    """Called once at start."""
    kinds: dict[str, type[msgspec.Struct]] = {"card_set": CardSetRow, "dice": DiceRow, "shaker": ShakerRow}
    for order, (kind, schema) in enumerate(kinds.items(), start=30):
        register_importer(kind, schema, partial(plan, kind), apply, order=order)


def plan(kind: str, rows: Sequence[Row[Any]], floor: Floor) -> list[Change]:
    """Articles of one kind by their number."""
    held = {one.number: one.details for one in Article.objects.filter(property=floor.property, kind=kind)}
    changes, seen = [], set[str]()
    for row in rows:
        details = msgspec.to_builtins(row.data)
        number = details.pop("number")
        if not number or len(number) > 40 or number in seen:
            text = "is there twice" if number in seen else "1 to 40 characters"
            floor.problems.append(row.problem("number", text))
            continue
        seen.add(number)
        found = held.get(number)
        sign: Sign = "+" if found is None else ("=" if found == details else "~")
        changes.append(Change(sign, f"{kind.replace('_', ' ')} {number}", row, work=(kind, number, details)))
    return changes


def apply(change: Change, floor: Floor) -> None:
    """Registers one article, or corrects what it is."""
    kind, number, details = change.work
    Article.objects.update_or_create(
        property=floor.property, kind=kind, number=number, defaults={"details": details}
    )


def registered(house: Property, kind: str) -> list[Article]:
    """The house's articles of a kind, in order of number: what a form suggests."""
    return list(Article.objects.filter(property=house, kind=kind))
