"""The shapes of the gateway contract, version 1 (docs/gateway.md). `schema/` holds the same as JSON Schema.

Closed shapes: a field that is not here is refused, and with it the whole answer. There is no field for the order, rank
or suit of cards, and there will be none.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

CONTRACT = 1
LARGEST_BODY = 256 * 1024
"""Bytes of an answer; a larger one is not read to its end."""
MOST_DEVICES = 200
MOST_EVENTS = 500
"""Entries of the journal in one answer; the rest comes with the next (`more`)."""

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$")]
"""A name of a gateway, a device's place at it, a boot, a code."""
Boot = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$")]
Text = Annotated[str, Meta(max_length=60)]
Detail = Annotated[str, Meta(max_length=200)]
Instant = Annotated[datetime, Meta(tz=True)]
"""RFC 3339 with an offset."""
Counter = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Cards = Annotated[int, Meta(ge=0, le=1000)]
Seat = Annotated[int, Meta(ge=1, le=20)]
Hash = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$")]

Kind = Literal[
    "shuffler", "continuous", "counting", "dealing_shoe", "card_reader", "shaker", "rng", "progressive", "lights",
    "counter",
]  # fmt: skip
State = Literal["ready", "working", "fault", "off"]
Seal = Literal["intact", "broken", "unknown"]


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base: closed and frozen."""


class Answer(Shape, kw_only=True):
    """What every answer begins with. `boot` is another one whenever the journal began anew."""

    contract: Literal[1]
    gateway: Name
    boot: Boot
    time: Instant
    """The gateway's own clock when it answered."""


class Seen(Shape, kw_only=True):
    """One device as the gateway sees it now. `id` is its place at the gateway, which stays when the device is exchanged."""

    id: Name
    serial: Annotated[str, Meta(min_length=1, max_length=60)]
    kind: Kind
    state: State
    at: Instant
    """When the device last spoke to the gateway."""
    maker: Text = ""
    model: Text = ""
    firmware: Hash = ""
    """SHA-256 of the firmware, where the device tells it."""
    seal: Seal = "unknown"
    mode: Text = ""
    """What the device is set to: "SHUFFLE", "SORT", …"""
    cycles: Counter | None = None
    """Shuffles finished since it was made; only ever grows."""
    cards: Cards | None = None
    batch: Text = ""
    """Back colour of the cards inside."""
    faults: Annotated[list[Name], Meta(max_length=20)] = []
    """The maker's codes of the faults that stand now."""


class Snapshot(Answer, kw_only=True):
    """`GET /v1/devices`. `cursor`: the journal's last entry when the snapshot was taken."""

    cursor: Counter
    devices: Annotated[list[Seen], Meta(max_length=MOST_DEVICES)]


class Data(Shape, kw_only=True):
    """What an entry says beside its code. All of it is optional."""

    count: Annotated[int, Meta(ge=1, le=100)] | None = None
    batch: Text = ""
    seat: Seat | None = None
    on: Literal["seat", "dealer", "nobody"] | None = None
    cards: Cards | None = None
    expected: Cards | None = None
    good: bool | None = None
    number: Annotated[int, Meta(ge=0, le=99)] | None = None
    accepted: Annotated[int, Meta(ge=0, le=99)] | None = None
    mode: Text = ""
    cycles: Counter | None = None
    detail: Detail = ""


class Happening(Shape, kw_only=True):
    """One entry of the journal. `id` begins with 1 at each boot and rises by one from entry to entry."""

    id: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    device: Name
    at: Instant
    code: Name
    """The maker's own code, or one of ours (docs/gateway.md)."""
    data: Data = Data()


class Journal(Answer, kw_only=True):
    """`GET /v1/events?after=<cursor>`: the entries after the cursor, oldest first.

    `first` is the oldest entry still kept (0 when there is none), `cursor` what to ask for next: the last id given, or
    the cursor asked with when there was nothing.
    """

    first: Counter
    cursor: Counter
    more: bool = False
    events: Annotated[list[Happening], Meta(max_length=MOST_EVENTS)]


SHAPES: dict[str, type[Shape]] = {"devices": Snapshot, "events": Journal}


def schema(name: str) -> dict[str, object]:
    """The JSON Schema (2020-12) of an answer, "devices" or "events"."""
    found = msgspec.json.schema(SHAPES[name])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Pitstand gateway: {name}",
        **found,
    }
