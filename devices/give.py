"""Giving commands to tables and devices in the name of a device, within a transaction of the caller's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec

from devices.domain.meaning import Saying
from devices.domain.state import BESIDE_THE_TABLE
from devices.domain.watch import Place
from devices.models import Device
from pit.record import door, registry, selectors
from pit.record.contract import By, Refused
from tables.domain.commands import COMMANDS
from tables.domain.state import TableState


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an entry: a word for the list of entries, and what the table said."""

    word: str
    detail: str = ""


NOTED = Outcome(word="noted")


class Giver:
    """Everything that the entries of one gateway lead to. Call `hold` before the first `give`."""

    def __init__(self, devices: Sequence[Device], *, now: datetime) -> None:
        self.now = now
        self._tables = {one.pk: f"table:{one.table_id}" for one in devices if one.table_id is not None}
        self._streams = sorted({*self._tables.values(), *(one.stream for one in devices)})
        self._places: dict[int, Place | None] = {}
        self._states: dict[str, TableState] = {}

    def hold(self) -> None:
        """Locks every stream that may be written, in the order in which everybody locks them."""
        door.hold(self._streams)
        looks = selectors.looks(sorted(set(self._tables.values())), now=self.now)
        self._states = {one.stream: one.state for one in looks}

    def place(self, device: Device) -> Place | None:
        """What the table knows of this device; None where it stands at none."""
        stream = self._tables.get(device.pk)
        state = self._states.get(stream) if stream else None
        if state is None or state.config is None:
            return None
        own = next((one for one in state.config.devices if one.id == device.key), None)
        return Place(
            device=device.key,
            batches={one.back.strip().casefold(): one.id for one in state.config.batches},
            cards=state.config.stack_cards,
            counts=own is not None and own.counts,
        )

    def give(self, device: Device, sayings: Sequence[Saying], *, key: str, at: datetime) -> Outcome:
        """Gives them one after the other; the outcome is that of the table where it was asked anything."""
        outcome = NOTED
        for nth, saying in enumerate(sayings):
            if saying.to == "table" and _beside(device, saying):
                continue
            found = self._one(device, saying, key=short(f"{key}.{nth}"), at=at)
            outcome = found if saying.to == "table" or outcome is NOTED else outcome
        return outcome

    def _one(self, device: Device, saying: Saying, *, key: str, at: datetime) -> Outcome:
        stream = device.stream if saying.to == "device" else self._tables[device.pk]
        by = by_of(device)
        if saying.quiet and (refused := self._past_it(stream, saying, by, at)):
            return Outcome(word="known", detail=f"{saying.command}: {refused.code}")
        command = door.Raw(
            saying.command, {name: one for name, one in saying.fields.items() if one is not None}
        )
        answer = door.submit(command, stream=stream, by=by, key=key, now=self.now, at=at)
        if answer.refused is not None:
            return Outcome(
                word="refused",
                detail=f"{saying.command}: {answer.refused.code} {answer.refused.message}"[:200],
            )
        if saying.to == "table":
            self._states[stream] = answer.state
        return Outcome(word="applied", detail=saying.command)

    def _past_it(self, stream: str, saying: Saying, by: By, at: datetime) -> Refused | None:
        """A routine step that does not fit where the table stands: somebody recorded it already, or it is not played
        by these steps. Nothing was attempted, so nothing is refused."""
        look = selectors.look(stream, now=at)
        shape = COMMANDS.get(saying.command)
        if look is None or shape is None:
            return None
        verdict: Any = registry.must("table").decide(
            look.state, msgspec.convert(dict(saying.fields), shape), by=by, rules=look.rules, now=at
        )
        return verdict if isinstance(verdict, Refused) else None


def _beside(device: Device, saying: Saying) -> bool:
    """A round counter is no equipment of the table: of its own faults the table hears nothing."""
    return device.kind in BESIDE_THE_TABLE and "device" in saying.fields


def by_of(device: Device) -> By:
    """Who stands behind what a device says."""
    name = " ".join(part for part in (device.key, device.maker, device.model, device.serial) if part)
    return By(
        kind="device",
        id=device.pk,
        name=name,
        role="device",
        badge=device.key,
        property_id=device.property_id,
    )


def short(key: str) -> str:
    """The key as the door takes it."""
    return (
        key
        if len(key) <= 64 and key.isascii() and " " not in key
        else f"k{sha256(key.encode()).hexdigest()[:60]}"
    )
