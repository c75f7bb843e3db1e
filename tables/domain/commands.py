"""What a person, a device or the clock may ask of a table. Imperative; each has an entry in every rule pack.

Times are never in a command: `at` of the door says when the act took place. Seats are 1…S; `seat=None` is the dealer.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from tables.domain import commands_integrity, commands_play
from tables.domain.command import Command as Command
from tables.domain.command import Number as Number
from tables.domain.command import Seat, Whole
from tables.domain.ring import Place
from tables.domain.state import BatchSpec, DeviceSpec, ProgressiveSpec, TermChange, TermSpec


class SetUpTable(Command, frozen=True, tag=True, kw_only=True):
    """Say what the table is. Zero or empty takes the game's own (cards in a deck, first deal mode, cut mode)."""

    number: str
    game: str
    seats: Whole
    decks: Whole = 0
    cards_per_deck: Whole = 0
    deal_mode: str = ""
    cut_mode: str = ""
    batches: tuple[BatchSpec, ...] = ()
    devices: tuple[DeviceSpec, ...] = ()
    drop_box: bool = True
    tip_box_side: Literal["dealer", "players"] = "dealer"
    rack_decks: Whole | None = None
    rack_mark_decks: Whole | None = None
    shaker: str = ""
    stack_size: Whole = 0
    internal_controls_ref: str = ""
    extra_positions: Whole = 0
    rounds_by: Literal["", "counter", "steps"] = ""
    shaker_bears_name: bool = True
    shaker_opaque: bool = True
    progressive: ProgressiveSpec | None = None


class RecordTerms(Command, frozen=True, tag=True, kw_only=True):
    """Say for the first time what is in force here: procedures, percentages, pay tables. What stands changes by notice."""

    terms: tuple[TermSpec, ...]


class PutInForce(Command, frozen=True, tag=True, kw_only=True):
    """The effective time of a change notice has come. `commission_at` and `surveillance_at`: when each was notified.

    `late`: it could not be done at its time (an outage) and takes effect only now.
    """

    notice: str
    terms: tuple[TermChange, ...]
    effective_at: datetime
    commission_at: datetime | None = None
    surveillance_at: datetime | None = None
    late: bool = False


class ReceiveCards(Command, frozen=True, tag=True, kw_only=True):
    """A registered card set arrives. `batches` empty: those of the set-up. Pre-shuffled sets bear seal and receipt."""

    set_id: str
    batches: tuple[BatchSpec, ...] = ()
    preshuffled: bool = False
    seal: str = ""
    receipt: str = ""
    handed_by: str = ""
    registered: bool | None = None
    """Whether the house has registered this set. Told by the edge, never by a person; None: nobody looked."""


class InspectCards(Command, frozen=True, tag=True, kw_only=True):
    """The dealer (`by.second`) inspected each card, the supervisor (`by`) verified; two people."""


class OpenTable(Command, frozen=True, tag=True, kw_only=True):
    """Open for gaming: equipment is complete, cards are verified."""


class CloseTable(Command, frozen=True, tag=True, kw_only=True):
    """Close the table; its cards are then taken away. The clock of dice goes on (A-49). `checks`: the house's list."""

    checks: tuple[str, ...] = ()


class TakeCardsAway(Command, frozen=True, tag=True, kw_only=True):
    """The card set leaves the table, into somebody's hands."""

    handed_to: str = ""


class RecordSpread(Command, frozen=True, tag=True, kw_only=True):
    """The cards were laid out in order. `batches_separate`: each batch on its own."""

    face: Literal["up", "down"] = "up"
    batches_separate: bool = False
    player_requested: bool = False


class PlayerArrives(Command, frozen=True, tag=True, kw_only=True):
    """Somebody sits down. `token` names a player who sits here already (moved seat, plays two spots); empty is new."""

    seat: Seat
    token: str = ""


class PlayerLeaves(Command, frozen=True, tag=True, kw_only=True):
    """The player of that seat is gone."""

    seat: Seat


class PlayersLeave(Command, frozen=True, tag=True, kw_only=True):
    """All players are gone: a dead game."""


class AffordInspection(Command, frozen=True, tag=True, kw_only=True):
    """The player or players had the chance to look at the cards."""


class TurnFaceDown(Command, frozen=True, tag=True, kw_only=True):
    """The cards (of that batch) were turned face down."""

    batch: str = ""


class RecordWash(Command, frozen=True, tag=True, kw_only=True):
    """The cards (of that batch) were washed."""

    batch: str = ""


class StackCards(Command, frozen=True, tag=True, kw_only=True):
    """The cards were put in one stack."""

    batch: str = ""


class RecordShuffle(Command, frozen=True, tag=True, kw_only=True):
    """The cards were shuffled: by hand, or with another device than the table's own shuffler."""

    method: Literal["manual", "device", "other_device"] = "manual"
    batch: str = ""


class LoadShuffler(Command, frozen=True, tag=True, kw_only=True):
    """The batch was put in the shuffler, which then shuffles it. `back`: the colour seen; `cycles`: the counter shown."""

    batch: str = ""
    back: str = ""
    cycles: Whole | None = None


class CompleteShuffle(Command, frozen=True, tag=True, kw_only=True):
    """The shuffler finished this batch. `mode`: as it shows it, "SHUFFLE"; `cycles`: its counter, which has moved (K3)."""

    batch: str = ""
    mode: str = ""
    cycles: Whole | None = None


class RemoveBatch(Command, frozen=True, tag=True, kw_only=True):
    """The shuffled batch was taken out of the shuffler. `back`: the colour seen."""

    batch: str = ""
    back: str = ""


class OfferCut(Command, frozen=True, tag=True, kw_only=True):
    """The stack was offered to the player whose turn it is."""

    stacks: Whole = 1


class RefuseCut(Command, frozen=True, tag=True, kw_only=True):
    """The player of that seat does not want to cut."""

    seat: Seat


class RecordCut(Command, frozen=True, tag=True, kw_only=True):
    """The stack was cut. `seat` None: by the dealer. `depth`: cards above the cover card, or taken off the top by the
    dealer's hand; optional (A-39)."""

    seat: Seat | None = None
    depth: Number = None


class InsertCoverCard(Command, frozen=True, tag=True, kw_only=True):
    """The dealer put the cover card in. `depth`: cards behind it; optional."""

    depth: Number = None


class LoadShoe(Command, frozen=True, tag=True, kw_only=True):
    """The stack is in the shoe."""


class TakeInHand(Command, frozen=True, tag=True, kw_only=True):
    """Hand deal: the deck lies on a cover card in one hand, which is not changed during the round."""

    hand: Literal["left", "right"] = "left"


class OrderRecut(Command, frozen=True, tag=True, kw_only=True):
    """The supervisor has the cards cut again."""

    ground: str | None = None
    """"improper_cut" or "integrity_or_fairness"; nothing else is a ground."""
    option: str | None = None
    """"last_cutter" or "next_entitled"."""


class RecordBurn(Command, frozen=True, tag=True, kw_only=True):
    """The first card after loading was burned."""


class StartRound(Command, frozen=True, tag=True, kw_only=True):
    """Dealing begins. `batch`, `button`, `start`, `antes` are told where the table records them."""

    batch: str = ""
    button: Place | None = None
    start: Place | None = None
    antes: tuple[Seat, ...] | None = None
    delivered: tuple[Place, ...] | None = None


class EndRound(Command, frozen=True, tag=True, kw_only=True):
    """The round is over and its cards are in the discard rack."""


class AdvanceRounds(Command, frozen=True, tag=True, kw_only=True):
    """The counter of rounds goes on: so many rounds were dealt."""

    count: Whole = 1


class RecordCoverCardOut(Command, frozen=True, tag=True, kw_only=True):
    """The cover card came out: on a player's spot, on the dealer's hand, or as the first card on nobody's.

    "unknown": a shoe saw it come out; a person may still say where, before the shuffle.
    """

    on: Literal["seat", "dealer", "nobody", "unknown"]
    seat: Seat | None = None


class DirectReshuffle(Command, frozen=True, tag=True, kw_only=True):
    """The facility has the cards shuffled at its own discretion."""


class RecordNoGamingActivity(Command, frozen=True, tag=True, kw_only=True):
    """Nobody plays at this open table."""


class WithdrawIdle(Command, frozen=True, tag=True, kw_only=True):
    """It was recorded in error (A-24)."""

    reason: str


class RemoveCards(Command, frozen=True, tag=True, kw_only=True):
    """All cards were taken out of these: "shuffler", "shoe", "discard_rack"."""

    sources: tuple[str, ...]


class RequestFaceUp(Command, frozen=True, tag=True, kw_only=True):
    """A player asks that the cards be spread face up."""

    seat: Seat | None = None


class RequestReshuffle(Command, frozen=True, tag=True, kw_only=True):
    """A player asks that the batch from the shuffler be spread and shuffled again before it is dealt."""

    seat: Seat | None = None


class PlaceDice(Command, frozen=True, tag=True, kw_only=True):
    """A registered set of dice comes to the table, into its shaker where the game has one.

    `first_placed_at`: the set came straight from another table, where its clock began (A-18), and `registered`: whether
    the house knows it; both told by the edge, never by a person. `reinspected`: inspected again, so that a new clock begins.
    """

    set_id: str
    number: Whole = 3
    shaker: str = ""
    responsible: str = ""
    first_placed_at: datetime | None = None
    reinspected: bool = False
    handed_by: str = ""
    registered: bool | None = None


class RemoveDice(Command, frozen=True, tag=True, kw_only=True):
    """The set leaves the table; its clock stops."""

    set_id: str
    to: str = ""


class HandOverDice(Command, frozen=True, tag=True, kw_only=True):
    """Another dealer answers for the dice from now on."""

    set_id: str
    to: str


class RelieveDealer(Command, frozen=True, tag=True, kw_only=True):
    """The dealer is relieved. `to` empty: nobody takes over. `dice_accepted`: the new dealer answers for the dice."""

    to: str = ""
    dice_accepted: bool = False
    checks: tuple[str, ...] = ()


class DeclareOutOfOrder(Command, frozen=True, tag=True, kw_only=True):
    """The device cannot work properly."""

    device: str
    fault: str = ""


class CoverDevice(Command, frozen=True, tag=True, kw_only=True):
    """The device that is out of order is covered."""

    device: str


class SignDevice(Command, frozen=True, tag=True, kw_only=True):
    """An out-of-order sign is on the device."""

    device: str


class ReturnDevice(Command, frozen=True, tag=True, kw_only=True):
    """The device was repaired and is back in service."""

    device: str
    repair: str


class RecordCount(Command, frozen=True, tag=True, kw_only=True):
    """The deck was counted, by the dealer or by the shuffler after its shuffle. `good` tells a device that only shows
    whether the number is right."""

    cards: Number = None
    by_device: bool = False
    good: bool | None = None
    device: str = ""
    batch: str = ""


class ReplaceDeck(Command, frozen=True, tag=True, kw_only=True):
    """The deck was taken off and a replacement inspected by the dealer (`by.second`) and verified."""

    set_id: str
    reason: str
    registered: bool | None = None


class AttestThrough(Command, frozen=True, tag=True, kw_only=True):
    """A run of steps as one attestation, up to a stage. What a step needs and only a person knows stands here."""

    to: str
    seat: Seat | None = None
    """Who cut; None with `cut_by_dealer` false leaves it to the first who may."""
    cut_by_dealer: bool = False
    face: Literal["up", "down"] | None = None
    arrival_seat: Seat | None = None


class CorrectEntry(Command, frozen=True, tag=True, kw_only=True):
    """The entry `of` was recorded in error; the table goes back to a stage with more left to do."""

    of: Whole
    reason: str
    back_to: str


class SayDue(Command, frozen=True, tag=True, kw_only=True):
    """The clock says that a stored due time has passed. Never a physical act."""

    kind: str


CommandUnion = (
    SetUpTable
    | RecordTerms
    | PutInForce
    | ReceiveCards
    | InspectCards
    | OpenTable
    | CloseTable
    | TakeCardsAway
    | RecordSpread
    | PlayerArrives
    | PlayerLeaves
    | PlayersLeave
    | AffordInspection
    | TurnFaceDown
    | RecordWash
    | StackCards
    | RecordShuffle
    | LoadShuffler
    | CompleteShuffle
    | RemoveBatch
    | OfferCut
    | RefuseCut
    | RecordCut
    | InsertCoverCard
    | LoadShoe
    | TakeInHand
    | OrderRecut
    | RecordBurn
    | StartRound
    | EndRound
    | AdvanceRounds
    | RecordCoverCardOut
    | DirectReshuffle
    | RecordNoGamingActivity
    | WithdrawIdle
    | RemoveCards
    | RequestFaceUp
    | RequestReshuffle
    | PlaceDice
    | RemoveDice
    | HandOverDice
    | RelieveDealer
    | DeclareOutOfOrder
    | CoverDevice
    | SignDevice
    | ReturnDevice
    | RecordCount
    | ReplaceDeck
    | AttestThrough
    | CorrectEntry
    | SayDue
)

COMMANDS: dict[str, type[Command]] = {
    one.__name__: one
    for one in (*CommandUnion.__args__, *commands_play.COMMANDS, *commands_integrity.COMMANDS)
}
