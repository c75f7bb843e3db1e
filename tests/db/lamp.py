"""A tiny stream kind for the tests of the Record: a lamp that is switched, with a deadline, messages and a counter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

import msgspec

from pit.record.contract import By, Due, Entry, Message, Refused, StreamKind, refusal

FLOOR = By(id=7, name="Ana Floor", role="floorperson", badge="107")
MANAGER = By(id=8, name="Max Manager", role="pit_manager", badge="208", signed=True)
DEALER = By(id=9, name="Dora Dealer", role="dealer", badge="309", signed=True)


class Lamp(msgspec.Struct, frozen=True, kw_only=True):
    lit: bool = False
    watts: int = 0
    since: datetime | None = None
    round: int = 0
    burnt: int = 0
    overdue: bool = False
    places: frozenset[str] = frozenset()


class SwitchOn(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    watts: int
    places: tuple[str, ...] = ()


class SwitchOff(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    pass


class CountBlinks(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    count: int = 1


class SayOverdue(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    pass


class SwitchedOn(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    watts: int
    places: tuple[str, ...] = ()


class SwitchedOff(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    burnt: int


class Blinked(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    counted: ClassVar[bool] = True
    count: int


class WasLeftOn(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    pass


class LampRules(msgspec.Struct, frozen=True, kw_only=True):
    version: str = "lamps/2026-01-01"
    house: Mapping[str, int] = {}


RULES = LampRules(house={"late_entry_minutes": 15, "left_on_minutes": 10})


def decide(state: Lamp, command: Any, *, by: By, rules: LampRules, now: datetime) -> Sequence[Any] | Refused:
    match command:
        case SwitchOn(watts=watts) if state.lit or watts <= 0:
            reasons = []
            if state.lit:
                reasons.append(
                    Refused(
                        code="LIT_ALREADY", clause="L-1", message="It is lit.", next_step="Switch it off."
                    )
                )
            if watts <= 0:
                reasons.append(Refused(code="NO_POWER", clause="L-2", message="No watts.", status=422))
            return refusal(reasons)
        case SwitchOn(watts=watts, places=places):
            return [SwitchedOn(watts=watts, places=places)]
        case SwitchOff() if not state.lit:
            return Refused(code="DARK_ALREADY", clause="L-1", message="It is dark.")
        case SwitchOff():
            return [SwitchedOff(burnt=1)]
        case CountBlinks(count=count):
            return [Blinked(count=count)]
        case _:
            return [WasLeftOn()]


def evolve(state: Lamp, entry: Entry) -> Lamp:
    change = msgspec.structs.replace
    match entry.event:
        case SwitchedOn(watts=watts, places=places):
            return change(
                state, lit=True, watts=watts, since=entry.at, overdue=False, places=frozenset(places)
            )
        case SwitchedOff(burnt=burnt):
            return change(
                state, lit=False, watts=0, since=None, burnt=state.burnt + burnt, places=frozenset()
            )
        case Blinked(count=count):
            return change(state, round=state.round + count)
        case _:
            return change(state, overdue=True)


def deadlines(state: Lamp, rules: LampRules) -> Sequence[Due]:
    if not state.lit or state.since is None:
        return ()
    due_at = state.since + timedelta(minutes=rules.house["left_on_minutes"])
    return (Due(kind="left_on", due_at=due_at, clause="L-3"),)


def messages(state: Lamp, entries: Sequence[Entry], rules: LampRules) -> Sequence[Message]:
    return [
        Message(
            notification="left_on",
            to=("surveillance", "commission_staff"),
            subject="Lamp left on",
            body=f"Since {state.since:%H:%M}." if state.since else "",
            clause="L-3",
        )
        for entry in entries
        if isinstance(entry.event, WasLeftOn)
    ]


def due_command(state: Lamp, due: Due) -> Any | None:
    return SayOverdue() if due.kind == "left_on" and not state.overdue else None


COMMANDS = {shape.__name__: shape for shape in (SwitchOn, SwitchOff, CountBlinks, SayOverdue)}
EVENTS = {shape.__name__: shape for shape in (SwitchedOn, SwitchedOff, Blinked, WasLeftOn)}


def kind(**changes: Any) -> StreamKind:
    """The lamp as it is registered; `changes` replace single fields."""
    fields: dict[str, Any] = {
        "name": "lamp",
        "state": Lamp,
        "commands": COMMANDS,
        "events": EVENTS,
        "initial": Lamp,
        "decide": decide,
        "evolve": evolve,
        "clause_of": lambda command, event, rules: "L-1",
        "rules": lambda state, settings, at: RULES,
        "due_command": due_command,
        "deadlines": deadlines,
        "messages": messages,
    }
    return StreamKind(**fields | changes)
