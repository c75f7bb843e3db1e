"""What happened to the integrity of a table's cards. Past tense, for ever."""

from __future__ import annotations

from tables.domain.event import Event, Staged
from tables.domain.integrity import Exposure, Part
from tables.domain.state import DeviceSpec


class Move(Part, frozen=True, kw_only=True):
    """A batch that lies elsewhere now, its shuffle worth nothing."""

    batch: str
    progress: str
    place: str


class FaultReported(Staged, frozen=True, tag=True, kw_only=True):
    """`hold`: kind of the hold that it opens, "" for an alert. `count`: its cards are to be counted.

    `moves`: batches whose shuffle is worth nothing. `shuffle_pending`: the shuffle falls due when the round is over.
    """

    device: str
    code: str
    batch: str = ""
    seat: int | None = None
    expected: int | None = None
    found: int | None = None
    detail: str = ""
    hold: str = ""
    latched: bool = False
    count: bool = False
    moves: tuple[Move, ...] = ()
    shuffle_pending: bool = False
    exposure: Exposure | None = None


class FaultCleared(Event, frozen=True, tag=True, kw_only=True):
    device: str
    code: str
    seat: int | None = None


class FaultReleased(Event, frozen=True, tag=True, kw_only=True):
    device: str
    code: str
    seat: int | None = None
    reason: str


class DeviceEmptied(Event, frozen=True, tag=True, kw_only=True):
    """`expected`: cards that should have been inside, None where nobody can know. `count`: the cards do not tally."""

    device: str
    cards: int | None = None
    expected: int | None = None
    count: bool = False
    exposure: Exposure | None = None


class DeviceRepaired(Event, frozen=True, tag=True, kw_only=True):
    device: str
    repair: str


class DeviceTested(Event, frozen=True, tag=True, kw_only=True):
    device: str
    passed: bool
    detail: str = ""


class DeviceSwapped(Staged, frozen=True, tag=True, kw_only=True):
    """`count`: the house has the cards counted after a swap."""

    device: DeviceSpec | None = None
    replaces: str = ""
    count: bool = False
    exposure: Exposure | None = None


class CardsSpilled(Event, frozen=True, tag=True, kw_only=True):
    batch: str = ""
    detail: str = ""
    exposure: Exposure | None = None


class CountRequired(Event, frozen=True, tag=True, kw_only=True):
    reason: str
    batch: str = ""
    exposure: Exposure | None = None


class UnsuitableCardReported(Event, frozen=True, tag=True, kw_only=True):
    finding: str
    rank: str
    suit: str
    back: str
    batch: str = ""
    exposure: Exposure | None = None


class CardReplaced(Event, frozen=True, tag=True, kw_only=True):
    rank: str
    suit: str
    back: str
    batch: str = ""
    told_by: str = ""
    confirmed_by: str = ""


class CardsSampled(Event, frozen=True, tag=True, kw_only=True):
    cards: int
    in_order: bool = False


EVENTS: tuple[type[Event], ...] = (
    FaultReported,
    FaultCleared,
    FaultReleased,
    DeviceEmptied,
    DeviceRepaired,
    DeviceTested,
    DeviceSwapped,
    CardsSpilled,
    CountRequired,
    UnsuitableCardReported,
    CardReplaced,
    CardsSampled,
)
