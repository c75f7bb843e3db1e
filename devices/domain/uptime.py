"""A device's last hours as stretches: well, faulty, unknown. Made from what its stream says."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import msgspec

What = Literal["unknown", "fault", "well"]
UNHEARD = "GATEWAY_SILENT"


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A fault began or ended."""

    at: datetime
    code: str
    begins: bool
    seat: int | None = None


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """`since` … `until`, half-open."""

    since: datetime
    until: datetime
    what: What

    @property
    def seconds(self) -> float:
        return (self.until - self.since).total_seconds()


def stretches(
    turns: Iterable[Turn], *, heard_since: datetime | None, since: datetime, until: datetime
) -> list[Stretch]:
    """The stretches of [since, until), oldest first. Before it was ever heard a device is unknown."""
    found: list[Stretch] = []
    open_: set[tuple[str, int | None]] = set()
    at, what = since, _what(open_, heard=heard_since is not None and heard_since <= since)
    marks = sorted(turns, key=lambda one: one.at)
    if heard_since is not None and since < heard_since < until:
        marks = sorted([*marks, Turn(at=heard_since, code="", begins=False)], key=lambda one: one.at)
    for turn in marks:
        key = (turn.code, turn.seat)
        open_ = open_ | {key} if turn.begins and turn.code else open_ - {key}
        heard = heard_since is not None and heard_since <= max(turn.at, since)
        if turn.at >= until:
            break
        if turn.at <= since:
            what = _what(open_, heard=heard)
            continue
        then = _what(open_, heard=heard)
        if then != what:
            found.append(Stretch(since=at, until=turn.at, what=what))
            at, what = turn.at, then
    found.append(Stretch(since=at, until=until, what=what))
    return [one for one in found if one.until > one.since]


def _what(open_: set[tuple[str, int | None]], *, heard: bool) -> What:
    if not heard or any(code == UNHEARD for code, _ in open_):
        return "unknown"
    return "fault" if open_ else "well"


def share(found: Iterable[Stretch], what: What) -> float:
    """Which part of the time was so, 0…1."""
    every = list(found)
    whole = sum(one.seconds for one in every)
    return sum(one.seconds for one in every if one.what == what) / whole if whole else 0.0
