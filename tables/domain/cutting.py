"""The cut at a table: whose turn it is, told from the state by the calculators of `cut`."""

from __future__ import annotations

from pit.rules.model import HOUSE, Rules
from tables.domain import cut, parameters
from tables.domain.ring import Seated
from tables.domain.state import Cut, Player, TableState
from tables.domain.wrong import Wrong

DEALER_ONLY = "dealer_only"
HOUSE_RULE = cut.CutRule(
    step=1,
    clauses=dict.fromkeys((*sorted(cut.FAR_RIGHT), "game_beginning", "cover_card_player"), HOUSE),
)
"""Where the text does not deal with cutting: clockwise, as the neighbouring sections do, as house procedure."""


def cause_of(state: TableState) -> str:
    """Why the cards were shuffled, in the words of the calculator."""
    if state.shuffle_cause != "cover_card" or state.cover_out is None:
        return "irregularity" if state.shuffle_cause == "cover_card" else state.shuffle_cause
    told = {"seat": "cover_card_player", "dealer": "cover_card_dealer"}
    return told.get(state.cover_out.on, "cover_card_no_hand")


def order(state: TableState, rules: Rules) -> tuple[Player, ...]:
    """The players in the order in which they are asked; frozen once the first was asked, empty at a dealer's cut.

    Players who have left since are passed over; they are asked no more.
    """
    if state.config is None or state.config.cut_mode == DEALER_ONLY:
        return ()
    if state.cut.order or state.cut.answers or state.cut.recuts:
        here = {(one.seat, one.token) for one in state.players}
        return tuple(one for one in state.cut.order if (one.seat, one.token) in here)
    return _fresh(state, rules)


def _fresh(state: TableState, rules: Rules) -> tuple[Player, ...]:
    assert state.config is not None
    cover = state.cover_out
    found = cut.order(
        rule=parameters.cut_rule(rules) or HOUSE_RULE,
        seats=state.config.seats,
        occupied=[Seated(seat=one.seat, player=one.token) for one in state.players],
        cause=cause_of(state),
        arrivals=[one.token for one in sorted(state.players, key=lambda one: one.order)],
        cover_seat=cover.seat if cover else None,
        cover_player=cover.token or None if cover else None,
    )
    if isinstance(found, Wrong):
        return ()
    by_seat = {one.seat: one for one in state.players}
    return tuple(by_seat[one.seat] for one in found.order)


def clause(state: TableState, rules: Rules) -> str:
    """The clause that designates the first."""
    rule = parameters.cut_rule(rules)
    return rule.clauses.get(cause_of(state), HOUSE) if rule else HOUSE


def stack_cards(state: TableState) -> int:
    """Cards of the stack that is cut: the whole set, or the discard rack while a shoe is filled again."""
    if state.refill is not None and state.refill.cards is not None:
        return state.refill.cards
    return state.config.stack_cards if state.config else 0


def asked_now(state: TableState, rules: Rules) -> Player | None:
    """Who is to be asked now; None: the dealer cuts, as where no player could cut lawfully (A-52)."""
    if stack_cards(state) < 2 * (parameters.min_cut(rules) or 0):
        return None
    refused = {one.token for one in state.cut.answers if not one.accepted}
    return next((one for one in order(state, rules) if one.token not in refused), None)


def recut_order(state: TableState, option: str) -> tuple[tuple[Player, ...], bool]:
    """Who is asked after a recut was ordered, and whether only that person may cut (A-13)."""
    asked = state.cut.order
    found = cut.recut(
        [Seated(seat=one.seat, player=one.token) for one in asked], cutter=state.cut.cutter, option=option
    )
    if isinstance(found, Wrong) or found.seat is None:
        return (), True
    seats = (found.seat, *found.continue_with)
    return tuple(one for seat in seats for one in asked if one.seat == seat), found.fixed


def reset(cause: str) -> Cut:
    """A new stack: nobody was asked yet."""
    return Cut(cause=cause)
