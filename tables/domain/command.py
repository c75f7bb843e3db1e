"""The base of all commands, and the numbers that may stand in one."""

from __future__ import annotations

from typing import Annotated

import msgspec

MOST = 1_000_000_000
"""No number of a pit is larger: what lies beyond is malformed. Checks say what may stand within."""
Whole = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
Number = (
    Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)] | Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)] | None
)
"""A depth or a count as it was told: a number that is not whole gets its own code, so it may come in."""
Seat = Whole
"""1…S; the checks say whether the table has it."""


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all commands; the tag is the class name."""
