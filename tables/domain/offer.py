"""What the screens get: offers, needs and the procedure as a track. Shapes only; `offers.py` fills them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from pit.record.contract import Refused
from tables.domain.integrity import Exposure


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that only the person knows. `kind`: "seat", "choice", "number", "text", "seats"."""

    name: str
    kind: Literal["seat", "choice", "number", "text", "seats", "choices"]
    label: str
    options: tuple[tuple[str, str], ...] = ()
    """(value, label); empty where the field is free."""
    optional: bool = False
    help: str = ""
    """One line under the field: a default that is meant, a figure of the house."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One command as the table stands now: lawful, or refused with the clause and the next lawful step."""

    command: str
    label: str
    lawful: bool
    next: bool = False
    fields: Mapping[str, Any] = {}
    refused: Refused | None = None
    clause: str = ""
    cite: str = ""
    paraphrase: str = ""
    needs: tuple[Literal["signature", "second"], ...] = ()
    asks: tuple[Ask, ...] = ()
    group: str = "step"
    """"step", "seat", "cut", "round", "idle", "dice", "device", "decision", "table", "irregularity", "cards"."""


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """What needs somebody at this table now. `rank`: who is asked; `command` and `fields` make its one button."""

    kind: str
    title: str
    since: datetime | None = None
    due_at: datetime | None = None
    clause: str = ""
    cite: str = ""
    rank: str = "floorperson"
    blocks: bool = False
    command: str = ""
    label: str = ""
    fields: Mapping[str, Any] = {}
    detail: str = ""
    """What stands behind it: consequences as stated, what is still to be done."""
    exposure: Exposure | None = None


class TrackStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the procedure: "done", "current" or "left"."""

    stage: str
    words: str
    state: Literal["done", "current", "left"]
    command: str = ""
    clause: str = ""
    cite: str = ""
