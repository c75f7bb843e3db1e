"""Where dealing starts by shaker or random number generator (NY (c)(1), (c)(2); readings A-12, A-46).

The dealer is position one; the count goes counter-clockwise over every position, wager or not, until it matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from tables.domain.ring import DEALER, Place
from tables.domain.wrong import Wrong, is_whole, whole_in

RngRange = Literal["positions_and_dealer", "positions"]
MOST_POSITIONS = 99
"""A typing slip in a layout is caught here; no table has more."""


class Start(msgspec.Struct, frozen=True, kw_only=True):
    position: Place
    total: int | None = None
    """The total of the dice, when dice were told."""


def position_of(count: int, *, positions: int) -> Place:
    """The place reached when `count` is counted counter-clockwise from the dealer (one) over `positions` seats."""
    steps = (count - 1) % (positions + 1)
    return DEALER if steps == 0 else positions + 1 - steps


def by_shaker(
    *,
    positions: object,
    dice: Sequence[object] | None = None,
    total: object = None,
    announced: object = None,
    shakes: object = None,
    shakes_needed: int = 3,
    dice_needed: int = 3,
) -> Start | Wrong:
    """The start by dice, or by an attested total when no dice are told.

    Codes: OUT_OF_RANGE (positions), AT_LEAST_THREE_SHAKES, THREE_DICE_REQUIRED, DIE_FACE_OUT_OF_RANGE, NOT_AN_INTEGER,
    TOTAL_OUT_OF_RANGE, ANNOUNCED_TOTAL_MISMATCH. None for `shakes` or `announced`: not told, not checked.
    """
    if wrong := whole_in(positions, low=1, high=MOST_POSITIONS):
        return wrong
    assert is_whole(positions)
    if shakes is not None and (wrong := _wrong_shakes(shakes, shakes_needed)):
        return wrong
    found = _total(dice, total, dice_needed)
    if isinstance(found, Wrong):
        return found
    if announced is not None and announced != found:
        return _mismatch(found, announced, positions)
    told = found if dice is not None else None
    return Start(position=position_of(found, positions=positions), total=told)


def by_generator(
    number: object,
    *,
    positions: object,
    reading: RngRange = "positions_and_dealer",
    device_max: object = None,
) -> Start | Wrong:
    """The start by the number that the generator shows. A-12: 1…positions + 1, the dealer being a position.

    `device_max`: the highest number the device itself can show, when known. Codes: OUT_OF_RANGE (positions),
    NOT_AN_INTEGER, NUMBER_OUT_OF_RANGE.
    """
    if wrong := whole_in(positions, low=1, high=MOST_POSITIONS):
        return wrong
    assert is_whole(positions)
    high = positions + 1 if reading == "positions_and_dealer" else positions
    if is_whole(device_max):
        high = min(high, device_max)
    if wrong := whole_in(number, low=1, high=high, code="NUMBER_OUT_OF_RANGE"):
        return wrong
    assert is_whole(number)
    return Start(position=position_of(number, positions=positions))


def _wrong_shakes(shakes: object, needed: int) -> Wrong | None:
    if not is_whole(shakes):
        return Wrong(code="NOT_AN_INTEGER")
    if shakes < needed:
        return Wrong(code="AT_LEAST_THREE_SHAKES", figures={"min": needed})
    return None


def _total(dice: Sequence[object] | None, total: object, needed: int) -> int | Wrong:
    if dice is not None:
        return total_of(dice, needed=needed)
    if wrong := whole_in(total, low=needed, high=6 * needed, code="TOTAL_OUT_OF_RANGE"):
        return wrong
    assert is_whole(total)
    return total


def total_of(dice: Sequence[object], *, needed: int = 3) -> int | Wrong:
    """The sum of the dice: exactly `needed` of them, each 1 to 6."""
    if not isinstance(dice, (list, tuple)) or len(dice) != needed:
        return Wrong(code="THREE_DICE_REQUIRED")
    faces = [one for one in dice if is_whole(one)]
    if len(faces) != needed:
        return Wrong(code="NOT_AN_INTEGER")
    if any(not 1 <= one <= 6 for one in faces):
        return Wrong(code="DIE_FACE_OUT_OF_RANGE")
    return sum(faces)


def _mismatch(total: int, announced: object, positions: int) -> Wrong:
    """The announced total is not the dice's. It is a ruling only if a card has gone to the wrong place (A-21)."""
    true = position_of(total, positions=positions)
    figures: dict[str, object] = {"total": total, "true_position": true}
    if is_whole(announced):
        called = position_of(announced, positions=positions)
        if called != true:
            figures["called_position"] = called
    return Wrong(code="ANNOUNCED_TOTAL_MISMATCH", figures=figures)
