"""The kernel's own entries. They stand in the same chain and are never handed to a kind's `evolve`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from pit.record.contract import Refused


class StreamOpened(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The first entry of every stream: where it belongs."""

    property_id: int
    topic: str


class StreamMoved(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The stream went from one topic (a pit) to another."""

    was: str
    topic: str


class RefusalRecorded(msgspec.Struct, frozen=True, kw_only=True, tag="Refused"):
    """A command that was refused, with what was asked; the state did not change.

    `fields` are those of the command, or what came instead of them when it could not be read. Secrets are left out.
    `at` is the time that the press gave for the act, if it gave one; the entry's own `at` is when it was refused.
    """

    command: str
    fields: Any
    at: datetime | None = None
    refused: Refused


KERNEL: dict[str, type[Any]] = {
    "StreamOpened": StreamOpened,
    "StreamMoved": StreamMoved,
    "Refused": RefusalRecorded,
}
"""Event kinds of the kernel."""


def is_kernel(event: Any) -> bool:
    return type(event) in _CLASSES


_CLASSES = frozenset(KERNEL.values())
