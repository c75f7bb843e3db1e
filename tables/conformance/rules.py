"""The rules under which a case is run: the pack it names, its settings, the reading of an alternative answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from pit.rules.load import UnknownRules, house_settings, in_force, packs
from pit.rules.model import Pack, Rules
from tables.conformance.case import OTHER, Case, Malformed

GAMES: Mapping[str, str] = {"ny": "blackjack", "pa": "spanish_21", "nj": "winners_pot_poker"}
"""The game of a case that names none: one that the pack of that place governs."""
NAMED: Mapping[str, tuple[str, Mapping[Any, Any]]] = {
    "pa_rotate_all_cases": ("A-03", {True: "rotate", False: "dealer_cuts"}),
    "nj_first_stack": ("A-16", {}),
}
"""Settings that requirements §6 calls by a name of their own → reading, and how its values are written there."""


def rules_of(case: Case, *, home: str, game: str | None = None) -> Rules:
    """`home` is the place of a kind that belongs to one text only; a case may name another."""
    place = case.data.get("jurisdiction", home)
    if not isinstance(place, str) or place.lower() not in packs():
        raise Malformed(f"no rule pack of jurisdiction {place!r}")
    pack = packs()[place.lower()][-1]
    readings, house = _overrides(case.overrides, pack)
    key = game or str(case.data.get("game", GAMES.get(place.lower(), "blackjack")))
    try:
        return in_force(place.lower(), key, date.max, readings=readings, house=house)
    except UnknownRules as unknown:
        raise Malformed(str(unknown)) from unknown


def _overrides(given: Mapping[str, Any], pack: Pack) -> tuple[dict[str, Any], dict[str, Any]]:
    readings: dict[str, Any] = {}
    house: dict[str, Any] = {}
    for key, value in given.items():
        name, words = NAMED.get(key, (key, {}))
        if name in AS_HOUSE:
            setting = house_settings()[AS_HOUSE[name]]
            house[setting.key] = not setting.default if value == OTHER else value
        elif name in pack.readings:
            readings[name] = (
                _other(pack, name) if value == OTHER else words.get(value, value) if words else value
            )
        elif name in house_settings():
            house[name] = value
        elif name not in OF_THE_CASE:
            raise Malformed(f"no setting or reading {key!r} here")
    return readings, house


AS_HOUSE: Mapping[str, str] = {"A-51": "hand_deal_announces_no_more_bets"}
"""Readings that are a house setting; the other option of a yes is no."""
OF_THE_CASE = frozenset({"counted_positions", "continuous_shuffler", "counting_device"})
"""Settings of a table and its devices, which the kind itself reads."""


def _other(pack: Pack, name: str) -> Any:
    """The option of a two-way reading that is not the default."""
    reading = pack.readings[name]
    others = [one for one in reading.options if one != reading.default]
    if len(others) != 1:
        raise Malformed(f"{name} has {len(reading.options)} options: say which as `option`")
    return others[0]
