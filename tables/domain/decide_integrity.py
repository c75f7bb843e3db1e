"""Cards that fell, that must be counted, that must not stay: spills, counts, replacements, samples (K4, K6, K8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pit.record.contract import Refused
from tables.domain import events_integrity as e
from tables.domain.context import Context
from tables.domain.event import Event
from tables.domain.exposure import exposure


def record_spill(context: Context) -> Sequence[Event]:
    batch = context.get("batch")
    return [
        e.CardsSpilled(
            batch=batch,
            detail=context.get("detail"),
            exposure=exposure(context.state, batch=batch, now=context.now),
        )
    ]


def require_count(context: Context) -> Sequence[Event]:
    batch = context.get("batch")
    return [
        e.CountRequired(
            reason=context.get("reason"),
            batch=batch,
            exposure=exposure(context.state, batch=batch, now=context.now),
        )
    ]


def report_card(context: Context) -> Sequence[Event]:
    state = context.state
    batch = state.batch(context.get("batch") or state.next_batch)
    back = context.get("back") or (batch.back if batch else "")
    return [
        e.UnsuitableCardReported(
            finding=context.get("finding"),
            rank=context.get("rank"),
            suit=context.get("suit"),
            back=back,
            batch=batch.id if batch else "",
            exposure=exposure(state, batch=batch.id if batch else "", now=context.now),
        )
    ]


def replace_card(context: Context) -> Sequence[Event]:
    told = (context.get("rank"), context.get("suit"))
    one = next(
        card for card in context.state.bad_cards if not card.replaced and (card.rank, card.suit) == told
    )
    second = context.by.second
    return [
        e.CardReplaced(
            rank=one.rank,
            suit=one.suit,
            back=one.back,
            batch=one.batch,
            told_by=second.name if second else "",
            confirmed_by=context.by.name,
        )
    ]


def sample_cards(context: Context) -> Sequence[Event]:
    return [e.CardsSampled(cards=context.get("cards"), in_order=context.get("in_order"))]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "RecordSpill": record_spill,
    "RequireCount": require_count,
    "ReportCard": report_card,
    "ReplaceCard": replace_card,
    "SampleCards": sample_cards,
}
