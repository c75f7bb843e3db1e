"""What one glance must tell of a table, from its state: one of six conditions with a word and a line that matters.

Not a rule: it sorts what the state already says (stage, holds, alerts, players) for the eye.
"""

from __future__ import annotations

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
    stages.IDLE_SPREAD: "Dead – spread",
    stages.IDLE_NO_SPREAD_DUTY: "Dead game",
    stages.CARDS_VERIFIED: "Cards verified",
}


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """The tile in a nutshell. `since` is when this began."""

    condition: str
    word: str
    fact: str = ""
    since: datetime | None = None


def glance(state: TableState) -> Glance:
    """Holds before duties, duties before the dead game, the dead game before play and preparation."""
    hold = gravest(state)
    if hold is not None:
        return Glance(condition=Condition.HOLD, word="Hold", fact=hold_words(hold), since=hold.since)
    if not state.open and state.stage == stages.CLOSED:
        return Glance(condition=Condition.CLOSED, word="Closed")
    if state.stage in DUE:
        return Glance(condition=Condition.DUE, word=short(state.stage), fact=_due_fact(state), since=state.stage_since)
    if state.is_dead_game and state.stage in stages.IN_PLAY | stages.IDLE | LAID_OUT:
        word = "Dead – spread" if state.stage in LAID_OUT else "Dead game"
        return Glance(condition=Condition.DEAD_GAME, word=word, since=state.empty_since or state.stage_since)
    if state.stage == stages.ACTIVE or (state.open and not _has_cards(state)):
        return Glance(condition=Condition.IN_PLAY, word="In play", fact=_round(state))
    return Glance(condition=Condition.PREPARING, word=short(state.stage), fact=_turn(state), since=state.stage_since)


def gravest(state: TableState) -> Hold | None:
    """The oldest hold that is not part of the ordinary way."""
    return min((hold for hold in state.holds if hold.kind not in ROUTINE), key=lambda hold: hold.since, default=None)


def hold_words(hold: Hold) -> str:
    """A hold in two or three words."""
    return (hold.detail or hold.kind.replace("_", " ")).strip()


def short(stage: str) -> str:
    """A stage in the words of a tile."""
    return SHORT.get(stage, words.stage(stage))


def attention(state: TableState) -> int:
    """How many things at this table wait for somebody."""
    holds = sum(hold.kind not in ROUTINE for hold in state.holds)
    return holds + len(state.alerts) + (state.stage in DUE)


def _has_cards(state: TableState) -> bool:
    return state.config is not None and state.config.decks > 0


def _round(state: TableState) -> str:
    return f"round {state.round}" if state.round else ""


def _due_fact(state: TableState) -> str:
    return "no gaming" if state.stage in stages.IDLE else _round(state)


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
