"""Stages of a table and the words a person reads for them (design §4)."""

from __future__ import annotations

CLOSED = "CLOSED"
CARDS_RECEIVED = "CARDS_RECEIVED"
CARDS_VERIFIED = "CARDS_VERIFIED"
SPREAD = "SPREAD"
AWAIT_INSPECTION = "AWAIT_INSPECTION"
INSPECTED = "INSPECTED"
FACE_DOWN = "FACE_DOWN"
WASHED = "WASHED"
STACKED = "STACKED"
LOADED = "LOADED"
SHUFFLED = "SHUFFLED"
CUT_OFFERED = "CUT_OFFERED"
CUT = "CUT"
COVERED = "COVERED"
READY = "READY"
ACTIVE = "ACTIVE"
SHUFFLE_DUE = "SHUFFLE_DUE"
RECUT_REQUIRED = "RECUT_REQUIRED"
IDLE_MUST_CLEAR = "IDLE_MUST_CLEAR"
IDLE_MUST_SPREAD = "IDLE_MUST_SPREAD"
IDLE_SPREAD = "IDLE_SPREAD"
IDLE_NO_SPREAD_DUTY = "IDLE_NO_SPREAD_DUTY"
REQUESTED_MUST_SPREAD = "REQUESTED_MUST_SPREAD"
REQUESTED_MUST_RESHUFFLE = "REQUESTED_MUST_RESHUFFLE"
GAMING_CEASED = "GAMING_CEASED"
CLOSING = "CLOSING"

WORDS: dict[str, str] = {
    CLOSED: "Closed",
    CARDS_RECEIVED: "Cards received",
    CARDS_VERIFIED: "Cards verified",
    SPREAD: "Spread",
    AWAIT_INSPECTION: "Player's look",
    INSPECTED: "Look given",
    FACE_DOWN: "Face down",
    WASHED: "Washed",
    STACKED: "Stacked",
    LOADED: "In the shuffler",
    SHUFFLED: "Shuffled",
    CUT_OFFERED: "Cut offered",
    CUT: "Cut",
    COVERED: "Cover card in",
    READY: "Ready to deal",
    ACTIVE: "In play",
    SHUFFLE_DUE: "Shuffle due",
    RECUT_REQUIRED: "Recut ordered",
    IDLE_MUST_CLEAR: "Dead game – take the cards out",
    IDLE_MUST_SPREAD: "Dead game – lay the cards out",
    IDLE_SPREAD: "Dead game – spread",
    IDLE_NO_SPREAD_DUTY: "Dead game",
    REQUESTED_MUST_SPREAD: "Asked for – lay the cards out",
    REQUESTED_MUST_RESHUFFLE: "Asked for – shuffle",
    GAMING_CEASED: "Gaming ceased",
    CLOSING: "Closing",
}

IN_PLAY = frozenset({READY, ACTIVE})
AWAITING_LOOK = frozenset({SPREAD, AWAIT_INSPECTION, IDLE_SPREAD})
"""Cards lie out and nobody has had the chance to look: nothing further may be done with them."""
IDLE = frozenset({IDLE_MUST_CLEAR, IDLE_MUST_SPREAD, IDLE_SPREAD, IDLE_NO_SPREAD_DUTY})
STACK = frozenset({SHUFFLED, CUT_OFFERED, CUT, COVERED, RECUT_REQUIRED})
"""A shuffled stack is on the table and not yet loaded."""
