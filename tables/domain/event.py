"""The base of all events."""

from __future__ import annotations

from typing import ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all events; the tag is the class name."""

    counted: ClassVar[bool] = False


class Staged(Event, frozen=True, kw_only=True):
    """An event of a sequence: `stage` is where it leaves the table, `clause` under which row it stands."""

    stage: str
    clause: str = ""
