"""What is recorded of the round that is open or about to open, and of the irregularities of a table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from tables.domain.ring import Place


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Base."""


class RoundFacts(Part, frozen=True, kw_only=True):
    """One round. It begins when the one before is over, so that bets can be closed before the first card."""

    number: int = 0
    """Counter of rounds when something was last recorded: an older one is another round's."""
    bets_closed_at: datetime | None = None
    locked_out: bool = False
    accepted: int | None = None
    chips: int | None = None
    in_tray: bool = False
    start: Place | None = None
    start_by: str = ""
    """"shaker" or "rng"."""
    total: int | None = None
    marked: bool = False
    no_roll: bool = False
    """A "no roll" was called: no position follows from it until the dice were shaken again."""
    face_up: int = 0
    """Cards found face up in the shoe (A-20)."""
    void: str = ""
    """Clause under which the round, or all its hands, are void."""
    from_hand: bool = False
    stub: bool = False
    collected: tuple[int, ...] = ()


class Irregularity(Part, frozen=True, kw_only=True):
    """An event that the text rules on and whose ruling is still to be recorded.

    `needs`: what is still open, of "floorperson", "settlement", "choice", "ruling".
    """

    id: int
    kind: str
    words: str
    since: datetime
    clauses: tuple[str, ...] = ()
    facts: Mapping[str, Any] = {}
    consequences: Mapping[str, Any] = {}
    defaults: Mapping[str, bool] = {}
    """What the house asks the supervisor to confirm where the text is silent (A-37)."""
    steps: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    seat: int | None = None
    device: str = ""


class Refill(Part, frozen=True, kw_only=True):
    """(h)(5): the shoe was too short; the rack is shuffled, cut and loaded, one card burned, and the round goes on."""

    since: datetime
    cards: int | None = None
    """Cards of the discard rack, when told."""
    burned: bool = False
    counted: bool = False
    """Rounds are only counted at this table: no round is open while it is filled again."""


class Ceased(Part, frozen=True, kw_only=True):
    """(k)(4): all gaming has ceased until this device is fixed; then the table stands at `before` again."""

    device: str
    since: datetime
    before: str
    clause: str = ""
