"""What a table knows of the integrity of its cards: windows of exposure, faults of devices, cards to be replaced."""

from __future__ import annotations

from datetime import datetime

import msgspec


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Base."""


class Exposure(Part, frozen=True, kw_only=True):
    """From the last moment at which these cards were known good to the finding: `minutes` and `rounds` of it.

    `since` None: they were never known good at this table. `by`: what last made them so, "shuffle", "count" or
    "verification". `people`: the dealers of that time.
    """

    batch: str = ""
    since: datetime | None = None
    by: str = ""
    until: datetime
    minutes: int = 0
    rounds: int = 0
    people: tuple[str, ...] = ()


class Good(Part, frozen=True, kw_only=True):
    """When, at which round and by what cards were last known good."""

    at: datetime
    round: int = 0
    by: str = ""


class Fault(Part, frozen=True, kw_only=True):
    """A fault that a device shows or showed. A latched one holds the table until it is released (K2).

    `met_at`: when a count or a reshuffle of its cards was recorded after it.
    """

    device: str
    code: str
    since: datetime
    batch: str = ""
    seat: int | None = None
    latched: bool = False
    detail: str = ""
    met_at: datetime | None = None
    over_at: datetime | None = None
    """The device itself shows it no longer."""


class BadCard(Part, frozen=True, kw_only=True):
    """An unsuitable card; `replaced` once its replacement is in, which a count must follow."""

    finding: str
    rank: str
    suit: str
    back: str
    since: datetime
    batch: str = ""
    replaced: bool = False


class Stint(Part, frozen=True, kw_only=True):
    """A dealer at the table from that moment on."""

    name: str
    since: datetime
