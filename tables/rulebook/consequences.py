"""The consequences that a text states, in words, and its silence as silence (A-37): never "no" for what is not said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

SAID: Mapping[str, tuple[str, str]] = {
    "round_void": ("The round is void", "The round is not void"),
    "hands_void": ("All hands are void", "The hands stand"),
    "wagers_returned": ("All wagers go back", "The wagers are not returned"),
    "reshuffle": ("The cards are shuffled again", "No new shuffle"),
    "gaming_ceases": ("Then all gaming at the table ceases", "Gaming does not cease"),
    "floorperson_called": ("The {floorperson} is called", "Nobody is called"),
    "supervisor_present": ("In the presence of a {floorperson}", "No supervisor is needed"),
    "play_continues": ("Play goes on", "Play stops"),
    "reshake": ("The dice are shaken again", "The dice are not shaken again"),
    "settle_wagers": ("Losing wagers are collected, winning ones paid", "Wagers are not settled"),
    "deck_removed": ("The deck leaves the table", "The deck stays"),
}
"""Consequence → what "yes" and "no" of the text mean."""
TOLD: Mapping[str, Callable[[str], str]] = {
    "reshuffle_scope": lambda text: f"What is shuffled: {text}",
    "burn": lambda text: f"Burned: {text}",
    "player_option": lambda text: f"The player chooses: {text}",
    "announce": lambda text: f"Announced: “{text}”",
    "guard": lambda text: f"Until then: {text}",
}
SILENT: Mapping[str, str] = {
    "round_void": "the round",
    "hands_void": "the hands",
    "wagers_returned": "the wagers",
    "reshuffle": "a new shuffle",
}
"""Matters of which a person wants to know that the text says nothing. A void round settles the hands, and the other way."""


ALL = "the cards"
"""A scope that says no more than that there is a shuffle."""


def stated(consequences: Mapping[str, Any], words: Mapping[str, str]) -> list[str]:
    """What the text states, in the order of its matters."""
    return list(_stated(consequences, words))


def _stated(consequences: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[str]:
    floorperson = words.get("floorperson", "floorperson")
    for key, (yes, no) in SAID.items():
        value = consequences.get(key)
        if isinstance(value, bool):
            yield (yes if value else no).format(floorperson=floorperson)
        scope = consequences.get("reshuffle_scope")
        if key == "reshuffle" and scope and scope != ALL:
            yield TOLD["reshuffle_scope"](_text(scope))
    for key, told in TOLD.items():
        if key != "reshuffle_scope" and (value := consequences.get(key)):
            yield told(_text(value))


def silent(consequences: Mapping[str, Any]) -> list[str]:
    """The matters on which the text is silent. Where play goes on, they do not arise."""
    void = consequences.get("round_void") or consequences.get("hands_void")
    if not (void or consequences.get("reshuffle")):
        return []
    settled = {"round_void", "hands_void"} if void else set()
    return [word for key, word in SILENT.items() if consequences.get(key) is None and key not in settled]


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " or ".join(str(one).replace("_", " ") for one in value)
    return str(value)
