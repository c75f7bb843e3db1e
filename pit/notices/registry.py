"""What the app that knows tables tells the change workflow: where changes apply, what stands there, how it switches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from pit.notices.domain.state import ChangeState


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A table as changes see it: `terms` is what is in force there by (matter, item)."""

    stream: str
    number: str
    game: str
    pit: str
    address: str
    terms: Mapping[tuple[str, str], str]


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """What was in force from `since` until `until` (None: still); half-open. `notice` is empty where it was stated."""

    matter: str
    item: str
    value: str
    since: datetime
    until: datetime | None = None
    notice: str = ""


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """The hooks. `places(property_id)` in order of number; `switch(state, late)` gives the command to each table."""

    places: Callable[[int], Sequence[Place]]
    switch: Callable[[ChangeState, bool], Any]
    versions: Callable[[str], Sequence[Version]]


_floor: list[Floor] = []


def provide(floor: Floor) -> None:
    """Called once by the app that knows tables."""
    _floor[:] = [floor]


def floor() -> Floor:
    """LookupError while no app has provided it."""
    if not _floor:
        raise LookupError("No app knows where changes apply")
    return _floor[0]
