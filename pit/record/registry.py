"""What the apps register: their stream kinds and what happens after a commit. Filled in `AppConfig.ready()`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec

from pit.record.contract import Entry, StreamKind

log = logging.getLogger(__name__)


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One committed change of one stream, as hooks get it. A refusal is no change.

    `entries` is empty when only the counter of rounds moved; `changed_seq` then stands still while `state` is newer.
    A move to another topic is an entry whose event is `pit.record.entries.StreamMoved`.
    `messages` are the ids of the outbox rows written with it.
    """

    stream: str
    property_id: int
    topic: str
    changed_seq: int
    state: Any
    entries: tuple[Entry, ...] = ()
    messages: tuple[UUID, ...] = ()


Hook = Callable[[Sequence[Change]], None]

_kinds: dict[str, StreamKind] = {}
_hooks: list[Hook] = []


def register(kind: StreamKind) -> None:
    """Makes the door serve streams named "<kind.name>:<id>". Twice the same name is a mistake: ValueError."""
    if kind.name in _kinds and _kinds[kind.name] is not kind:
        raise ValueError(f"The stream kind {kind.name!r} is registered already")
    _kinds[kind.name] = kind


def unregister(name: str) -> None:
    """Takes a kind away again (tests)."""
    _kinds.pop(name, None)


def kind_of(name: str) -> StreamKind | None:
    """The registered kind of that name, or of a stream's name: "table" or "table:12"."""
    return _kinds.get(name.partition(":")[0])


def must(name: str) -> StreamKind:
    """The same; LookupError when no app serves it."""
    kind = kind_of(name)
    if kind is None:
        raise LookupError(f"No app serves {name!r}")
    return kind


def kinds() -> tuple[StreamKind, ...]:
    return tuple(_kinds.values())


def after_commit(hook: Hook) -> Hook:
    """Calls `hook(changes)` after each commit that changed a stream. What it raises is logged and goes no further."""
    if hook not in _hooks:
        _hooks.append(hook)
    return hook


def forget(hook: Hook) -> None:
    """Takes a hook away again (tests)."""
    _hooks.remove(hook)


def announce(changes: Sequence[Change]) -> None:
    """Runs every hook; a hook that fails neither stops the others nor makes a committed command an error."""
    for hook in tuple(_hooks):
        try:
            hook(changes)
        except Exception:
            streams = [change.stream for change in changes]
            log.exception("After-commit hook %s failed for %s", getattr(hook, "__qualname__", hook), streams)
