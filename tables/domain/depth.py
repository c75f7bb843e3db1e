"""How deep a cut and a cover card may lie, in whole cards (NY (b)(5)–(7), PA (d); readings A-10, A-11, A-31, A-44).

Nobody counts cards while cutting: a depth is told by a person or not at all (A-39). These check a number that was told.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tables.domain.wrong import Wrong, is_whole, whole_in

CoverRule = Literal["one_deck", "quarter"]


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """A lawful cut: cards below the cover card, and cards above it that go to the back."""

    cards_below: int
    moved_to_back: int


class OneHandCut(msgspec.Struct, frozen=True, kw_only=True):
    """A lawful one-handed cut by the dealer. `warning` when few cards remain, which no text forbids (A-10)."""

    remaining: int
    warning: str | None = None


class Cover(msgspec.Struct, frozen=True, kw_only=True):
    """A lawful cover card: the least that must lie behind it, and the cards in front of it."""

    min_behind: int
    cards_in_front: int


def player_cut(above: object, *, total: object, minimum: int | None) -> Cut | Wrong:
    """`above` cards lie on top of the cutter's cover card in a stack of `total`; both ends need `minimum` (A-31).

    Codes: NOT_GOVERNED_BY_RULE, NOT_AN_INTEGER, OUT_OF_RANGE, STACK_TOO_SMALL_FOR_ANY_CUT, TOO_CLOSE_TO_TOP,
    TOO_CLOSE_TO_BOTTOM.
    """
    if minimum is None:
        return Wrong(code="NOT_GOVERNED_BY_RULE")
    if not is_whole(above) or not is_whole(total):
        return Wrong(code="NOT_AN_INTEGER")
    if wrong := whole_in(above, low=0, high=total):
        return wrong
    if total < 2 * minimum:
        return Wrong(code="STACK_TOO_SMALL_FOR_ANY_CUT", figures={"min_stack": 2 * minimum})
    below = total - above
    if above < minimum:
        return Wrong(code="TOO_CLOSE_TO_TOP", figures={"cards_below": below})
    if below < minimum:
        return Wrong(code="TOO_CLOSE_TO_BOTTOM", figures={"cards_below": below})
    return Cut(cards_below=below, moved_to_back=above)


def one_hand_cut(taken: object, *, total: object, minimum: int | None) -> OneHandCut | Wrong:
    """The dealer takes `taken` cards off the top with one hand and lays the rest on them (NY (b)(7)(i)–(iii)).

    Codes: NOT_GOVERNED_BY_RULE, NOT_AN_INTEGER, OUT_OF_RANGE, TOO_FEW_FROM_TOP, NO_CARDS_REMAIN_TO_PLACE_ON_TOP.
    """
    if minimum is None:
        return Wrong(code="NOT_GOVERNED_BY_RULE")
    if not is_whole(taken) or not is_whole(total):
        return Wrong(code="NOT_AN_INTEGER")
    if wrong := whole_in(taken, low=0, high=total):
        return wrong
    if taken < minimum:
        return Wrong(code="TOO_FEW_FROM_TOP")
    remaining = total - taken
    if remaining == 0:
        return Wrong(code="NO_CARDS_REMAIN_TO_PLACE_ON_TOP")
    warning = f"FEWER_THAN_{minimum}_REMAIN" if remaining < minimum else None
    return OneHandCut(remaining=remaining, warning=warning)


def min_behind(*, total: int, cards_per_deck: int, rule: CoverRule) -> int:
    """The least number of cards behind the cover card: that game's own deck (A-44), or a quarter rounded up."""
    return cards_per_deck if rule == "one_deck" else -(-total // 4)


def cover_card(
    behind: object, *, total: object, cards_per_deck: object, rule: CoverRule | None
) -> Cover | Wrong:
    """`behind` cards lie behind the dealer's cover card (NY (b)(6) s3: one deck or more; PA (d) s3: a quarter).

    Codes: NOT_GOVERNED_BY_RULE, NOT_AN_INTEGER, OUT_OF_RANGE, NO_VALID_POSITION (A-11), NOT_IN_THE_STACK,
    TOO_CLOSE_TO_BACK.
    """
    if rule is None:
        return Wrong(code="NOT_GOVERNED_BY_RULE")
    if not is_whole(behind) or not is_whole(total):
        return Wrong(code="NOT_AN_INTEGER")
    deck = cards_per_deck if is_whole(cards_per_deck) else None
    if deck is None and rule == "one_deck":
        return Wrong(code="NOT_AN_INTEGER")
    if wrong := whole_in(behind, low=0, high=total):
        return wrong
    least = min_behind(total=total, cards_per_deck=deck or 0, rule=rule)
    return _placed(behind, total, least)


def _placed(behind: int, total: int, least: int) -> Cover | Wrong:
    figures = {"min_behind": least}
    if least > total - 1:
        return Wrong(code="NO_VALID_POSITION", figures=figures)
    if behind == total:
        return Wrong(code="NOT_IN_THE_STACK", figures=figures)
    if behind < least:
        return Wrong(code="TOO_CLOSE_TO_BACK", figures=figures)
    return Cover(min_behind=least, cards_in_front=total - behind)
