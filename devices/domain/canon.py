"""The canonical codes: what a device can say, whatever its maker calls it (design §6)."""

from __future__ import annotations

from typing import Literal

Severity = Literal["hold", "alert", "info"]

FAULTS: dict[str, str] = {
    "SHUF_JAM": "The shuffler jammed",
    "SHUF_INCOMPLETE": "The shuffler did not finish",
    "SHUF_INOP": "The shuffler does not work",
    "SHUF_COUNT_SHORT": "Too few cards counted",
    "SHUF_COUNT_OVER": "Too many cards counted",
    "SHUF_CARD_UNREAD": "A card could not be read",
    "SHUF_CARD_DUPLICATE": "A card was read twice",
    "SHUF_CARD_WRONG_BACK": "A card of another back",
    "SHUF_MODE_NOT_SHUFFLE": "The shuffler is not set to shuffle",
    "SHUF_NOT_CYCLED": "Taken out without having been shuffled",
    "BATCH_SEQUENCE": "The batch whose turn it was not",
    "SHOE_JAM": "The dealing shoe jammed",
    "SHOE_STOPPED": "The dealing shoe stopped",
    "SHOE_INCOMPLETE": "The dealing shoe did not deal all of the round",
    "SHOE_FACEUP": "A card lay face up in the shoe",
    "SHOE_INSUFFICIENT": "Too few cards in the shoe to finish the round",
    "STACK_COUNT": "Wrong number of stacks",
    "READER_INOP": "The card reader does not work",
    "SHAKER_INOP_UNCOVERED": "The shaker failed while uncovered",
    "RNG_INOP": "The number generator does not work",
    "PROG_LINK_LOST": "The progressive system cannot be reached",
    "SIDEBET_LIGHT_FAIL": "A side-wager light does not work",
    "DEVICE_SEAL_BROKEN": "The seal of the device is broken",
    "GATEWAY_SILENT": "Nothing is heard of the device",
}
INFO: dict[str, str] = {
    "ROUND_DEALT": "Round dealt",
    "LOADED": "Cards put in",
    "CYCLE_DONE": "Shuffle finished",
    "UNLOADED": "Cards taken out",
    "COVER_CARD_OUT": "Cover card came out",
    "RNG_NUMBER": "Number drawn",
    "LOCKED_OUT": "Progressive locked out",
    "WAGERS_ACCEPTED": "Progressive wagers accepted",
}
WORDS: dict[str, str] = {**FAULTS, **INFO}
OURS = frozenset({"SHUF_MODE_NOT_SHUFFLE", "SHUF_NOT_CYCLED", "BATCH_SEQUENCE", "GATEWAY_SILENT"})
"""Faults that we also find ourselves, from what a device says of its work."""
NO_HOLD = frozenset({"READER_INOP", "PROG_LINK_LOST", "RNG_INOP", "GATEWAY_SILENT"})
"""Alerts: they need eyes and block nothing ((i)(1) for the reader)."""
MOMENTARY = frozenset(
    {
        "SHUF_COUNT_SHORT",
        "SHUF_COUNT_OVER",
        "SHUF_CARD_DUPLICATE",
        "SHUF_CARD_WRONG_BACK",
        "SHUF_MODE_NOT_SHUFFLE",
        "SHUF_NOT_CYCLED",
        "BATCH_SEQUENCE",
        "SHOE_INCOMPLETE",
        "SHOE_FACEUP",
        "SHOE_INSUFFICIENT",
        "STACK_COUNT",
    }
)
"""Findings: told each time, and nothing that goes on standing at the device."""
BY_SEAT = frozenset({"SIDEBET_LIGHT_FAIL"})
"""Faults that concern one seat, each seat on its own."""


def known(code: str) -> bool:
    return code in WORDS


def word(code: str) -> str:
    """What a person reads."""
    return WORDS.get(code, code.replace("_", " ").capitalize())
