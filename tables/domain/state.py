"""What is known of one table. Frozen; folded from its entries by `evolve`; nobody's name but staff's stands in it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from tables.domain import stages
from tables.domain.button import Counted
from tables.domain.integrity import BadCard, Exposure, Fault, Good, Stint
from tables.domain.ring import Place
from tables.domain.round_facts import Ceased, Irregularity, Refill, RoundFacts

DeviceKind = Literal[
    "shuffler",
    "continuous",
    "counting",
    "dealing_shoe",
    "card_reader",
    "shaker",
    "rng",
    "progressive",
    "lights",
]
SHUFFLERS = frozenset({"shuffler", "continuous", "counting"})


class Struct(msgspec.Struct, frozen=True, kw_only=True):
    """Base of everything in the state."""


class BatchSpec(Struct, kw_only=True):
    """A batch as it is issued: all decks of one back colour that travel together."""

    id: str
    back: str
    design: str = ""


class DeviceSpec(Struct, kw_only=True):
    """A device of a table's equipment. `approval_ref`: the approval or internal-controls paper on which it stands."""

    id: str
    kind: DeviceKind
    approval_ref: str = ""
    reshuffles: bool = True
    counts: bool = False


class ProgressiveSpec(Struct, kw_only=True):
    """A progressive table game system (l): its approval, wagering devices, lock-out and written procedures."""

    approval_ref: str = ""
    position_devices: int = 0
    lock_out: bool = False
    procedures_ref: str = ""


class Config(Struct, kw_only=True):
    """What a table is set up as. A matter of notice (t) once it is open: it changes only while the table is closed."""

    number: str
    game: str
    seats: int
    decks: int = 0
    cards_per_deck: int = 0
    deal_mode: str = ""
    cut_mode: str = ""
    batches: tuple[BatchSpec, ...] = ()
    devices: tuple[DeviceSpec, ...] = ()
    drop_box: bool = True
    tip_box_side: Literal["dealer", "players"] = "dealer"
    rack_decks: int | None = None
    """Decks for whose stacked height the discard rack is made."""
    rack_mark_decks: int | None = None
    """Decks at whose exact height a taller rack bears its side mark."""
    shaker: str = ""
    """Id of the pai gow shaker, empty without one."""
    stack_size: int = 0
    internal_controls_ref: str = ""
    extra_positions: int = 0
    """Counted positions beyond the seats (A-46)."""
    rounds_by: Literal["", "counter", "steps"] = ""
    """How this table's rounds are recorded; empty: as the house says."""
    shaker_bears_name: bool = True
    shaker_opaque: bool = True
    progressive: ProgressiveSpec | None = None

    @property
    def stack_cards(self) -> int:
        """Cards of a full stack."""
        return self.decks * self.cards_per_deck


class Term(Struct, kw_only=True):
    """A matter of (t) as it is in force here: `item` "blackjack pays" of the matter "pay_table", its value, since when.

    `notice` is the number of the notice that brought it; empty where it was stated at the set-up.
    """

    matter: str
    item: str
    value: str
    since: datetime
    notice: str = ""


class TermSpec(Struct, kw_only=True):
    """What is said to be in force."""

    matter: str
    item: str
    value: str


class TermChange(Struct, kw_only=True):
    """One matter from → to. `was` empty: nothing was stated."""

    matter: str
    item: str
    was: str
    now: str


class Player(Struct, kw_only=True):
    """A seat that somebody sits in: an anonymous token, and the place in the order of arrival."""

    seat: int
    token: str
    order: int
    since: datetime


class Batch(Struct, kw_only=True):
    """A batch at the table. `progress` says what it has done while batches are handled one by one."""

    id: str
    back: str
    design: str = ""
    place: Literal["table", "device", "shoe", "rack"] = "table"
    progress: str = ""
    shuffled_at: datetime | None = None
    """When a shuffle of this batch was finished after its last load; None until then (K1)."""
    loaded_at: datetime | None = None
    cycles: int | None = None
    """Cycle counter of the shuffler when the batch went in (K3)."""
    good: Good | None = None
    """When these cards were last known good: an exposure window begins there."""


class CardSet(Struct, kw_only=True):
    """The decks issued to this table, and who answered for them."""

    id: str
    received_at: datetime
    preshuffled: bool = False
    seal: str = ""
    receipt: str = ""
    inspected_by: str = ""
    verified_by: str = ""
    verified_at: datetime | None = None
    handed_by: str = ""
    received_by: str = ""
    sampled_at: datetime | None = None


class Device(Struct, kw_only=True):
    """A device and whether it works. A failed one is covered or bears a sign before any other method is used."""

    id: str
    kind: DeviceKind
    approval_ref: str = ""
    reshuffles: bool = True
    counts: bool = False
    failed_at: datetime | None = None
    fault: str = ""
    covered_at: datetime | None = None
    signed_at: datetime | None = None
    fixed_at: datetime | None = None
    emptied_at: datetime | None = None
    repaired_at: datetime | None = None
    tested_at: datetime | None = None

    @property
    def failed(self) -> bool:
        return self.failed_at is not None

    @property
    def covered_or_signed(self) -> bool:
        return self.covered_at is not None or self.signed_at is not None


class DiceSet(Struct, kw_only=True):
    """Dice on the table. The clock runs from `placed_at` and stops only when they leave (A-18)."""

    id: str
    number: int
    placed_at: datetime
    shaker: str = ""
    responsible: str = ""
    due_at: datetime | None = None
    """When they must be gone; None when no clock runs for this kind of dice."""


class Hold(Struct, kw_only=True):
    """Blocks something until its act is recorded: `blocks` is "dealing", "other_method", "dice", "next_round",
    "collecting", "closing" or "everything"."""

    kind: str
    since: datetime
    blocks: str
    clause: str = ""
    detail: str = ""
    exposure: Exposure | None = None
    """Since when the cards that it is about may have been wrong, and for how many rounds."""


class Alert(Struct, kw_only=True):
    """Needs eyes and blocks nothing."""

    kind: str
    since: datetime
    clause: str = ""
    detail: str = ""


class Answer(Struct, kw_only=True):
    """What a player said to the offer of the cut."""

    seat: int
    token: str
    accepted: bool


class Cut(Struct, kw_only=True):
    """The cut of the stack that lies on the table. `order` is the rotation, frozen when the first was asked."""

    cause: str = "game_beginning"
    order: tuple[Player, ...] = ()
    answers: tuple[Answer, ...] = ()
    cutter: str = ""
    """Token of the cutter, "DEALER", or empty before the cut."""
    seat: int | None = None
    depth: int | None = None
    cover_depth: int | None = None
    fixed: bool = False
    """A recut named the one person who may cut (the last cutter)."""
    recuts: int = 0


class CoverOut(Struct, kw_only=True):
    """Where the cover card came out in the last round of play."""

    on: Literal["seat", "dealer", "nobody", "unknown"]
    seat: int | None = None
    token: str = ""
    round: int = 0


class Idle(Struct, kw_only=True):
    """Recorded as without gaming activity. The duty stands until the table is ready again (A-24)."""

    since: datetime
    before: str
    """The stage it was recorded at, for a withdrawal."""
    face_up_requested: bool = False
    reshuffle_requested: bool = False


class TableState(Struct, kw_only=True):
    """One table."""

    config: Config | None = None
    terms: tuple[Term, ...] = ()
    """What is in force in the matters of (t)."""
    stage: str = stages.CLOSED
    stage_since: datetime | None = None
    open: bool = False
    opened_at: datetime | None = None
    players: tuple[Player, ...] = ()
    arrivals: int = 0
    empty_since: datetime | None = None
    """Since when an open table has had no players (dead game)."""
    card_set: CardSet | None = None
    batches: tuple[Batch, ...] = ()
    next_batch: str = ""
    """The batch whose stack is being cut or is in the shoe."""
    last_batch: str = ""
    """The batch that was in play last, for the alternation (g)(3)."""
    devices: tuple[Device, ...] = ()
    dice: tuple[DiceSet, ...] = ()
    dice_gone: tuple[DiceSet, ...] = ()
    """The sets that left last: one put back without a new inspection keeps its first clock (A-18)."""
    dealer: str = ""
    holds: tuple[Hold, ...] = ()
    alerts: tuple[Alert, ...] = ()
    idle: Idle | None = None
    spread_face: str = ""
    unspread_batch: bool = False
    """The stack came out of the shuffler during an idle table and was not spread: a player may ask for it (PA (g)(2))."""
    shuffle_cause: str = "game_beginning"
    shuffle_pending: bool = False
    """A shuffle falls due when the round that is open is over."""
    cut: Cut = Cut()
    cover_out: CoverOut | None = None
    burned: bool = False
    dealt: bool = False
    """A card has been dealt from what is loaded now."""
    round: int = 0
    round_open: bool = False
    counted: Counted = Counted()
    button: Place | None = None
    shuffled_at: datetime | None = None
    shuffled_round: int = 0
    """When and at which round the cards were shuffled last."""
    facts: RoundFacts = RoundFacts()
    """The round that is open or about to open."""
    shaker_open: bool = False
    """The shaker was uncovered and not yet closed after the deal (c)(1)(iv)."""
    hand: str = ""
    """The hand that holds the deck at a hand deal."""
    irregularities: tuple[Irregularity, ...] = ()
    """Those whose ruling or steps are still open."""
    irregularities_seen: int = 0
    refill: Refill | None = None
    ceased: Ceased | None = None
    held_hands: tuple[int, ...] = ()
    """Seats whose winning hand stays until its documents are complete (m)."""
    faults: tuple[Fault, ...] = ()
    lights_out: tuple[int, ...] = ()
    """Seats whose side-wager light does not work (n)."""
    link_lost: bool = False
    """The progressive system cannot be reached: no progressive wager is taken."""
    bad_cards: tuple[BadCard, ...] = ()
    house_counted_round: int = 0
    """Round after which the house's own count was made last."""
    burn_due: str = ""
    """Clause under which a card is to be burned before anything else is dealt; "house" at a new dealer."""
    dealers: tuple[Stint, ...] = ()
    """The dealers of this table, the last ones."""

    @property
    def is_dead_game(self) -> bool:
        """Open for a card game, and nobody sits here. Where no cards are dealt, nobody's arrival is recorded."""
        return self.open and not self.players and self.config is not None and bool(self.config.deal_mode)

    def batch(self, id: str) -> Batch | None:
        return next((one for one in self.batches if one.id == id), None)

    def device(self, id: str) -> Device | None:
        return next((one for one in self.devices if one.id == id), None)

    def dice_set(self, id: str) -> DiceSet | None:
        return next((one for one in self.dice if one.id == id), None)

    def player_at(self, seat: int) -> Player | None:
        return next((one for one in self.players if one.seat == seat), None)

    @property
    def shuffler(self) -> Device | None:
        """The shuffling device of the table, None when it is shuffled by hand."""
        return next((one for one in self.devices if one.kind in SHUFFLERS), None)
