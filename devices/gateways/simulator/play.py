"""What happens at the simulated tables: rounds, cover cards, shuffles, faults by chance, and scripts.

Everything follows from the seed and from the moments at which `step` is called: nothing here waits or reads a clock.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from devices.domain import canon
from devices.gateways.simulator.floor import Box, Floor, Machine
from devices.gateways.simulator.scripts import SCRIPTS

COUNTERS = frozenset({"counter", "counting", "continuous", "dealing_shoe"})
"""Kinds that see rounds."""
BY_KIND: dict[str, tuple[str, ...]] = {
    "shuffler": (
        "SHUF_JAM",
        "SHUF_JAM",
        "SHUF_INCOMPLETE",
        "SHUF_CARD_UNREAD",
        "SHUF_COUNT_SHORT",
        "SHUF_INOP",
    ),
    "continuous": ("SHUF_JAM", "SHUF_CARD_UNREAD", "SHUF_INOP"),
    "counting": ("SHUF_JAM", "SHUF_INCOMPLETE", "SHUF_COUNT_SHORT"),
    "dealing_shoe": ("SHOE_JAM", "SHOE_FACEUP", "SHOE_STOPPED"),
    "card_reader": ("READER_INOP",),
    "shaker": ("SHAKER_INOP_UNCOVERED",),
    "rng": ("RNG_INOP",),
    "progressive": ("PROG_LINK_LOST",),
    "lights": ("SIDEBET_LIGHT_FAIL",),
}
"""Which faults come by chance, and how often beside each other."""


@dataclass(frozen=True)
class Tempo:
    """How quickly the floor plays, in seconds. `fault_every_s` is for the whole floor; 0 means no faults by chance."""

    round_s: tuple[float, float] = (20.0, 60.0)
    fault_every_s: float = 0.0
    fault_lasts_s: tuple[float, float] = (45.0, 180.0)
    rounds_a_shoe: tuple[int, int] = (55, 75)


@dataclass
class Turn:
    """What a table has ahead of it."""

    next_round: datetime
    left_in_shoe: int


@dataclass(order=True)
class Coming:
    """Something that will happen at a device."""

    at: datetime
    box: Box = field(compare=False)
    device: str = field(compare=False)
    code: str = field(compare=False)
    over: bool = field(compare=False, default=False)
    data: dict[str, Any] = field(compare=False, default_factory=dict)


class Play:
    """A shift at the floor. `deals(table)`: whether that table's dealer deals now; real ones look at the board."""

    def __init__(
        self, floor: Floor, *, seed: int, tempo: Tempo, deals: Callable[[str], bool] = lambda table: True
    ) -> None:
        self.floor, self.tempo, self.deals = floor, tempo, deals
        self.chance = random.Random(seed)  # noqa: S311 - a game, and it must be the same again
        self.coming: list[Coming] = []
        self.turns: dict[tuple[str, str], Turn] = {}
        self.next_fault: datetime | None = None
        self.cover_out: dict[str, datetime] = {}
        """Tables whose cover card came out, and when it did last."""

    def step(self, now: datetime) -> int:
        """Lets everything happen that is due; gives how much that was."""
        happened = sum(self._rounds(box, machine, now) for box, machine in self.floor.machines())
        self._faults(now)
        due = sorted(one for one in self.coming if one.at <= now)
        self.coming = [one for one in self.coming if one.at > now]
        for one in due:
            one.box.put(one.device, one.code, over=one.over, at=one.at, **one.data)
        return happened + len(due)

    def script(self, number: str, device: str, *, now: datetime, box: str = "") -> None:
        """An incident begins at a device. KeyError for a number or device that is not there."""
        found = self.floor.find(device, box)
        machine = found.machines[device]
        for line in SCRIPTS[number](machine):
            at = now + timedelta(seconds=line.after_s)
            self.coming.append(Coming(at, found, device, line.code, line.over, dict(line.data)))

    def _rounds(self, box: Box, machine: Machine, now: datetime) -> int:
        if machine.spec.kind not in COUNTERS or not machine.spec.table:
            return 0
        turn = self.turns.setdefault((box.name, machine.spec.id), Turn(self._after(now), self._shoe()))
        if now < turn.next_round:
            return 0
        turn.next_round = self._after(now)
        if machine.state in ("fault", "off") or not self.deals(machine.spec.table):
            return 0
        if machine.spec.kind == "counting":  # it shuffles and counts between the rounds
            done = {"cycles": machine.cycles + 1, "mode": "SHUFFLE", "cards": machine.spec.cards}
            box.put(machine.spec.id, "CYCLE_DONE", at=now, **done)
        box.put(machine.spec.id, "ROUND_DEALT", at=now, count=1)
        turn.left_in_shoe -= 1
        if turn.left_in_shoe <= 0:
            turn.left_in_shoe = self._shoe()
            self._shoe_over(box, machine, now)
        return 1

    def _shoe_over(self, box: Box, machine: Machine, now: datetime) -> None:
        """The cover card comes out, and the table's shuffler changes its batch."""
        if machine.spec.kind != "counter" or not machine.spec.backs:
            return
        table, seat = machine.spec.table, self.chance.randint(1, machine.spec.seats)
        self.cover_out[table] = now
        self.coming.append(
            Coming(now, box, machine.spec.id, "COVER_CARD_OUT", data={"on": "seat", "seat": seat})
        )
        for near, other in self.floor.at_table(table):
            if other.spec.kind == "shuffler" and other.state != "fault" and len(other.spec.backs) > 1:
                self._change(near, other, now + timedelta(seconds=self.chance.uniform(5, 15)))

    def _change(self, box: Box, shuffler: Machine, at: datetime) -> None:
        """The shuffled batch comes out and the other goes in."""
        backs = shuffler.spec.backs
        out = shuffler.inside or backs[0]
        into = next(back for back in backs if back != out)
        done = {"batch": into, "cycles": shuffler.cycles + 1, "mode": "SHUFFLE", "cards": shuffler.spec.cards}
        for after, code, data in (
            (0, "UNLOADED", {"batch": out, "cycles": shuffler.cycles}),
            (8, "LOADED", {"batch": into, "cycles": shuffler.cycles}),
            (100, "CYCLE_DONE", done),
        ):
            self.coming.append(Coming(at + timedelta(seconds=after), box, shuffler.spec.id, code, data=data))

    def _faults(self, now: datetime) -> None:
        if not self.tempo.fault_every_s:
            return
        if self.next_fault is not None and now >= self.next_fault:
            well = [
                (box, one)
                for box, one in self.floor.machines()
                if not one.faults and one.state != "off" and one.spec.kind in BY_KIND
            ]
            here = [(box, one) for box, one in well if self.deals(one.spec.table)]
            if here:
                self._breaks(*self.chance.choice(here), now)
            self.next_fault = now + timedelta(seconds=self.chance.expovariate(1 / self.tempo.fault_every_s))
        if self.next_fault is None:  # the first comes soon
            self.next_fault = now + timedelta(
                seconds=self.tempo.fault_every_s * self.chance.uniform(0.1, 0.2)
            )

    def _breaks(self, box: Box, machine: Machine, now: datetime) -> None:
        """A fault, and its end by itself: somebody pulled the card out, or it was only a wobble."""
        code = self.chance.choice(BY_KIND[machine.spec.kind])
        data: dict[str, Any] = {}
        if code in ("SHUF_COUNT_SHORT", "SHUF_COUNT_OVER") and machine.spec.cards:
            data = {"cards": machine.spec.cards - 1, "expected": machine.spec.cards}
        if code in canon.BY_SEAT:
            data = {"seat": self.chance.randint(1, machine.spec.seats)}
        over = now + timedelta(seconds=self.chance.uniform(*self.tempo.fault_lasts_s))
        back = {"seat": data["seat"]} if "seat" in data else {}
        self.coming += [
            Coming(now, box, machine.spec.id, code, data=data),
            Coming(over, box, machine.spec.id, code, over=True, data=back),
        ]

    def _after(self, now: datetime) -> datetime:
        return now + timedelta(seconds=self.chance.uniform(*self.tempo.round_s))

    def _shoe(self) -> int:
        return self.chance.randint(*self.tempo.rounds_a_shoe)
