"""The ring of places round a table: DEALER, 1, 2, …, S and the dealer again.

Seat 1 is at the dealer's far left, numbers rise clockwise as seen from above, seat S is at the dealer's far right.
Clockwise is +1, counter-clockwise is −1 (NY (b)(9) and NJ (c) are both true only with this numbering, A-01).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from tables.domain.wrong import Wrong, is_whole

DEALER: Literal["DEALER"] = "DEALER"
Place = int | Literal["DEALER"]


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A seat and the anonymous token of the player in it. One player may sit in several seats."""

    seat: int
    player: str


def wrong_seats(occupied: Sequence[Seated], *, seats: int) -> Wrong | None:
    """SEAT_OUT_OF_RANGE for a seat that the layout has not, SEAT_TAKEN_TWICE for one named twice."""
    return wrong_numbers([one.seat for one in occupied], seats=seats)


def wrong_numbers(numbers: Sequence[object], *, seats: object) -> Wrong | None:
    """The same for bare seat numbers."""
    if not is_whole(seats) or seats < 1:
        return Wrong(code="SEAT_OUT_OF_RANGE")
    if any(not is_whole(one) or not 1 <= one <= seats for one in numbers):
        return Wrong(code="SEAT_OUT_OF_RANGE")
    if len(set(numbers)) != len(numbers):
        return Wrong(code="SEAT_TAKEN_TWICE")
    return None


def round_from(start: int, numbers: Sequence[int], *, step: int) -> tuple[int, ...]:
    """Occupied seats in the order in which they are met from `start`, `start` itself first if it is occupied.

    `step` is +1 (clockwise) or −1. Going past the dealer the ring begins again at the other end.
    """
    ahead = sorted(numbers) if step > 0 else sorted(numbers, reverse=True)
    first = [one for one in ahead if (one - start) * step >= 0]
    return (*first, *(one for one in ahead if (one - start) * step < 0))


def round_after(start: int, numbers: Sequence[int], *, step: int) -> tuple[int, ...]:
    """The same, but `start` itself comes last: it has had its turn or its player is gone."""
    met = round_from(start, numbers, step=step)
    return (*met[1:], met[0]) if met and met[0] == start else met


def clockwise_after(place: Place, numbers: Sequence[int]) -> tuple[Place, ...]:
    """All of `numbers` and the DEALER, clockwise, beginning with the place right after `place`."""
    left = 0 if place == DEALER else place
    above: list[Place] = [one for one in sorted(numbers) if one > left]
    below: list[Place] = [one for one in sorted(numbers) if one <= left]
    return (*above, DEALER, *below)
