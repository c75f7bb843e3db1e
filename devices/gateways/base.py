"""What a way of speaking to gateways must offer, and what it hands to the poll: an answer, or what went wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Literal, Protocol

import msgspec

from devices.gateways.wire import Journal, Snapshot

TroubleKind = Literal[
    "UNREACHABLE", "TIMEOUT", "TLS", "CREDENTIALS", "REDIRECT", "ASKED_TO_WAIT", "STATUS", "TOO_LARGE", "NOT_JSON",
    "SCHEMA", "CURSOR_WENT_BACK", "OTHER_GATEWAY", "OTHER_ENTRY", "NOT_ALLOWED", "BROKEN_OFF", "NOT_KEPT",
]  # fmt: skip
BAD_PAYLOAD = frozenset(
    {"TOO_LARGE", "NOT_JSON", "SCHEMA", "CURSOR_WENT_BACK", "OTHER_GATEWAY", "OTHER_ENTRY", "BROKEN_OFF"}
)
"""Troubles of what was answered; such an answer is put aside where a technician can see it."""

TROUBLE_WORDS: dict[str, str] = {
    "UNREACHABLE": "cannot be reached",
    "TIMEOUT": "does not answer in time",
    "TLS": "does not prove who it is (TLS)",
    "CREDENTIALS": "does not accept our token or certificate",
    "REDIRECT": "sends us elsewhere, where we do not go",
    "ASKED_TO_WAIT": "asked us to wait",
    "STATUS": "answers with an error",
    "TOO_LARGE": "answers with more than it may",
    "NOT_JSON": "answers something that is not JSON",
    "SCHEMA": "answers something that is not in the contract",
    "CURSOR_WENT_BACK": "counts its journal backwards",
    "OTHER_GATEWAY": "says that it is another gateway",
    "OTHER_ENTRY": "told one entry of its journal in two ways",
    "NOT_ALLOWED": "stands at an address that this site does not call",
    "BROKEN_OFF": "broke off in the middle of an answer",
    "NOT_KEPT": "said something that could not be written down here",
}


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One gateway to be asked, and where its journal was read to."""

    gateway: int
    name: str
    url: str
    credential: str = ""
    boot: str = ""
    cursor: int = 0
    etag: str = ""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Why nothing could be used of what a gateway said, if it said anything."""

    kind: TroubleKind
    detail: str = ""
    path: str = ""
    body: bytes = b""
    """The beginning of what it said."""
    size: int = 0
    retry_after_s: float | None = None


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """What one gateway answered. With a `trouble` nothing else of it is used."""

    ask: Ask
    asked_at: datetime
    heard_at: datetime
    took_ms: int = 0
    trouble: Trouble | None = None
    snapshot: Snapshot | None = None
    """None where it has not changed since the last one (304)."""
    etag: str = ""
    journal: Journal | None = None
    restarted: bool = False
    """The journal began anew since we last read it; `journal` is read from its beginning."""
    duplicates: int = 0

    @property
    def skew_ms(self) -> int | None:
        """How far the gateway's clock is ahead of ours, to within half the time that the answer took."""
        told = self.journal or self.snapshot
        if told is None:
            return None
        middle = self.asked_at + (self.heard_at - self.asked_at) / 2
        return round((told.time - middle).total_seconds() * 1000)


class Speaks(Protocol):
    """A way of asking gateways: all of them at once, each answer as soon as it is there."""

    def __call__(self, asks: Sequence[Ask], /) -> AsyncIterator[Heard]:
        """One `Heard` for each ask, in the order of their coming. Raises nothing for what a gateway does."""
        ...

    async def close(self) -> None:
        """Closes the connections that stay open between two calls."""
        ...
