"""What the Record says of one device: what it is, where it stands, which faults are open. Folded from its entries."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

Kind = Literal[
    "shuffler", "continuous", "counting", "dealing_shoe", "card_reader", "shaker", "rng", "progressive", "lights",
    "counter",
]  # fmt: skip
KIND_WORDS: dict[str, str] = {
    "shuffler": "Shuffler",
    "continuous": "Continuous shuffler",
    "counting": "Counting shuffler",
    "dealing_shoe": "Dealing shoe",
    "card_reader": "Card reader",
    "shaker": "Shaker",
    "rng": "Number generator",
    "progressive": "Progressive system",
    "lights": "Position lights",
    "counter": "Round counter",
}
BESIDE_THE_TABLE = frozenset({"counter"})
"""Kinds that only watch: they are no equipment of the table, and no rule speaks of them."""


class OpenFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault that the device has told and not taken back."""

    code: str
    since: datetime
    seat: int | None = None
    detail: str = ""


class DeviceState(msgspec.Struct, frozen=True, kw_only=True):
    """One device. `table` is the id of the table where it stands."""

    key: str = ""
    """Its name on the floor ("SH-03"): the id of the device in its table's set-up, and its place at the gateway."""
    kind: str = ""
    serial: str = ""
    maker: str = ""
    model: str = ""
    approval_ref: str = ""
    seal: str = ""
    """Number of the seal on it."""
    firmware: str = ""
    """SHA-256 of the firmware that was approved."""
    gateway: str = ""
    status: Literal["", "stored", "installed", "retired"] = ""
    table: int | None = None
    table_number: str = ""
    since: datetime | None = None
    """Since when it is where it is."""
    faults: tuple[OpenFault, ...] = ()
    last_service: str = ""

    def fault(self, code: str, seat: int | None = None) -> OpenFault | None:
        return next((one for one in self.faults if (one.code, one.seat) == (code, seat)), None)
