"""What one glance must tell of a table, from its state: one of six conditions with a word and a line that matters.

Not a rule: it sorts what the state already says (stage, holds, alerts, players) for the eye.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from tables import words
from tables.domain import stages
from tables.domain.state import Hold, TableState
from tables.models import Condition

ROUTINE = frozenset({"shuffle_due", "idle_reinspection"})
"""Holds that are the ordinary way of a table: its stage says them, and they are due rather than broken."""
DUE = frozenset(
    {
        stages.SHUFFLE_DUE,
        stages.RECUT_REQUIRED,
        stages.IDLE_MUST_CLEAR,
        stages.IDLE_MUST_SPREAD,
        stages.REQUESTED_MUST_SPREAD,
        stages.REQUESTED_MUST_RESHUFFLE,
        stages.CLOSING,
    }
)
LAID_OUT = frozenset({stages.SPREAD, stages.IDLE_SPREAD})
SHORT = {
    stages.IDLE_MUST_CLEAR: "Clear cards",
    stages.IDLE_MUST_SPREAD: "Spread due",
    stages.REQUESTED_MUST_SPREAD: "Spread asked",
    stages.REQUESTED_MUST_RESHUFFLE: "Shuffle asked",
    stages.IDLE_SPREAD: "Spread",
    stages.IDLE_NO_SPREAD_DUTY: "Dead game",
    stages.LOADED: "In shuffler",
    stages.CARDS_RECEIVED: "To inspect",
    stages.CARDS_VERIFIED: "Verified",
    stages.RECUT_REQUIRED: "Recut",
}
HOLD_WORDS = {"deck_to_be_removed": "Deck off", "dice_over": "Dice over"}
ALERT_WORDS = {"dice_over": "Dice over", "dice_warning": "Dice off", "idle_reminder": "Dead game"}


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """The tile in a nutshell. `since` is when this began."""

    condition: str
    word: str
    fact: str = ""
    since: datetime | None = None


def glance(state: TableState, *, holds: Sequence[Hold] | None = None) -> Glance:
    """Holds before duties, duties before the dead game, the dead game before play and preparation.

    `holds`: those of this moment where the clock adds some (dice over their time); the state's own when not told.
    """
    hold = gravest(state.holds if holds is None else holds)
    if hold is not None:
        return Glance(
            condition=Condition.HOLD,
            word=HOLD_WORDS.get(hold.kind, "Hold"),
            fact=hold.detail,
            since=hold.since,
        )
    if state.stage == stages.GAMING_CEASED:
        return Glance(condition=Condition.HOLD, word="Gaming ceased", since=state.stage_since)
    if not state.open and state.stage == stages.CLOSED:
        return Glance(condition=Condition.CLOSED, word="Closed")
    return _due(state) or _going(state)


def _due(state: TableState) -> Glance | None:
    if state.stage in DUE:
        fact = "idle" if state.stage in stages.IDLE else ""
        return Glance(condition=Condition.DUE, word=short(state.stage), fact=fact, since=state.stage_since)
    alert = next((one for one in state.alerts if one.kind in ALERT_WORDS), None)
    if alert is None:
        return None
    idle = alert.kind == "idle_reminder"
    since = state.empty_since if idle else alert.since
    return Glance(
        condition=Condition.DUE, word=ALERT_WORDS[alert.kind], fact="" if idle else alert.detail, since=since
    )


def _going(state: TableState) -> Glance:
    if state.is_dead_game and state.stage in stages.IN_PLAY | stages.IDLE | LAID_OUT:
        fact = "spread" if state.stage in LAID_OUT else ""
        since = state.empty_since or state.stage_since
        return Glance(condition=Condition.DEAD_GAME, word="Dead game", fact=fact, since=since)
    if state.stage == stages.ACTIVE or (state.open and not _has_cards(state)):
        return Glance(condition=Condition.IN_PLAY, word="In play", since=state.stage_since)
    return Glance(
        condition=Condition.PREPARING, word=short(state.stage), fact=_turn(state), since=state.stage_since
    )


def gravest(holds: Sequence[Hold]) -> Hold | None:
    """The oldest hold that is not part of the ordinary way."""
    return min(
        (hold for hold in holds if hold.kind not in ROUTINE), key=lambda hold: hold.since, default=None
    )


def short(stage: str) -> str:
    """A stage in the words of a tile."""
    return SHORT.get(stage, words.stage(stage))


def attention(state: TableState) -> int:
    """How many things at this table wait for somebody."""
    holds = sum(hold.kind not in ROUTINE for hold in state.holds)
    return holds + len(state.alerts) + (state.stage in DUE)


def _has_cards(state: TableState) -> bool:
    return state.config is not None and state.config.decks > 0


def _turn(state: TableState) -> str:
    """Whose turn it is while the cut is offered."""
    asked = asked_to_cut(state)
    return f"seat {asked}" if asked else ""


def asked_to_cut(state: TableState) -> int | None:
    """The seat that the offer of the cut stands at."""
    if state.stage != stages.CUT_OFFERED:
        return None
    answered = {answer.token for answer in state.cut.answers}
    return next((player.seat for player in state.cut.order if player.token not in answered), None)
