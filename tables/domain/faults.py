"""What a fault of a device does to its table (design §5; K1–K5). Codes are canonical; clauses stand in the pack.

A latched fault holds the table until a count or reshuffle was recorded after it and a supervisor released it with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from pit.rules.model import HOUSE, Rules
from tables.domain import sequence, stages
from tables.domain.context import Context
from tables.domain.events_integrity import Move
from tables.domain.integrity import Fault
from tables.domain.state import Batch, TableState

Meets = Literal["", "count", "shuffle", "either"]


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """`hold`: kind of the hold; `meets`: what must be recorded before it is released; `reshuffle`: the batch's shuffle is
    worth nothing; `out`: the device cannot work; `irregularity`: what the text rules on; `seat`: it is about one seat."""

    words: str
    hold: str = ""
    meets: Meets = ""
    reshuffle: bool = False
    out: bool = False
    irregularity: str = ""
    seat: bool = False
    in_play: bool = False
    """About the cards that are being dealt, not about those in the shuffler."""


def _latch(
    words: str, hold: str = "fault_latch", meets: Meets = "either", reshuffle: bool = False, out: bool = False
) -> Kind:
    return Kind(words=words, hold=hold, meets=meets, reshuffle=reshuffle, out=out)


def _shoe(words: str) -> Kind:
    """Only a shoe with cards in it holds the table: they are shuffled again (h)(3)."""
    return Kind(
        words=words,
        hold="fault_latch",
        meets="shuffle",
        reshuffle=True,
        irregularity="shoe_stopped",
        in_play=True,
    )


CODES: Mapping[str, Kind] = {
    "SHUF_JAM": _latch("Shuffler jammed", reshuffle=True),
    "SHUF_INCOMPLETE": _latch("Shuffler did not finish", reshuffle=True),
    "SHUF_INOP": _latch("Shuffler cannot work", reshuffle=True, out=True),
    "SHUF_COUNT_SHORT": _latch("Shuffler counts too few cards", meets="count"),
    "SHUF_COUNT_OVER": _latch("Shuffler counts too many cards", meets="count"),
    "SHUF_CARD_UNREAD": _latch("Shuffler cannot read a card", meets="count"),
    "SHUF_CARD_DUPLICATE": _latch("Shuffler found a card twice", meets="count"),
    "SHUF_CARD_WRONG_BACK": _latch("Shuffler found another back", meets="count"),
    "SHUF_MODE_NOT_SHUFFLE": _latch(
        "Shuffler was not in shuffle mode", "wrong_mode", "shuffle", reshuffle=True
    ),
    "SHUF_NOT_CYCLED": _latch("Shuffler did not run", "not_cycled", "shuffle", reshuffle=True),
    "BATCH_SEQUENCE": _latch("The other batch is next", "wrong_batch", ""),
    "SHOE_JAM": _shoe("Dealing shoe jammed"),
    "SHOE_STOPPED": _shoe("Dealing shoe stopped"),
    "SHOE_INCOMPLETE": _shoe("Dealing shoe did not deal all"),
    "SHOE_FACEUP": Kind(words="Card face up in the shoe", irregularity="face_up_in_shoe"),
    "SHOE_INSUFFICIENT": Kind(words="Too few cards in the shoe", irregularity="shoe_short"),
    "STACK_COUNT": Kind(words="Wrong number of stacks", irregularity="wrong_stacks"),
    "READER_INOP": Kind(words="Card reader does not work"),
    "SHAKER_INOP_UNCOVERED": Kind(
        words="Electronic shaker failed uncovered", irregularity="electronic_shaker"
    ),
    "RNG_INOP": Kind(words="Number generator does not work"),
    "PROG_LINK_LOST": Kind(words="Progressive system out of reach"),
    "SIDEBET_LIGHT_FAIL": Kind(words="Side-wager light does not work", seat=True),
    "DEVICE_SEAL_BROKEN": _latch("Seal of the device is broken", meets=""),
    "GATEWAY_SILENT": Kind(words="Device unknown: its gateway is silent"),
}


def clause_of(code: str, rules: Rules) -> str:
    """Where the pack speaks of this fault; "house" where it does not."""
    told = (rules.param("fault_clauses") or {}).get(code, HOUSE)
    return rules.under(told)


def detail(device: str, code: str, seat: int | None = None) -> str:
    """Object of the hold or alert of a fault."""
    return f"{device} {code}" if seat is None else f"{device} {code} seat {seat}"


def standing(state: TableState, device: str, code: str, seat: int | None = None) -> Fault | None:
    """The fault as it stands, None when it is over or released."""
    at = seat_of(code, seat)
    return next((one for one in state.faults if (one.device, one.code, one.seat) == (device, code, at)), None)


def seat_of(code: str, seat: int | None) -> int | None:
    """The seat, where this kind of fault is about one."""
    kind = CODES.get(code)
    return seat if kind is not None and kind.seat else None


def may_release(one: Fault) -> bool:
    """A count or reshuffle was recorded after it, or its kind asks for none."""
    kind = CODES.get(one.code)
    return one.met_at is not None or kind is None or not kind.meets


def holds(state: TableState, code: str) -> str:
    """Kind of the hold that this fault opens at this table now, "" for an alert."""
    kind = CODES[code]
    return "" if kind.in_play and state.stage not in stages.IN_PLAY else kind.hold


def suspect(state: TableState, code: str, batch: str) -> Batch | None:
    """The batch that a fault is about: named, in play, or inside the shuffler."""
    if batch or CODES[code].in_play:
        return state.batch(batch or state.next_batch)
    inside = [one for one in state.batches if one.place == "device"]
    unfinished = [one for one in inside if one.progress == "DEPOSITED"]
    return next(iter((*unfinished, *inside)), state.batch(state.next_batch))


def unshuffled(context: Context, batch: Batch | None) -> tuple[str, tuple[Move, ...], bool]:
    """Where the table stands when a shuffle is worth nothing: its stage, what lies elsewhere, and whether the shuffle is
    due only when the round is over.

    Inside the shuffler a batch goes back to before it went in, so that it is put in and shuffled anew; cut, loaded or in
    play it makes a shuffle due.
    """
    state = context.state
    if batch is None or batch.progress in ("OUT", "IN_PLAY"):
        return _in_use(state, batch)
    if batch.place != "device":
        return state.stage, (), False
    if state.stage == stages.INSPECTED:
        return state.stage, (Move(batch=batch.id, progress="WASHED", place="table"),), False
    if state.stage == stages.LOADED:
        return _before_loading(context, batch)
    return state.stage, (Move(batch=batch.id, progress="WAITING", place="table"),), False


def _in_use(state: TableState, batch: Batch | None) -> tuple[str, tuple[Move, ...], bool]:
    used = (
        (Move(batch=batch.id, progress="USED", place="table"),) if batch and batch.progress == "OUT" else ()
    )
    if state.stage in stages.IN_PLAY:
        pending = state.round_open
        return (state.stage if pending else stages.SHUFFLE_DUE), (), pending
    if state.stage in stages.STACK:
        return stages.SHUFFLE_DUE, used, False
    return state.stage, (), False


def _before_loading(context: Context, batch: Batch) -> tuple[str, tuple[Move, ...], bool]:
    for row in sequence.rows(context.state, context.rules, "LoadShuffler"):
        if row.to == stages.LOADED:
            progress = row.batch_from[0] if row.batch_from else batch.progress
            return row.from_[0], (Move(batch=batch.id, progress=progress, place="table"),), False
    return context.state.stage, (), False
