"""What must be remembered of a device from one entry of its journal to the next."""

from __future__ import annotations

import msgspec


class Watch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`inside`: back of the batch that was put in last and not taken out; "" when empty or never told."""

    inside: str = ""
    cycles_at_load: int | None = None
    cycles: int | None = None
    cycled: bool = False
    """A cycle was finished since the batch went in."""
    last_out: str = ""
    """Back of the batch that was taken out last: its turn is over until the other has been out ((g)(3))."""
    mode: str = ""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What the table knows that a device does not: the names of its batches, and how many cards a whole one has."""

    device: str
    batches: dict[str, str] = {}
    """Back colour (lower case) → id of the batch."""
    cards: int = 0
    counts: bool = False
    """The device is the table's counting device: its number verifies the count."""

    def batch(self, back: str) -> str:
        return self.batches.get(back.strip().casefold(), "")
