"""What happened at a table. Past tense, for ever: one golden file for each that was ever released.

`stage` is where the event leaves the table; `clause` is under which row of the pack's sequence it stands.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from tables.domain import events_integrity, events_play
from tables.domain.event import Event as Event
from tables.domain.event import Staged as Staged
from tables.domain.integrity import Exposure
from tables.domain.ring import Place
from tables.domain.state import BatchSpec, Config, Player, TermChange, TermSpec


class TableSetUp(Event, frozen=True, tag=True, kw_only=True):
    config: Config


class TermsRecorded(Event, frozen=True, tag=True, kw_only=True):
    terms: tuple[TermSpec, ...]


class TermsPutInForce(Event, frozen=True, tag=True, kw_only=True):
    """A change of which both were notified before took effect; `late`: after its time."""

    notice: str
    terms: tuple[TermChange, ...]
    effective_at: datetime
    late: bool = False


class CardsReceived(Staged, frozen=True, tag=True, kw_only=True):
    set_id: str
    batches: tuple[BatchSpec, ...]
    preshuffled: bool = False
    seal: str = ""
    receipt: str = ""
    handed_by: str = ""
    received_by: str = ""


class CardsVerified(Staged, frozen=True, tag=True, kw_only=True):
    inspected_by: str
    verified_by: str


class TableOpened(Staged, frozen=True, tag=True, kw_only=True):
    """`stage` is "SHUFFLED" where pre-shuffled cards go straight to the cut (A-32)."""


class TableClosed(Staged, frozen=True, tag=True, kw_only=True):
    """`count`: the cards are counted before they are taken away."""

    checks: tuple[str, ...] = ()
    count: bool = False


class CardsTakenAway(Staged, frozen=True, tag=True, kw_only=True):
    handed_to: str = ""


class CardsSpread(Staged, frozen=True, tag=True, kw_only=True):
    face: Literal["up", "down"]
    batches_separate: bool = False
    player_requested: bool = False


class PlayerArrived(Staged, frozen=True, tag=True, kw_only=True):
    seat: int
    token: str
    order: int


class PlayerLeft(Staged, frozen=True, tag=True, kw_only=True):
    seat: int


class PlayersLeft(Staged, frozen=True, tag=True, kw_only=True):
    pass


class InspectionAfforded(Staged, frozen=True, tag=True, kw_only=True):
    seats: tuple[int, ...] = ()


class TurnedFaceDown(Staged, frozen=True, tag=True, kw_only=True):
    batch: str = ""
    progress: str = ""


class CardsWashed(Staged, frozen=True, tag=True, kw_only=True):
    batch: str = ""
    progress: str = ""


class CardsStacked(Staged, frozen=True, tag=True, kw_only=True):
    batch: str = ""


class CardsShuffled(Staged, frozen=True, tag=True, kw_only=True):
    method: str
    batch: str = ""


class ShufflerLoaded(Staged, frozen=True, tag=True, kw_only=True):
    batch: str = ""
    progress: str = ""
    cycles: int | None = None


class ShuffleCompleted(Staged, frozen=True, tag=True, kw_only=True):
    """`seconds`: since the batch went in, where that was recorded."""

    batch: str = ""
    progress: str = ""
    mode: str = ""
    cycles: int | None = None
    seconds: int | None = None


class BatchRemoved(Staged, frozen=True, tag=True, kw_only=True):
    batch: str
    progress: str = ""
    unspread: bool = False


class CutOffered(Staged, frozen=True, tag=True, kw_only=True):
    order: tuple[Player, ...]


class CutRefused(Staged, frozen=True, tag=True, kw_only=True):
    seat: int
    token: str
    order: tuple[Player, ...]


class CardsCut(Staged, frozen=True, tag=True, kw_only=True):
    cutter: str
    seat: int | None
    order: tuple[Player, ...]
    depth: int | None = None


class CoverCardInserted(Staged, frozen=True, tag=True, kw_only=True):
    depth: int | None = None


class ShoeLoaded(Staged, frozen=True, tag=True, kw_only=True):
    batch: str = ""


class DeckTakenInHand(Staged, frozen=True, tag=True, kw_only=True):
    hand: Literal["left", "right"]
    batch: str = ""


class RecutOrdered(Staged, frozen=True, tag=True, kw_only=True):
    ground: str
    option: str
    order: tuple[Player, ...]
    fixed: bool = False


class CardBurned(Staged, frozen=True, tag=True, kw_only=True):
    pass


class RoundStarted(Staged, frozen=True, tag=True, kw_only=True):
    round: int
    batch: str = ""
    button: Place | None = None
    start: Place | None = None
    delivery: tuple[Place, ...] = ()


class RoundEnded(Staged, frozen=True, tag=True, kw_only=True):
    round: int


class DealingBegun(Staged, frozen=True, tag=True, kw_only=True):
    """The first round after loading was counted: the table is in play."""

    batch: str = ""


class RoundsAdvanced(Event, frozen=True, tag=True, kw_only=True):
    """Counted: changes the counter of rounds and nothing else, and is no entry of the Record."""

    counted: ClassVar[bool] = True
    count: int


class CoverCardCameOut(Staged, frozen=True, tag=True, kw_only=True):
    on: Literal["seat", "dealer", "nobody", "unknown"]
    seat: int | None = None
    token: str = ""
    pending: bool = False


class ReshuffleDirected(Staged, frozen=True, tag=True, kw_only=True):
    pending: bool = False


class GamingActivityAbsent(Staged, frozen=True, tag=True, kw_only=True):
    """`before`: the stage it was recorded at, for a withdrawal."""

    before: str


class IdleWithdrawn(Staged, frozen=True, tag=True, kw_only=True):
    reason: str


class CardsRemoved(Staged, frozen=True, tag=True, kw_only=True):
    sources: tuple[str, ...]
    all_batches: bool = False
    """True where the shuffler was emptied too."""


class FaceUpRequested(Staged, frozen=True, tag=True, kw_only=True):
    seat: int | None = None


class ReshuffleRequested(Staged, frozen=True, tag=True, kw_only=True):
    seat: int | None = None


class DicePlaced(Event, frozen=True, tag=True, kw_only=True):
    set_id: str
    number: int
    placed_at: datetime
    shaker: str = ""
    responsible: str = ""
    due_at: datetime | None = None
    handed_by: str = ""


class DiceRemoved(Event, frozen=True, tag=True, kw_only=True):
    set_id: str
    to: str = ""


class DiceHandedOver(Event, frozen=True, tag=True, kw_only=True):
    set_id: str
    to: str


class DealerRelieved(Event, frozen=True, tag=True, kw_only=True):
    to: str
    dice_accepted: bool = False
    checks: tuple[str, ...] = ()
    burn: bool = False
    """The house burns a card when the dealer changes."""


class DeviceOutOfOrder(Staged, frozen=True, tag=True, kw_only=True):
    device: str
    fault: str = ""
    must_cover: bool = False
    """The text asks for cover or sign before any other method."""


class DeviceCovered(Event, frozen=True, tag=True, kw_only=True):
    device: str


class DeviceSigned(Event, frozen=True, tag=True, kw_only=True):
    device: str


class DeviceReturned(Event, frozen=True, tag=True, kw_only=True):
    device: str
    repair: str


class DeckCounted(Event, frozen=True, tag=True, kw_only=True):
    cards: int | None
    by_device: bool
    good: bool
    verified_round: int
    device: str = ""
    batch: str = ""
    removal: bool = True
    """A wrong number takes the deck off the table; elsewhere it holds the table until it is counted right."""
    overrules: bool = False
    """A count by hand that stands against a device's reading; both are kept."""
    exposure: Exposure | None = None


class DeckReplaced(Staged, frozen=True, tag=True, kw_only=True):
    set_id: str
    reason: str
    inspected_by: str
    verified_by: str


class EntryCorrected(Staged, frozen=True, tag=True, kw_only=True):
    of: int
    reason: str


class DueSaid(Event, frozen=True, tag=True, kw_only=True):
    kind: str
    due_at: datetime


EventUnion = (
    TableSetUp
    | TermsRecorded
    | TermsPutInForce
    | CardsReceived
    | CardsVerified
    | TableOpened
    | TableClosed
    | CardsTakenAway
    | CardsSpread
    | PlayerArrived
    | PlayerLeft
    | PlayersLeft
    | InspectionAfforded
    | TurnedFaceDown
    | CardsWashed
    | CardsStacked
    | CardsShuffled
    | ShufflerLoaded
    | ShuffleCompleted
    | BatchRemoved
    | CutOffered
    | CutRefused
    | CardsCut
    | CoverCardInserted
    | ShoeLoaded
    | DeckTakenInHand
    | RecutOrdered
    | CardBurned
    | RoundStarted
    | RoundEnded
    | DealingBegun
    | RoundsAdvanced
    | CoverCardCameOut
    | ReshuffleDirected
    | GamingActivityAbsent
    | IdleWithdrawn
    | CardsRemoved
    | FaceUpRequested
    | ReshuffleRequested
    | DicePlaced
    | DiceRemoved
    | DiceHandedOver
    | DealerRelieved
    | DeviceOutOfOrder
    | DeviceCovered
    | DeviceSigned
    | DeviceReturned
    | DeckCounted
    | DeckReplaced
    | EntryCorrected
    | DueSaid
)

EVENTS: dict[str, type[Event]] = {
    one.__name__: one for one in (*EventUnion.__args__, *events_play.EVENTS, *events_integrity.EVENTS)
}
