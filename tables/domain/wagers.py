"""Wagers: what must be so before a card is dealt, a hand collected or a wager taken (NY (d)(1), (e)(1), (m)–(q)).

No chip is counted here and no wager known; figures and ticks are told by the dealer or by a progressive system.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from tables.domain.wrong import Wrong, is_whole

MOST_DECKS = 2


class RoundOpen(msgspec.Struct, frozen=True, kw_only=True):
    """What has been recorded of the round before its first card."""

    no_more_bets: bool
    progressive_offered: bool = False
    wagers: int = 0
    """Progressive wagers made, as far as told."""
    locked_out: bool = False
    chips: int = 0
    """Chips found on the layout in front of the tray."""
    accepted: int = 0
    """Progressive wagers that the system has accepted."""
    in_tray: bool = False


def may_deal(found: RoundOpen, *, binds: bool = True) -> tuple[Wrong, ...]:
    """Every reason why the first card may not be dealt, in the order of (d)(1). `binds` False: a hand deal at a house
    that asks for none of it (A-51).

    Codes: NO_MORE_BETS_FIRST, PROGRESSIVE_NOT_LOCKED, CHIP_COUNT_MISMATCH, CHIPS_NOT_IN_TRAY.
    """
    if not binds:
        return ()
    reasons = []
    if not found.no_more_bets:
        reasons.append("NO_MORE_BETS_FIRST")
    if found.progressive_offered:
        reasons += _progressive(found)
    return tuple(Wrong(code=one) for one in reasons)


def _progressive(found: RoundOpen) -> list[str]:
    reasons = [] if found.locked_out else ["PROGRESSIVE_NOT_LOCKED"]
    if max(found.wagers, found.accepted, found.chips) > 0:
        if found.chips != found.accepted:
            reasons.append("CHIP_COUNT_MISMATCH")
        if not found.in_tray:
            reasons.append("CHIPS_NOT_IN_TRAY")
    return reasons


def may_collect(*, payable_from_tray: bool, documented: bool) -> Wrong | None:
    """(m): a winning hand that the tray cannot pay stays until the documents are complete."""
    return None if payable_from_tray or documented else Wrong(code="HAND_STAYS_UNTIL_DOCUMENTED")


def side_wager(*, light_works: bool, underlying: bool) -> tuple[Wrong, ...]:
    """(n) and (o): the light of that betting area works, and the wager on the game itself stands first."""
    reasons = [] if light_works else ["SIDE_WAGER_LIGHT_FAULT"]
    if not underlying:
        reasons.append("UNDERLYING_WAGER_FIRST")
    return tuple(Wrong(code=one) for one in reasons)


def verbal_wager_with_cash(game: str, *, games: Collection[str] | None) -> Wrong | None:
    """(q): only at the games the pack names. `games` None: this place's text is silent."""
    if games is None:
        return Wrong(code="NOT_GOVERNED_BY_RULE")
    return None if game in games else Wrong(code="VERBAL_CASH_WAGER_REFUSED")


def hand_deal(decks: object, *, most: int | None = MOST_DECKS) -> Wrong | None:
    """(e)(1): at most two decks are dealt by hand. Codes: NOT_AN_INTEGER, OUT_OF_RANGE, HAND_DEAL_MAX_TWO_DECKS."""
    if most is None:
        return Wrong(code="NOT_GOVERNED_BY_RULE")
    if not is_whole(decks):
        return Wrong(code="NOT_AN_INTEGER")
    if decks < 1:
        return Wrong(code="OUT_OF_RANGE")
    return Wrong(code="HAND_DEAL_MAX_TWO_DECKS") if decks > most else None
