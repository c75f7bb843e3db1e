"""The ring of seats as a picture: seen from the pit, the dealer below, seat 1 at the dealer's far left.

So the dealer and the floorperson behind him see it: numbers rise clockwise, the last seat is at the dealer's far right,
and an offer that turns clockwise runs clockwise on the screen. Plain geometry in the units of the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin

import msgspec

WIDTH, HEIGHT = 480, 344
CENTRE = (240.0, 222.0)
SEATS = (172.0, 150.0)
"""Half axes of the ellipse on which the seats sit."""
TURN = (222.0, 186.0)
"""Half axes of the ellipse on which the turn of the offer is drawn, outside the seats."""
BELOW = 112.0
"""Its half axis behind the dealer, where there is less room."""
FIRST, LAST = 184.0, -4.0
"""Degrees of the far left and the far right seat; 90 is straight away from the dealer."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in the picture. `signs` are its classes: taken, asked, refused, cover."""

    number: int
    x: float
    y: float
    word: str = ""
    signs: tuple[str, ...] = ()

    @property
    def word_x(self) -> float:
        """Where its word stands: on the felt, towards the middle of the table."""
        return round(self.x + self._inward[0], 1)

    @property
    def word_y(self) -> float:
        return round(self.y + self._inward[1], 1)

    @property
    def _inward(self) -> tuple[float, float]:
        across, along = CENTRE[0] - self.x, CENTRE[1] - self.y
        length = hypot(across, along) or 1
        return 48 * across / length, 40 * along / length + 4

    @property
    def says(self) -> str:
        """The seat in words, for who cannot see the picture."""
        told = self.word or ("taken" if "taken" in self.signs else "empty")
        return f"Seat {self.number}, {told}"


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """An arrow along the ring: the path and its tip, as SVG writes them."""

    path: str
    tip: str


def angle(seat: int, seats: int) -> float:
    """Degrees of a seat; one seat alone sits straight across."""
    return 90.0 if seats < 2 else FIRST + (LAST - FIRST) * (seat - 1) / (seats - 1)


def at(degrees: float, axes: tuple[float, float]) -> tuple[float, float]:
    """The point at that angle; y grows downwards."""
    turn = degrees * pi / 180
    return round(CENTRE[0] + axes[0] * cos(turn), 1), round(CENTRE[1] - axes[1] * sin(turn), 1)


WIDEST = 25.0
"""Radius of a seat where there is room."""


def radius(seats: int) -> float:
    """How large a seat may be drawn so that neighbours do not touch: sixteen places of a craps table are smaller."""
    sit = places(seats)
    apart = min((hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise(sit)), default=2 * WIDEST + 2)
    return round(min(WIDEST, apart / 2 - 1), 1)


def places(seats: int) -> tuple[tuple[float, float], ...]:
    """Where each seat sits, seat 1 first."""
    return tuple(at(angle(seat, seats), SEATS) for seat in range(1, seats + 1))


def turn(start: int | None, end: int | None, *, seats: int, clockwise: bool) -> Turn | None:
    """The way from one seat to another in that direction; None stands for the dealer, who sits straight below."""
    if start == end:
        return None
    first, last = _degrees(start, seats), _degrees(end, seats)
    swept = (first - last) % 360 if clockwise else (last - first) % 360
    sign = -1 if clockwise else 1
    first, swept = first + sign * GAP, swept - 2 * GAP
    points = [_outside(first + sign * swept * part / STEPS) for part in range(STEPS + 1)]
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    return Turn(path=path, tip=_tip(first + sign * swept, sign))


GAP = 9
STEPS = 36


def _degrees(seat: int | None, seats: int) -> float:
    return 270.0 if seat is None else angle(seat, seats)


def _outside(degrees: float, wider: float = 0) -> tuple[float, float]:
    below = sin(degrees * pi / 180) < 0
    return at(degrees, (TURN[0] + wider, (BELOW if below else TURN[1]) + wider))


def _tip(degrees: float, sign: int) -> str:
    x, y = _outside(degrees)
    (ax, ay), (bx, by) = (_outside(degrees - sign * 3.4, reach) for reach in (9, -9))
    return f"M{ax} {ay}L{x} {y}L{bx} {by}"


def felt() -> str:
    """The outline of the table: flat towards the dealer."""
    left, right = CENTRE[0] - 158, CENTRE[0] + 158
    top = CENTRE[1] + 28
    return f"M{left} {top}V{CENTRE[1] - 14}A158 128 0 0 1 {right} {CENTRE[1] - 14}V{top}Z"


def spots(seats: int, *, words: Sequence[str], signs: Sequence[tuple[str, ...]]) -> tuple[Spot, ...]:
    """The seats with what is to be said of each, seat 1 first."""
    found = zip(places(seats), words, signs, strict=True)
    return tuple(
        Spot(number=number, x=x, y=y, word=word, signs=signed)
        for number, ((x, y), word, signed) in enumerate(found, start=1)
    )
