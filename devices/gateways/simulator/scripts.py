"""Incidents that really happened (the number is that of the collection), as the devices would have told them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from devices.gateways.simulator.floor import Machine


@dataclass(frozen=True)
class Line:
    """One line of a script: seconds after its beginning, canonical code, what is said with it."""

    after_s: float
    code: str
    over: bool = False
    data: Mapping[str, Any] = field(default_factory=dict)


Script = Callable[[Machine], list[Line]]


def _back(machine: Machine, which: int = 0) -> str:
    backs = machine.spec.backs
    return backs[which % len(backs)] if backs else ""


def never_started(machine: Machine) -> list[Line]:
    """2: the decks were put in, the machine was never started, and they were dealt."""
    batch = {"batch": machine.inside or _back(machine)}
    idle = {**batch, "cycles": machine.cycles}
    return [Line(0, "LOADED", data=idle), Line(4, "UNLOADED", data=idle)]


def discards_loaded(machine: Machine) -> list[Line]:
    """5: the discards were loaded and the shuffler was not started: 25 hands."""
    idle = {"batch": _back(machine), "cycles": machine.cycles}
    rounds = [Line(6 + nth, "ROUND_DEALT", data={"count": 1}) for nth in range(25)]
    return [Line(0, "LOADED", data=idle), Line(5, "UNLOADED", data=idle), *rounds]


def cards_left_inside(machine: Machine) -> list[Line]:
    """6: out of service, and sixteen cards were inside: what was dealt meanwhile was short by as many."""
    whole = machine.spec.cards
    short = {"cards": max(whole - 16, 0), "expected": whole, "batch": _back(machine)}
    return [Line(0, "SHUF_INOP"), Line(3, "SHUF_COUNT_SHORT", data=short)]


def set_to_sort(machine: Machine) -> list[Line]:
    """7: the shuffler was set to SORT."""
    batch = {"batch": machine.inside or _back(machine)}
    done = {**batch, "mode": "SORT", "cycles": machine.cycles + 1, "cards": machine.spec.cards}
    return [
        Line(0, "LOADED", data={**batch, "cycles": machine.cycles, "mode": "SORT"}),
        Line(3, "CYCLE_DONE", data=done),
        Line(5, "UNLOADED", data={**batch, "mode": "SORT", "cycles": machine.cycles + 1}),
    ]


def warnings(machine: Machine) -> list[Line]:
    """8: seven warnings that nobody acted on."""
    lines = []
    for nth in range(7):
        lines += [Line(4 * nth, "SHUF_CARD_UNREAD"), Line(4 * nth + 2, "SHUF_CARD_UNREAD", over=True)]
    return lines


def red_light(machine: Machine) -> list[Line]:
    """10: the red light was ignored three times."""
    lines = []
    for nth in range(3):
        lines += [Line(5 * nth, "SHUF_INOP"), Line(5 * nth + 3, "SHUF_INOP", over=True)]
    return lines


def overridden(machine: Machine) -> list[Line]:
    """12: a jam; the error light was overridden, and a card of the other back went in."""
    return [
        Line(0, "SHUF_JAM"),
        Line(3, "SHUF_JAM", over=True),
        Line(
            5, "SHUF_CARD_WRONG_BACK", data={"batch": _back(machine), "detail": f"a {_back(machine, 1)} card"}
        ),
    ]


SCRIPTS: dict[str, Script] = {
    "2": never_started,
    "5": discards_loaded,
    "6": cards_left_inside,
    "7": set_to_sort,
    "8": warnings,
    "10": red_light,
    "12": overridden,
}
