"""What may be asked of a table about one round of play: where it starts, its wagers, its hands, its irregularities."""

from __future__ import annotations

from typing import Any

from tables.domain.command import Command, Number, Seat, Whole


class RecordDice(Command, frozen=True, tag=True, kw_only=True):
    """The shaker was shaken so many times, uncovered, and the total announced: the round's starting position.

    The faces are told as `dice`, or one by one as a form asks them.
    """

    dice: tuple[Whole, ...] = ()
    die_1: Whole | None = None
    die_2: Whole | None = None
    die_3: Whole | None = None
    announced: Number = None
    shakes: Number = 3


class RecordRngNumber(Command, frozen=True, tag=True, kw_only=True):
    """The generator shows this number, and the dealer has said it aloud: the round's starting position."""

    number: Number
    device: str = ""


class MarkStart(Command, frozen=True, tag=True, kw_only=True):
    """The starting position was marked with a cover card or the like."""


class CloseShaker(Command, frozen=True, tag=True, kw_only=True):
    """After the deal: the shaker is covered, was shaken once and stands to the dealer's right."""


class AnnounceNoMoreBets(Command, frozen=True, tag=True, kw_only=True):
    """ "No more bets" was said."""


class RecordLockOut(Command, frozen=True, tag=True, kw_only=True):
    """The lock-out of the progressive system was pressed."""

    device: str = ""


class RecordAcceptedWagers(Command, frozen=True, tag=True, kw_only=True):
    """So many progressive wagers were accepted by the system."""

    accepted: Whole
    device: str = ""


class VerifyChips(Command, frozen=True, tag=True, kw_only=True):
    """So many chips lie on the layout in front of the tray. `accepted`: what the system shows, where it was not yet told."""

    chips: Whole
    accepted: Whole | None = None


class PlaceChipsInTray(Command, frozen=True, tag=True, kw_only=True):
    """The verified chips are in the tray."""


class DiscardStub(Command, frozen=True, tag=True, kw_only=True):
    """The stub is in the discard rack, unexposed."""


class TakeRestInHand(Command, frozen=True, tag=True, kw_only=True):
    """After the stacks: the rest of the cards is out of the automated shoe, further cards are dealt from the hand."""


class VoidRound(Command, frozen=True, tag=True, kw_only=True):
    """The round, or all its hands, were called void under the irregularity recorded before."""


class ContinueRound(Command, frozen=True, tag=True, kw_only=True):
    """Dealing of the same round goes on from the shoe that was filled again."""


class SettleWagers(Command, frozen=True, tag=True, kw_only=True):
    """In a supervisor's presence all losing wagers were collected and all winning ones paid; gaming then ceases."""

    irregularity: Whole


class CollectHand(Command, frozen=True, tag=True, kw_only=True):
    """This player's wagers are settled and the hand is in the discard rack. `bonus`: a bonus wager was placed."""

    seat: Seat
    bonus: bool = False


class HoldHand(Command, frozen=True, tag=True, kw_only=True):
    """This hand won a progressive payout that the tray cannot pay: it stays on the table."""

    seat: Seat


class RecordPayoutDocuments(Command, frozen=True, tag=True, kw_only=True):
    """The documents of that payout are complete."""

    seat: Seat
    reference: str


class TakeSideWager(Command, frozen=True, tag=True, kw_only=True):
    """A side wager is taken at that seat. `underlying`: the wager on the game itself stands."""

    seat: Seat
    underlying: bool = False
    progressive: bool = False


class TakeVerbalWager(Command, frozen=True, tag=True, kw_only=True):
    """A spoken wager with cash is taken."""

    seat: Seat | None = None


class RecordIrregularity(Command, frozen=True, tag=True, kw_only=True):
    """Something happened that the text rules on. `kind`: one of `irregular.choices`; `facts`: what it asks."""

    kind: str
    facts: dict[str, Any] = {}


class RecordRuling(Command, frozen=True, tag=True, kw_only=True):
    """The supervisor's decision on an irregularity. `wagers`: "returned" or "stand"; needed only where the text is silent.

    `round`: "void" or "stands", where no clause says it. `instruction`: what the dealer was told to do.
    """

    irregularity: Whole
    wagers: str = ""
    reshuffle: bool | None = None
    round: str = ""
    instruction: str = ""


class RecordPlayerChoice(Command, frozen=True, tag=True, kw_only=True):
    """A player whose card was exposed plays the hand out or has it void. `looked`: after a look at the other cards."""

    irregularity: Whole
    choice: str
    looked: bool = False


COMMANDS: tuple[type[Command], ...] = (
    RecordDice,
    RecordRngNumber,
    MarkStart,
    CloseShaker,
    AnnounceNoMoreBets,
    RecordLockOut,
    RecordAcceptedWagers,
    VerifyChips,
    PlaceChipsInTray,
    DiscardStub,
    TakeRestInHand,
    VoidRound,
    ContinueRound,
    SettleWagers,
    CollectHand,
    HoldHand,
    RecordPayoutDocuments,
    TakeSideWager,
    TakeVerbalWager,
    RecordIrregularity,
    RecordRuling,
    RecordPlayerChoice,
)
