"""What a calculator answers when the numbers or names it was given cannot be lawful.

A value, not an exception: the decider turns it into a refusal with the clause of its pack, the conformance run
compares its code. Nothing here knows a jurisdiction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

import msgspec


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """A code of section 5 and the figures that explain it (`min_stack`, `cards_below`, …)."""

    code: str
    figures: Mapping[str, Any] = {}


def is_whole(value: object) -> TypeGuard[int]:
    """A whole number. A bool is a yes or no, not a number of cards; 14.0 was never counted by a person."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole_in(value: object, *, low: int, high: int, code: str = "OUT_OF_RANGE") -> Wrong | None:
    """NOT_AN_INTEGER, or `code` when the whole number lies outside low…high (both ends lawful)."""
    if not is_whole(value):
        return Wrong(code="NOT_AN_INTEGER")
    if not low <= value <= high:
        return Wrong(code=code)
    return None
