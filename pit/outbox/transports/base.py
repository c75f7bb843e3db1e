"""What a transport gets and gives. A transport touches no database."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """One message to one address. `id` is the same on every attempt; `ids` are all that go along in a bundle."""

    id: str
    address: str
    name: str
    notification: str
    subject: str
    body: str
    clause: str
    property: str
    stream: str
    seq: int
    created_at: datetime
    attempt: int
    now: datetime
    secret: str = ""
    ids: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """`sent`: handed over to a server that will deliver it. `delivered`: the receiver itself said so.

    `temporary` is tried again (not before `retry_after` seconds), `permanent` is not; `gone`: nor is the address ever.
    """

    outcome: Literal["sent", "delivered", "temporary", "permanent"]
    detail: str = ""
    retry_after: int | None = None
    gone: bool = False
    away: bool = False
    """Nobody answered at all: the next in line need not be tried now."""
