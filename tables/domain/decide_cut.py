"""Offer, refusal, cut, cover card, loading and recut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pit.record.contract import Refused
from tables.domain import cutting, stages
from tables.domain.context import Context
from tables.domain.events import (
    CardsCut,
    CoverCardInserted,
    CutOffered,
    CutRefused,
    DeckTakenInHand,
    Event,
    RecutOrdered,
    ShoeLoaded,
)
from tables.domain.events_play import HandChanged
from tables.domain.ring import DEALER


def offer_cut(context: Context) -> Sequence[Event] | Refused:
    order = cutting.order(context.state, context.rules)
    if not order:
        dealer = context.rules.word("dealer")
        return context.refuse(
            "OUT_OF_SEQUENCE",
            "house",
            "There is nobody to be offered the cut.",
            next_step=f"The {dealer} cuts",
        )
    staged = context.staged() | {"clause": cutting.clause(context.state, context.rules)}
    return [CutOffered(**staged, order=order)]


def refuse_cut(context: Context) -> Sequence[Event]:
    seat = context.get("seat")
    player = context.state.player_at(seat)
    order = cutting.order(context.state, context.rules)
    return [CutRefused(**context.staged(), seat=seat, token=player.token if player else "", order=order)]


def record_cut(context: Context) -> Sequence[Event]:
    seat, depth = context.get("seat"), context.get("depth")
    player = context.state.player_at(seat) if seat is not None else None
    return [
        CardsCut(
            **context.staged(),
            cutter=player.token if player else DEALER,
            seat=seat,
            order=cutting.order(context.state, context.rules),
            depth=depth if isinstance(depth, int) else None,
        )
    ]


def insert_cover_card(context: Context) -> Sequence[Event]:
    depth = context.get("depth")
    return [CoverCardInserted(**context.staged(), depth=depth if isinstance(depth, int) else None)]


def load_shoe(context: Context) -> Sequence[Event]:
    return [ShoeLoaded(**context.staged(), batch=context.batch)]


def take_in_hand(context: Context) -> Sequence[Event] | Refused:
    """In play the deck may go to the other hand between rounds (e)(2)."""
    if context.state.stage in stages.IN_PLAY:
        if context.get("hand") == context.state.hand:
            return context.refuse("OUT_OF_SEQUENCE", "house", "The deck is in that hand.")
        return [HandChanged(hand=context.get("hand"))]
    return [DeckTakenInHand(**context.staged(), hand=context.get("hand"), batch=context.batch)]


def order_recut(context: Context) -> Sequence[Event]:
    order, fixed = cutting.recut_order(context.state, context.get("option"))
    return [
        RecutOrdered(
            **context.staged(),
            ground=context.get("ground"),
            option=context.get("option"),
            order=order,
            fixed=fixed,
        )
    ]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "OfferCut": offer_cut,
    "RefuseCut": refuse_cut,
    "RecordCut": record_cut,
    "InsertCoverCard": insert_cover_card,
    "LoadShoe": load_shoe,
    "TakeInHand": take_in_hand,
    "OrderRecut": order_recut,
}
