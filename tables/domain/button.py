"""Winner's Pot Poker from an automated shoe: button, delivery order, the count (NJ (c), (d), (f), (g); A-16, A-17, A-45)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from tables.domain.ring import DEALER, Place, clockwise_after
from tables.domain.wrong import Wrong, is_whole

FirstStack = Literal["button", "far_left"]
"""A-16: after the button every round, or at the far left every round."""


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the deck. Rounds are numbered from 1 since the game began; 0 is the beginning."""

    last_verified: int = 0
    remove: bool = False
    """A wrong number was found: the deck is off the table until another is inspected."""


def first_button() -> Place:
    """(c) s1: in front of the dealer."""
    return DEALER


def next_button(button: Place, *, occupied: Sequence[int]) -> Place:
    """(c) s2: clockwise to the next player, or to the dealer after the far-right one; empty seats are passed over."""
    return clockwise_after(button, occupied)[0]


def delivery_order(
    button: Place, *, wagering: Sequence[int], first_stack: FirstStack = "button"
) -> tuple[Place, ...]:
    """(c) s3, (d): the stacks go clockwise to each player with an ante and to the dealer.

    The button rests on occupied seats, the deal passes over those without an ante (A-16).
    """
    return clockwise_after(button if first_stack == "button" else DEALER, wagering)


def count_due_by(counted: Counted, *, every: int) -> int:
    """The round by whose end the next count is due (sliding, A-17)."""
    return counted.last_verified + every


def is_count_due(counted: Counted, *, after_round: int, every: int) -> bool:
    """Round `after_round` is over: must the deck be counted before the next one?"""
    return after_round >= count_due_by(counted, every=every)


def may_start(counted: Counted, *, round_number: int, every: int | None) -> Wrong | None:
    """The guard of a round. Codes: DECK_MUST_BE_REMOVED, COUNT_OVERDUE. `every` None: this place asks no count."""
    if counted.remove:
        return Wrong(code="DECK_MUST_BE_REMOVED")
    if every is not None and round_number > count_due_by(counted, every=every):
        return Wrong(
            code="COUNT_OVERDUE",
            figures={"next_count_due_by_end_of_round": count_due_by(counted, every=every)},
        )
    return None


def counted_by_hand(counted: Counted, *, cards: object, expected: int, after_round: int) -> Counted | Wrong:
    """(f): the dealer counts. A wrong number has the consequence of (g) s2 (A-45).

    Codes: NOT_AN_INTEGER, COUNT_OUT_OF_RANGE (below none, or more than two decks can be).
    """
    if not is_whole(cards):
        return Wrong(code="NOT_AN_INTEGER")
    if not 0 <= cards <= 2 * expected:
        return Wrong(code="COUNT_OUT_OF_RANGE")
    if cards != expected:
        return msgspec.structs.replace(counted, remove=True)
    return msgspec.structs.replace(counted, last_verified=max(counted.last_verified, after_round))


def counted_by_device(counted: Counted, *, good: bool, before_round: int) -> Counted:
    """(g): the reading at the shuffle before round n verifies up to n − 1; a wrong one takes the deck off the table."""
    if not good:
        return msgspec.structs.replace(counted, remove=True)
    return msgspec.structs.replace(counted, last_verified=max(counted.last_verified, before_round - 1))


def deck_replaced(*, after_round: int) -> Counted:
    """(g) s2: the replacement was inspected, and so is verified up to the round just played."""
    return Counted(last_verified=after_round)
