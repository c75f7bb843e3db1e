"""Checks of rounds, seats, holds, button and corrections."""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from pit.rules.model import Rules
from tables.domain import rounds, sequence, stages
from tables.domain.context import Context
from tables.domain.state import TableState
from tables.domain.wrong import is_whole

_REQUESTED = frozenset({stages.REQUESTED_MUST_SPREAD, stages.REQUESTED_MUST_RESHUFFLE})
_TOLD_ELSEWHERE = frozenset({"shuffle_due", "idle_reinspection", "gaming_ceased", "irregularity"})
_LIFTS = {
    "count_due": "Count the deck",
    "count_wrong": "Count again, or replace the deck",
    "deck_to_be_removed": "Replace the deck",
    "card_to_be_replaced": "Replace the card",
    "set_in_order": "Replace the deck",
    "fault_latch": "Count or reshuffle, then release the hold",
    "wrong_mode": "Shuffle again, then release the hold",
    "not_cycled": "Shuffle again, then release the hold",
    "wrong_batch": "Shuffle the right batch, then release the hold",
}
MOST_ROUNDS = 1_000


def gaming_not_ceased(context: Context, clause: str) -> Refused | None:
    if context.state.stage != stages.GAMING_CEASED and not any(
        h.kind == "gaming_ceased" for h in context.state.holds
    ):
        return None
    return context.refuse(
        "GAMING_CEASED", clause, "All gaming at this table has ceased until the device is fixed."
    )


def no_duty_open(context: Context, clause: str) -> Refused | None:
    state = context.state
    done = state.stage in stages.IN_PLAY or state.stage == stages.IDLE_NO_SPREAD_DUTY
    if state.stage not in _REQUESTED and (state.idle is None or done):
        return None
    asked = context.rules.param("request_clause") if state.stage in _REQUESTED else None
    return context.refuse(
        "DEAL_BLOCKED_REINSPECTION_INCOMPLETE",
        asked or clause,
        "Nothing is dealt until what a dead game asks for has been done.",
    )


def no_shuffle_due(context: Context, clause: str) -> Refused | None:
    if context.state.stage != stages.SHUFFLE_DUE and (
        not context.state.shuffle_pending or context.state.round_open
    ):
        return None
    return context.refuse("SHUFFLE_DUE", clause, "The cards are shuffled before the next round.")


def no_hold_blocks(context: Context, clause: str) -> Refused | None:
    for hold in context.state.holds:
        if hold.blocks in ("dealing", "next_round", "everything") and hold.kind not in _TOLD_ELSEWHERE:
            return context.refuse(
                "HOLD_BLOCKS",
                hold.clause or clause,
                f"A hold stands: {hold.detail or hold.kind.replace('_', ' ')}.",
                next_step=_LIFTS.get(hold.kind, ""),
            )
    return None


def round_not_open(context: Context, clause: str) -> Refused | None:
    if not context.state.round_open or (context.name == "RecordShuffle" and context.state.refill is not None):
        return None
    return context.refuse(
        "ROUND_IN_PROGRESS", clause, "A round of play is in progress.", next_step="End the round"
    )


def round_open(context: Context, clause: str) -> Refused | None:
    if context.state.round_open:
        return None
    return context.refuse(
        "NO_ROUND_OPEN", clause, "No round of play is in progress.", next_step="Start the round"
    )


def rounds_by_counter(context: Context, clause: str) -> Refused | None:
    count = context.get("count")
    if not is_whole(count) or not 1 <= count <= MOST_ROUNDS:
        return context.refuse(
            "OUT_OF_RANGE",
            clause,
            f"From 1 to {MOST_ROUNDS} rounds at once.",
            fields={"count": "out of range"},
        )
    if context.rules.house.get("rounds_recorded_by") != "steps":
        return None
    return context.refuse(
        "ROUNDS_ARE_RECORDED_BY_STEPS",
        clause,
        "At this house each round is recorded.",
        next_step="Start the round",
    )


def burned_first(context: Context, clause: str) -> Refused | None:
    state = context.state
    if state.burn_due:
        return context.refuse(
            "BURN_FIRST", state.burn_due, "A card is burned first.", next_step="Burn a card"
        )
    if context.name == "EndRound":
        return None
    if not context.rules.house.get("burn_after_loading") or state.burned or state.stage != stages.READY:
        return None
    if not context.rules.game.has_cards:
        return None
    return context.refuse("BURN_FIRST", clause, "A card is burned after loading.", next_step="Burn a card")


def seat_known(context: Context, clause: str) -> Refused | None:
    seat = context.get("seat")
    if seat is None and context.get("on") != "seat":
        return None
    if is_whole(seat) and 1 <= seat <= context.config.seats:
        return None
    code = "COVER_SEAT_OUT_OF_RANGE" if context.name == "RecordCoverCardOut" else "SEAT_OUT_OF_RANGE"
    return context.refuse(
        code, clause, f"The table has seats 1 to {context.config.seats}.", fields={"seat": "no such seat"}
    )


def seat_free(context: Context, clause: str) -> Refused | None:
    if context.state.player_at(context.get("seat")) is not None:
        return context.refuse(
            "SEAT_TAKEN_TWICE", clause, f"Somebody sits in seat {context.get('seat')} already."
        )
    token = context.get("token")
    if token and not any(one.token == token for one in context.state.players):
        return context.refuse(
            "UNKNOWN_PLAYER", clause, "That player does not sit at this table.", fields={"token": "not here"}
        )
    return None


def seat_taken(context: Context, clause: str) -> Refused | None:
    seat = context.get("seat")
    if not is_whole(seat) or context.state.player_at(seat) is not None:
        return None
    return context.refuse("SEAT_IS_EMPTY", clause, f"Nobody sits in seat {seat}.")


def button_right(context: Context, clause: str) -> Refused | None:
    """NJ (c): the button goes where the rule says; only what was told is compared."""
    told = context.get("button")
    if told is None or not rounds.has_button(context.state, context.rules):
        return None
    button, _ = rounds.button_and_delivery(context.state, context.rules, context.get("antes"))
    if told == button:
        return None
    return context.refuse(
        "WRONG_BUTTON", _of_round(context, clause), f"The button stands at {_place(button)}."
    )


def start_right(context: Context, clause: str) -> Refused | None:
    """NJ (c): the first stack goes where the rule says; only what was told is compared."""
    start = context.get("start")
    if start is None or not rounds.has_button(context.state, context.rules):
        return None
    _, order = rounds.button_and_delivery(context.state, context.rules, context.get("antes"))
    if not order or start == order[0]:
        return None
    return context.refuse(
        "WRONG_START", _of_round(context, clause), f"Dealing starts with {_place(order[0])}."
    )


def _of_round(context: Context, clause: str) -> str:
    """In the first round another sentence of the text says where the button stands and who is first."""
    first: str | None = context.rules.param("first_round_clause")
    return first if first and context.state.button is None else clause


def antes_right(context: Context, clause: str) -> Refused | None:
    antes, delivered = context.get("antes"), context.get("delivered")
    if antes is None:
        return None
    unknown = [one for one in antes if not is_whole(one) or not 1 <= one <= context.config.seats]
    if unknown:
        return context.refuse("SEAT_OUT_OF_RANGE", clause, "An ante stands at a seat that is not there.")
    without = [one for one in delivered or () if one != "DEALER" and one not in antes]
    if not without:
        return None
    return context.refuse(
        "NO_ANTE", clause, f"{_place(without[0])} has placed no ante and gets no stack.".capitalize()
    )


def _place(place: int | str) -> str:
    return "the dealer" if place == "DEALER" else f"seat {place}"


def more_left(context: Context, clause: str) -> Refused | None:
    """A correction goes back only: to a stage with more left to do, never past a guard."""
    state, back_to = context.state, context.get("back_to")
    if back_to not in stages.WORDS:
        return context.refuse(
            "UNKNOWN_STAGE", clause, "There is no such stage.", fields={"back_to": "no such stage"}
        )
    if not context.get("reason", "").strip():
        return context.refuse("TEXT_REQUIRED", clause, "A correction says why.", fields={"reason": "needed"})
    if back_to in back_stages(state, context.rules):
        return None
    here = stages.WORDS[state.stage]
    return context.refuse(
        "CORRECTION_ONLY_BACK", clause, f"From “{here}” a correction only leads to a step before it."
    )


def back_stages(state: TableState, rules: Rules) -> tuple[str, ...]:
    """Stages that a correction may lead back to, nearest first."""
    distance = sequence.steps_left(state, rules)
    left = distance.get(state.stage)
    if left is None or not state.open:
        return ()
    idle_only = frozenset({stages.IDLE_MUST_CLEAR, stages.IDLE_MUST_SPREAD, stages.IDLE_SPREAD})
    found = []
    for stage, more in distance.items():
        if more <= left or stage in (stages.CLOSED, stages.CARDS_RECEIVED, stages.RECUT_REQUIRED):
            continue
        if (stage in idle_only and state.idle is None) or (
            stage == stages.AWAIT_INSPECTION and not state.players
        ):
            continue
        if stage == stages.CUT_OFFERED or (
            stage in (stages.SPREAD, stages.CARDS_VERIFIED) and state.idle is not None
        ):
            continue
        found.append((more, stage))
    return tuple(stage for _, stage in sorted(found))


CHECKS: dict[str, Callable[[Context, str], Refused | None]] = {
    one.__name__: one
    for one in (
        antes_right,
        burned_first,
        button_right,
        gaming_not_ceased,
        more_left,
        no_duty_open,
        no_hold_blocks,
        no_shuffle_due,
        round_not_open,
        round_open,
        rounds_by_counter,
        seat_free,
        seat_known,
        seat_taken,
        start_right,
    )
}
