"""Who reads which section of a floor file. `pit` knows no table: the apps register their sections in `ready()`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from pit.floor.source import Problem, Row

if TYPE_CHECKING:
    from pit.floor.models import Property

Sign = Literal["+", "~", "="]


@dataclass(frozen=True)
class Change:
    """One line of the plan: made new (+), changed (~) or as it stands already (=). `work` is for `apply` alone."""

    sign: Sign
    what: str
    row: Row[Any]
    detail: str = ""
    work: Any = None

    def __str__(self) -> str:
        return f"{self.sign} {self.what}" + (f"  ({self.detail})" if self.detail else "")


@dataclass
class Floor:
    """What an importer works on: the property (there once its own section was applied), the moment, the problems."""

    now: datetime
    demo: bool
    property: Property = field(init=False)
    problems: list[Problem] = field(default_factory=list)
    keep: dict[str, Any] = field(default_factory=dict)
    """What importers hand on to later ones, by the name they agree on."""


Plan = Callable[[Sequence[Row[Any]], Floor], list[Change]]
Apply = Callable[[Change, Floor], None]


@dataclass(frozen=True)
class Importer:
    """Reads one section. `plan` compares with what stands and notes problems; `apply` makes one + or ~ true."""

    section: str
    schema: type[msgspec.Struct]
    plan: Plan
    apply: Apply
    many: bool = True
    order: int = 50


_importers: dict[str, Importer] = {}


def register_importer(
    section: str,
    schema: type[msgspec.Struct],
    plan: Plan,
    apply: Apply,
    *,
    many: bool = True,
    order: int = 50,
) -> None:
    """Registers the reader of a section. `order`: property 0, readings and house 10, pits 20, tables 50, staff 80."""
    _importers[section] = Importer(section, schema, plan, apply, many, order)


def importers() -> list[Importer]:
    """All readers, in the order in which a file is applied."""
    return sorted(_importers.values(), key=lambda one: one.order)
