"""The shape of the sections of a pack file as they are written; `load` turns them into the structs of `model`."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec


class Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base: an unknown field stops the start."""


class Header(Written):
    """`[pack]`"""

    jurisdiction: str
    title: str
    source: str
    effective: date
    governs: list[str]
    effective_note: str = ""


class ClauseText(Written):
    """`[clause.<ID>]`"""

    cite: str
    paraphrase: str
    support: str = ""


class ReadingText(Written):
    """`[reading.A-03]`"""

    matter: str
    default: Any
    options: list[Any] = []


class CommandText(Written):
    """`[command.<Name>]`: guards are pairs of check and clause."""

    clause: str = "house"
    not_governed: bool = False
    rank: str = "dealer"
    rank_clause: str = "house"
    also: list[str] = []
    signed: bool = False
    second: str = ""
    guards: list[tuple[str, str]] = []
    shows: list[str] = []


class StepText(Written, rename={"from_": "from"}):
    """`[[step]]`"""

    track: str
    command: str
    from_: list[str]
    to: str
    clause: str
    batch_from: list[str] = []
    batch_to: str = ""
    optional: bool = False


class IrregularityText(Written):
    """`[[irregularity]]`"""

    key: str
    words: str
    trigger: str
    clauses: list[str]
    asks: list[str] = []
    consequences: dict[str, Any] = {}
    steps: list[str] = []
    prompt: str = ""
    inferred: dict[str, Any] = {}


class GameText(Written):
    """A file of `games/`."""

    name: str
    uses: list[str]
    cards_per_deck: int = 0
    decks: list[int] = []
    deal_modes: list[str] = []
    cut_mode: str = "offered"
    alternation_unit: str = "shoe"
    collection: str = "dealer_then_far_right"
    stack_size: int = 0
    side_wagers: list[str] = []
    seats: tuple[int, int] = (1, 9)
    verbal_cash_wagers: bool = False


class HouseText(Written):
    """A section of `house.toml`."""

    label: str
    governs: str
    default: Any
    unit: str = ""
    options: list[Any] = []
    least: int | None = None
    most: int | None = None
