"""Spreading, looking, washing, shuffling by hand and by device, players, and an idle table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pit.record.contract import Refused
from tables.domain import sequence, stages
from tables.domain.context import Context
from tables.domain.events import (
    BatchRemoved,
    CardsRemoved,
    CardsShuffled,
    CardsSpread,
    CardsStacked,
    CardsWashed,
    Event,
    FaceUpRequested,
    GamingActivityAbsent,
    IdleWithdrawn,
    InspectionAfforded,
    PlayerArrived,
    PlayerLeft,
    PlayersLeft,
    ReshuffleRequested,
    ShuffleCompleted,
    ShufflerLoaded,
    TurnedFaceDown,
)

_DONE = frozenset({"DEPOSITED", "SHUFFLED", "OUT"})


def record_spread(context: Context) -> Sequence[Event]:
    staged = context.staged()
    if context.state.players and staged["stage"] in (stages.SPREAD, stages.IDLE_SPREAD):
        staged["stage"] = stages.AWAIT_INSPECTION  # whoever sits here already is the first to look
    return [
        CardsSpread(
            **staged,
            face=context.get("face"),
            batches_separate=context.get("batches_separate"),
            player_requested=context.get("player_requested"),
        )
    ]


def player_arrives(context: Context) -> Sequence[Event]:
    state = context.state
    waiting = state.stage in (stages.SPREAD, stages.IDLE_SPREAD)
    stage = stages.AWAIT_INSPECTION if waiting else state.stage
    order = state.arrivals + 1
    token = context.get("token")
    if token:  # the right to be first follows the player, not the seat
        order = min(one.order for one in state.players if one.token == token)
    row = sequence.find(state, context.rules, "PlayerArrives") if waiting else None
    clause = context.binding(row.clause) if row else "house"
    return [
        PlayerArrived(
            stage=stage, clause=clause, seat=context.get("seat"), token=token or f"P{order}", order=order
        )
    ]


def player_leaves(context: Context) -> Sequence[Event]:
    seat = context.get("seat")
    others = [one for one in context.state.players if one.seat != seat]
    stage = context.state.stage if others else without_players(context)
    return [PlayerLeft(stage=stage, clause="house", seat=seat)]


def players_leave(context: Context) -> Sequence[Event] | Refused:
    if not context.state.players:
        return context.refuse("SEAT_IS_EMPTY", "house", "Nobody sits at this table.")
    return [PlayersLeft(stage=without_players(context), clause="house")]


def without_players(context: Context) -> str:
    """A look that nobody is there to take waits for the next player."""
    if context.state.stage != stages.AWAIT_INSPECTION:
        return context.state.stage
    return stages.IDLE_SPREAD if context.state.idle else stages.SPREAD


def afford_inspection(context: Context) -> Sequence[Event]:
    seats = tuple(sorted(one.seat for one in context.state.players))
    return [InspectionAfforded(**context.staged(), seats=seats)]


def _batchwise(context: Context) -> dict[str, Any]:
    """Stage, batch and its progress; the table's own stage moves on when the last batch is where it must be."""
    row = context.row
    staged: dict[str, Any] = {**context.staged(), "batch": context.batch, "progress": row.batch_to}
    if row.batch_to and context.state.stage == stages.INSPECTED and row.to == "=":
        after = {one.id: one.progress for one in context.state.batches} | {context.batch: row.batch_to}
        if set(after.values()) <= _DONE and "OUT" in after.values():
            staged["stage"] = stages.SHUFFLED  # both have gone through (3)(ii), and one stack is out
    return staged


def turn_face_down(context: Context) -> Sequence[Event]:
    return [TurnedFaceDown(**_batchwise(context))]


def record_wash(context: Context) -> Sequence[Event]:
    return [CardsWashed(**_batchwise(context))]


def stack_cards(context: Context) -> Sequence[Event]:
    return [CardsStacked(**context.staged(), batch=context.batch)]


def record_shuffle(context: Context) -> Sequence[Event]:
    return [CardsShuffled(**context.staged(), method=context.get("method"), batch=context.batch)]


def load_shuffler(context: Context) -> Sequence[Event]:
    return [ShufflerLoaded(**_batchwise(context), cycles=context.get("cycles"))]


def complete_shuffle(context: Context) -> Sequence[Event]:
    batch = context.state.batch(context.batch)
    since = batch.loaded_at if batch is not None else None
    return [
        ShuffleCompleted(
            **_batchwise(context),
            mode=context.get("mode").strip().upper(),
            cycles=context.get("cycles"),
            seconds=int((context.now - since).total_seconds()) if since is not None else None,
        )
    ]


def remove_batch(context: Context) -> Sequence[Event]:
    """PA (g)(2): out of the shuffler of an idle table the batch was not spread; an open request is then due at once."""
    state = context.state
    unspread = state.idle is not None and context.row.from_ == (stages.LOADED,)
    staged = _batchwise(context)
    if unspread and state.idle is not None and state.idle.reshuffle_requested:
        staged["stage"] = stages.REQUESTED_MUST_SPREAD
    return [BatchRemoved(**staged, unspread=unspread)]


def record_no_gaming_activity(context: Context) -> Sequence[Event]:
    return [GamingActivityAbsent(**context.staged(), before=context.state.stage)]


def withdraw_idle(context: Context) -> Sequence[Event] | Refused:
    idle = context.state.idle
    if idle is None or not context.get("reason").strip():
        return context.refuse(
            "TEXT_REQUIRED", "house", "Say why it was recorded in error.", fields={"reason": "needed"}
        )
    return [IdleWithdrawn(stage=idle.before, clause="house", reason=context.get("reason"))]


def remove_cards(context: Context) -> Sequence[Event]:
    sources = tuple(sorted(set(context.get("sources"))))
    return [CardsRemoved(**context.staged(), sources=sources, all_batches="shuffler" in sources)]


def request_face_up(context: Context) -> Sequence[Event]:
    return [FaceUpRequested(**context.staged(), seat=context.get("seat"))]


def request_reshuffle(context: Context) -> Sequence[Event] | Refused:
    if context.state.stage != stages.LOADED and not context.state.unspread_batch:
        return context.refuse(
            "OUT_OF_SEQUENCE",
            "house",
            "This stack did not come unspread out of the shuffler of a dead game.",
            next_step=sequence.next_words(context.state, context.rules),
        )
    return [ReshuffleRequested(**context.staged(), seat=context.get("seat"))]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "RecordSpread": record_spread,
    "PlayerArrives": player_arrives,
    "PlayerLeaves": player_leaves,
    "PlayersLeave": players_leave,
    "AffordInspection": afford_inspection,
    "TurnFaceDown": turn_face_down,
    "RecordWash": record_wash,
    "StackCards": stack_cards,
    "RecordShuffle": record_shuffle,
    "LoadShuffler": load_shuffler,
    "CompleteShuffle": complete_shuffle,
    "RemoveBatch": remove_batch,
    "RecordNoGamingActivity": record_no_gaming_activity,
    "WithdrawIdle": withdraw_idle,
    "RemoveCards": remove_cards,
    "RequestFaceUp": request_face_up,
    "RequestReshuffle": request_reshuffle,
}
