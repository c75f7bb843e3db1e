"""What happened in a round of play: its start, its wagers, its hands, its irregularities. Past tense, for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tables.domain.event import Event, Staged
from tables.domain.integrity import Exposure
from tables.domain.ring import Place


class StartFound(Event, frozen=True, tag=True, kw_only=True):
    """`by` "shaker" with dice and total, or "rng" with the number shown."""

    by: str
    position: Place
    total: int | None = None
    dice: tuple[int, ...] = ()
    shakes: int | None = None
    number: int | None = None
    device: str = ""


class StartMarked(Event, frozen=True, tag=True, kw_only=True):
    position: Place


class ShakerClosed(Event, frozen=True, tag=True, kw_only=True):
    pass


class NoMoreBetsAnnounced(Event, frozen=True, tag=True, kw_only=True):
    pass


class ProgressiveLockedOut(Event, frozen=True, tag=True, kw_only=True):
    device: str = ""


class WagersAccepted(Event, frozen=True, tag=True, kw_only=True):
    accepted: int
    device: str = ""


class ChipsVerified(Event, frozen=True, tag=True, kw_only=True):
    chips: int
    accepted: int


class ChipsPlacedInTray(Event, frozen=True, tag=True, kw_only=True):
    chips: int


class StubDiscarded(Event, frozen=True, tag=True, kw_only=True):
    pass


class RestTakenInHand(Event, frozen=True, tag=True, kw_only=True):
    pass


class HandChanged(Event, frozen=True, tag=True, kw_only=True):
    """Between rounds the deck went to the other hand."""

    hand: str


class RoundVoided(Staged, frozen=True, tag=True, kw_only=True):
    round: int


class RoundContinued(Staged, frozen=True, tag=True, kw_only=True):
    round: int


class WagersSettled(Staged, frozen=True, tag=True, kw_only=True):
    """In the presence of `supervisor`; from now on all gaming ceases until `device` is fixed. `before`: the stage then."""

    irregularity: int
    device: str
    supervisor: str
    before: str


class GamingResumed(Staged, frozen=True, tag=True, kw_only=True):
    device: str


class HandCollected(Event, frozen=True, tag=True, kw_only=True):
    seat: int
    bonus: bool = False


class HandHeld(Event, frozen=True, tag=True, kw_only=True):
    seat: int


class PayoutDocumented(Event, frozen=True, tag=True, kw_only=True):
    seat: int
    reference: str


class SideWagerTaken(Event, frozen=True, tag=True, kw_only=True):
    seat: int
    progressive: bool = False


class VerbalWagerTaken(Event, frozen=True, tag=True, kw_only=True):
    seat: int | None = None


class IrregularityRecorded(Staged, frozen=True, tag=True, kw_only=True):
    """What happened, the clauses it falls under, and what they state; None in `consequences` is their silence.

    `needs`: what is still to be recorded. `void`, `shuffle_pending`, `refill`, `no_roll`, `burn`: what follows at once.
    """

    id: int
    kind: str
    words: str
    facts: Mapping[str, Any] = {}
    clauses: tuple[str, ...] = ()
    consequences: Mapping[str, Any] = {}
    defaults: Mapping[str, bool] = {}
    steps: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    seat: int | None = None
    device: str = ""
    void: str = ""
    reshuffle: bool = False
    shuffle_pending: bool = False
    refill: bool = False
    refill_cards: int | None = None
    no_roll: bool = False
    burn: str = ""
    """Clause under which a card is burned before anything else is dealt."""
    face_up: int = 0
    exposure: Exposure | None = None


class RulingRecorded(Staged, frozen=True, tag=True, kw_only=True):
    """The decision of a supervisor; where the text states it, it says what the text says."""

    irregularity: int
    kind: str
    wagers: str = ""
    reshuffle: bool = False
    shuffle_pending: bool = False
    void: str = ""
    instruction: str = ""
    needs: tuple[str, ...] = ()
    """What is still open after it."""


class PlayerChose(Event, frozen=True, tag=True, kw_only=True):
    irregularity: int
    seat: int | None
    choice: str


EVENTS: tuple[type[Event], ...] = (
    StartFound,
    StartMarked,
    ShakerClosed,
    NoMoreBetsAnnounced,
    ProgressiveLockedOut,
    WagersAccepted,
    ChipsVerified,
    ChipsPlacedInTray,
    StubDiscarded,
    RestTakenInHand,
    HandChanged,
    RoundVoided,
    RoundContinued,
    WagersSettled,
    GamingResumed,
    HandCollected,
    HandHeld,
    PayoutDocumented,
    SideWagerTaken,
    VerbalWagerTaken,
    IrregularityRecorded,
    RulingRecorded,
    PlayerChose,
)
