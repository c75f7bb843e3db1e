"""The simulated boxes and the machines behind them. What they say is in their makers' own codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec

from devices import makers
from devices.domain import canon
from devices.domain.vendor import CodeTable
from devices.gateways.wire import CONTRACT, Data, Happening, Journal, Kind, Seen, Snapshot

JOURNAL_KEPT = 5_000
"""Entries that a box keeps; older ones are forgotten, as in a real one."""
STOPPING = frozenset({"SHUF_JAM", "SHUF_INCOMPLETE", "SHUF_INOP", "SHOE_JAM", "SHOE_STOPPED",
                      "READER_INOP", "RNG_INOP", "SHAKER_INOP_UNCOVERED"})  # fmt: skip
"""Faults with which the machine stands still."""


class MachineSpec(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One device of a floor file for the simulator."""

    id: str
    kind: Kind
    serial: str = ""
    maker: str = ""
    model: str = ""
    table: str = ""
    backs: list[str] = []
    cards: int = 0
    seats: int = 7


class BoxSpec(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One gateway of a floor file for the simulator."""

    name: str
    token: str = ""
    devices: list[MachineSpec] = []


class FloorSpec(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What the simulator plays."""

    boxes: list[BoxSpec]


@dataclass
class Machine:
    """One device. `inside`: back of the batch that it holds."""

    spec: MachineSpec
    at: datetime
    serial: str = ""
    state: str = "ready"
    mode: str = ""
    cycles: int = 1000
    cards: int | None = None
    inside: str = ""
    seal: str = "intact"
    faults: list[str] = field(default_factory=list)
    """Canonical codes of the faults that stand."""

    @property
    def codes(self) -> CodeTable:
        return makers.table_of(self.spec.maker, self.spec.model)

    def raw(self, code: str, *, over: bool = False) -> str:
        """The maker's own word for a canonical code; the canonical one where he has none."""
        own = (raw for raw, one in self.codes.code.items() if (one.means, one.over) == (code, over))
        return next(own, f"{code}_OVER" if over else code)

    def seen(self) -> Seen:
        return Seen(
            id=self.spec.id,
            serial=self.serial,
            kind=self.spec.kind,
            state=self.state,  # type: ignore[arg-type]
            at=self.at,
            maker=self.spec.maker,
            model=self.spec.model,
            firmware=sha256(f"{self.spec.maker}{self.spec.model}".encode()).hexdigest(),
            seal=self.seal,  # type: ignore[arg-type]
            mode=self.mode,
            cycles=self.cycles if self.mode else None,
            cards=self.cards,
            batch=self.inside,
            faults=[self.raw(code) for code in self.faults],
        )


class Box:
    """One gateway. `behaviour` is how it answers: "well", or one of `server.BEHAVIOURS`."""

    def __init__(self, spec: BoxSpec, *, now: Callable[[], datetime], boot: str) -> None:
        self.name, self.token, self.behaviour = spec.name, spec.token, "well"
        self.boot = self.first_boot = boot
        self.skew_s = 0.0
        self.now = now
        self.journal: list[Happening] = []
        self.last = 0
        self.boots = 1
        self.machines = {one.id: _machine(one, now()) for one in spec.devices}
        self.asked = 0

    def put(
        self, device: str, code: str, *, over: bool = False, at: datetime | None = None, **data: Any
    ) -> int:
        """Something happens at a device: the machine changes, and the journal has it. Gives the entry's number."""
        machine, now = self.machines[device], at or self.now()
        machine.at = now
        _turn(machine, code, over=over, data=data)
        return self.write(device, machine.raw(code, over=over), at=now, **data)

    def write(self, device: str, raw: str, *, at: datetime | None = None, **data: Any) -> int:
        """An entry in the maker's own words, whatever they are."""
        self.last += 1
        entry = Happening(id=self.last, device=device, at=at or self.now(), code=raw, data=Data(**data))
        self.journal = [*self.journal[1 - JOURNAL_KEPT :], entry]
        return self.last

    def reboot(self, *, keep: bool = False) -> None:
        """The box starts again: another boot, and a journal that begins with 1. `keep`: it writes down again what nobody
        had fetched."""
        old = self.journal if keep else []
        self.boots += 1
        self.boot, self.journal, self.last = f"{self.first_boot}.{self.boots}", [], 0
        for one in old:
            self.last += 1
            self.journal.append(msgspec.structs.replace(one, id=self.last))

    def snapshot(self) -> Snapshot:
        devices = [machine.seen() for machine in self.machines.values()]
        return Snapshot(cursor=self.last, devices=devices, **self._head())

    def etag(self) -> str:
        """A tag of all that the devices are, but not of the time."""
        seen = [machine.seen() for machine in self.machines.values()]
        return f'"{sha256(msgspec.json.encode([self.boot, self.last, seen])).hexdigest()[:16]}"'

    def events(self, after: int, limit: int) -> Journal:
        first = self.journal[0].id if self.journal else 0
        later = self.journal[max(0, after + 1 - first) :] if self.journal else []
        given = later[:limit]
        cursor = given[-1].id if given else min(after, self.last)
        return Journal(first=first, cursor=cursor, more=len(later) > limit, events=given, **self._head())

    def _head(self) -> Mapping[str, Any]:
        time = self.now() + timedelta(seconds=self.skew_s)
        return {"contract": CONTRACT, "gateway": self.name, "boot": self.boot, "time": time}


def _machine(spec: MachineSpec, now: datetime) -> Machine:
    shuffles = spec.kind in ("shuffler", "continuous", "counting")
    two = spec.kind == "shuffler" and len(spec.backs) > 1
    return Machine(
        spec=spec,
        at=now,
        serial=spec.serial or f"{(spec.maker or 'X')[:2].upper()}-{spec.id}",
        mode="SHUFFLE" if shuffles else "",
        cards=spec.cards if shuffles else None,
        inside=spec.backs[-1] if two else "",
    )


def _turn(machine: Machine, code: str, *, over: bool, data: Mapping[str, Any]) -> None:
    """What a happening changes at the machine."""
    if code in canon.FAULTS and code not in canon.MOMENTARY:
        standing = [one for one in machine.faults if one != code]
        machine.faults = standing if over else [*standing, code]
        machine.state = "fault" if STOPPING.intersection(machine.faults) else "ready"
    if code == "CYCLE_DONE":
        machine.cycles = data.get("cycles", machine.cycles)
    if code == "LOADED":
        machine.inside = data.get("batch", "")
    if code == "UNLOADED":
        machine.inside = ""
    if code == "DEVICE_SEAL_BROKEN":
        machine.seal = "broken"
    if data.get("mode"):
        machine.mode = data["mode"]
    if data.get("cards") is not None:
        machine.cards = data["cards"]


class Floor:
    """All boxes, by name."""

    def __init__(self, spec: FloorSpec, *, now: Callable[[], datetime]) -> None:
        boot = f"b{now():%Y%m%dT%H%M%S}"
        self.boxes = {one.name: Box(one, now=now, boot=boot) for one in spec.boxes}
        self.now = now

    def machines(self) -> Sequence[tuple[Box, Machine]]:
        return [(box, machine) for box in self.boxes.values() for machine in box.machines.values()]

    def find(self, device: str, box: str = "") -> Box:
        """The box behind which a device is; of several houses the one of that box. KeyError when there is none."""
        for one in self.boxes.values():
            if device in one.machines and box in ("", one.name):
                return one
        raise KeyError(device)

    def at_table(self, table: str) -> Sequence[tuple[Box, Machine]]:
        return [(box, machine) for box, machine in self.machines() if machine.spec.table == table]
