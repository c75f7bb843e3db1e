"""Who is offered the cut, in which order, and who cuts (NY (b)(5), (b)(7); PA (b), (c); readings A-03 to A-08).

Everything a place decides differently comes in as a `CutRule`; nothing here asks for the jurisdiction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import msgspec

from tables.domain.ring import DEALER, Place, Seated, round_after, round_from, wrong_seats
from tables.domain.wrong import Wrong, is_whole

Cause = Literal[
    "game_beginning",
    "cover_card_player",
    "cover_card_dealer",
    "discretion",
    "irregularity",
    "cover_card_no_hand",
]
FAR_RIGHT = frozenset({"cover_card_dealer", "discretion", "irregularity", "cover_card_no_hand"})
"""Causes that designate the far-right player; the last two by reading A-08."""
NO_PLAYERS = "NO_PLAYERS_TABLE_SHOULD_GO_IDLE"


class CutRule(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a pack for offering the cut."""

    step: int
    """+1: a refusal moves the offer clockwise; −1: counter-clockwise."""
    clauses: Mapping[str, str]
    """cause → clause id; a cause that is not a key is unknown here."""
    rotates: Mapping[str, bool] = {}
    """cause → does a refusal rotate at all; absent is yes (A-03: PA states none for two of its cases)."""
    departed: Literal["next_in_rotation", "far_right"] = "next_in_rotation"
    """Where the offer begins when the cover-card spot has no player of last round (A-04)."""


class CutOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The order of offering: each player once, by the seat at which the player is asked."""

    designated: str | None
    order: tuple[Seated, ...]
    clause: str
    vacant: bool = False
    """Nobody sits at the table: there is no cut to offer but a duty to spread (A-06)."""

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(one.seat for one in self.order)


class CutOffers(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the order: the seats asked, and who cut (a player's token or DEALER)."""

    offers: tuple[int, ...]
    cutter: str
    cutter_seat: int | None
    flag: str | None = None


def order(
    *,
    rule: CutRule | None,
    seats: int,
    occupied: Sequence[Seated],
    cause: str,
    arrivals: Sequence[str] | None = None,
    cover_seat: object = None,
    cover_player: str | None = None,
) -> CutOrder | Wrong:
    """The order of offering, or what is wrong with the question.

    Codes, in this order: NOT_GOVERNED_BY_RULE (no rule), SEAT_OUT_OF_RANGE, SEAT_TAKEN_TWICE, UNKNOWN_CAUSE,
    ARRIVAL_ORDER_REQUIRED, COVER_SEAT_OUT_OF_RANGE.
    """
    if rule is None:
        return Wrong(code="NOT_GOVERNED_BY_RULE")
    if wrong := wrong_seats(occupied, seats=seats):
        return wrong
    if cause not in rule.clauses:
        return Wrong(code="UNKNOWN_CAUSE")
    found = _begin(rule, seats, occupied, cause, arrivals, cover_seat, cover_player)
    if isinstance(found, Wrong):
        return found
    designated, met, rotates = found
    asked = _each_player_once(met, occupied)
    if not rotates:
        asked = asked[:1] if designated is not None else ()
    return CutOrder(designated=designated, order=asked, clause=rule.clauses[cause], vacant=not occupied)


def offers(made: CutOrder, *, refuses: Collection[str] | Literal["ALL"]) -> CutOffers:
    """Walk the order: the first who does not refuse cuts; when nobody is left the dealer does ((b)(7), PA (b))."""
    asked: list[int] = []
    for one in made.order:
        asked.append(one.seat)
        if refuses != "ALL" and one.player not in refuses:
            return CutOffers(offers=tuple(asked), cutter=one.player, cutter_seat=one.seat)
    flag = NO_PLAYERS if made.vacant else None
    return CutOffers(offers=tuple(asked), cutter=DEALER, cutter_seat=None, flag=flag)


def next_offer(asked: Sequence[Seated], *, refused: Collection[str]) -> Seated | None:
    """Who is to be asked now, given those who have refused; None: the dealer may cut."""
    return next((one for one in asked if one.player not in refused), None)


class Recut(msgspec.Struct, frozen=True, kw_only=True):
    """Who cuts again. `continue_with`: the seats asked next if this one refuses; then the dealer."""

    cutter: str
    seat: int | None
    continue_with: tuple[int, ...] = ()
    fixed: bool = False
    """True when the option names the person (last cutter), so that no rotation follows from it."""


RECUT_OPTIONS = ("last_cutter", "next_entitled")


def recut(asked: Sequence[Seated], *, cutter: str, option: object) -> Recut | Wrong:
    """NY (b)(8) s2, PA (e) s2 by reading A-13.

    `last_cutter`: the same person, the dealer if the dealer cut. `next_entitled`: the next in the same rotation after
    the last cutter, never back to those who refused; when none is left, the dealer.
    """
    if option not in RECUT_OPTIONS:
        return Wrong(code="RECUT_OPTION_REQUIRED")
    places = [one.player for one in asked]
    at = places.index(cutter) if cutter in places else len(places)
    if option == "last_cutter":
        return Recut(cutter=cutter, seat=asked[at].seat if at < len(places) else None, fixed=True)
    after = asked[at + 1 :]
    if not after:
        return Recut(cutter=DEALER, seat=None)
    return Recut(
        cutter=after[0].player, seat=after[0].seat, continue_with=tuple(one.seat for one in after[1:])
    )


def pickup_order(occupied: Sequence[int]) -> tuple[Place, ...]:
    """NY (b)(9) s2: the dealer's card, then from the far right counter-clockwise."""
    return (DEALER, *sorted(occupied, reverse=True))


_Begin = tuple[str | None, tuple[int, ...], bool]
"""designated player, seats in the order met, does a refusal rotate"""


def _begin(
    rule: CutRule,
    seats: int,
    occupied: Sequence[Seated],
    cause: str,
    arrivals: Sequence[str] | None,
    cover_seat: object,
    cover_player: str | None,
) -> _Begin | Wrong:
    """Where the offer begins, and the seats in the order in which they are met from there."""
    numbers = [one.seat for one in occupied]
    rotates = rule.rotates.get(cause, True)
    if cause in FAR_RIGHT:
        return _from_far_right(rule, occupied, rotates)
    if cause == "game_beginning":
        first = _first_arrival(occupied, arrivals)
        if isinstance(first, Wrong):
            return first
        if first is None:
            return None, (), rotates
        return first, round_from(_seat_of(first, occupied), numbers, step=rule.step), rotates
    if not is_whole(cover_seat) or not 1 <= cover_seat <= seats:
        return Wrong(code="COVER_SEAT_OUT_OF_RANGE")
    return _from_cover_spot(rule, occupied, cover_seat, cover_player, rotates)


def _from_far_right(rule: CutRule, occupied: Sequence[Seated], rotates: bool) -> _Begin:
    if not occupied:
        return None, (), rotates
    last = max(occupied, key=lambda one: one.seat)
    return last.player, round_from(last.seat, [one.seat for one in occupied], step=rule.step), rotates


def _first_arrival(occupied: Sequence[Seated], arrivals: Sequence[str] | None) -> str | Wrong | None:
    """A-07: the earliest arrival still seated. Nobody seated: nobody is first (A-06)."""
    if not occupied:
        return None
    here = {one.player for one in occupied}
    first = next((one for one in arrivals or () if one in here), None)
    return first if first is not None else Wrong(code="ARRIVAL_ORDER_REQUIRED")


def _from_cover_spot(
    rule: CutRule, occupied: Sequence[Seated], spot: int, player: str | None, rotates: bool
) -> _Begin:
    """A-05: the right follows the player; A-04: gone or never there, the next in rotation, the spot itself last."""
    numbers = [one.seat for one in occupied]
    if player is not None and any(one.player == player for one in occupied):
        still = any(one.seat == spot and one.player == player for one in occupied)
        start = spot if still else _seat_of(player, occupied)
        return player, round_from(start, numbers, step=rule.step), rotates
    if rule.departed == "far_right":
        _, met, _ = _from_far_right(rule, occupied, True)
        return None, met, True
    return None, round_after(spot, numbers, step=rule.step), rotates


def _seat_of(player: str, occupied: Sequence[Seated]) -> int:
    return min(one.seat for one in occupied if one.player == player)


def _each_player_once(met: Sequence[int], occupied: Sequence[Seated]) -> tuple[Seated, ...]:
    """A-05: the text asks players, not seats; each is asked at the first of their seats that is met."""
    by_seat = {one.seat: one for one in occupied}
    asked: dict[str, Seated] = {}
    for seat in met:
        asked.setdefault(by_seat[seat].player, by_seat[seat])
    return tuple(asked.values())
