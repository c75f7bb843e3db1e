"""What may be asked of a table about the integrity of its cards: faults of devices, counts, cards that must not stay."""

from __future__ import annotations

from tables.domain.command import Command, Number, Seat, Whole
from tables.domain.state import DeviceSpec


class ReportFault(Command, frozen=True, tag=True, kw_only=True):
    """A device shows a fault. `code`: one of `faults.CODES`; `expected` and `found` where it counted."""

    device: str
    code: str
    batch: str = ""
    seat: Seat | None = None
    expected: Whole | None = None
    found: Whole | None = None
    detail: str = ""


class ClearFault(Command, frozen=True, tag=True, kw_only=True):
    """The condition is over by itself. A latched hold stays (K2)."""

    device: str
    code: str
    seat: Seat | None = None


class ReleaseFault(Command, frozen=True, tag=True, kw_only=True):
    """The supervisor lifts a latched hold, after a count or a reshuffle, with a reason."""

    device: str
    code: str
    reason: str
    seat: Seat | None = None


class EmptyDevice(Command, frozen=True, tag=True, kw_only=True):
    """The device was emptied. `cards`: how many were found inside; they are reconciled (K7)."""

    device: str
    cards: Number = None


class RepairDevice(Command, frozen=True, tag=True, kw_only=True):
    """The device was repaired; it is not yet back in service."""

    device: str
    repair: str


class TestDevice(Command, frozen=True, tag=True, kw_only=True):
    """The device was tested."""

    __test__ = False  # no test of ours, whatever its name
    device: str
    passed: bool = True
    detail: str = ""


class SwapDevice(Command, frozen=True, tag=True, kw_only=True):
    """Another device comes to the table, in place of `replaces` where one is named. `device` None: it only leaves."""

    device: DeviceSpec | None = None
    replaces: str = ""


class RecordSpill(Command, frozen=True, tag=True, kw_only=True):
    """Cards fell or were scattered: they are counted before play goes on (K4)."""

    batch: str = ""
    detail: str = ""


class RequireCount(Command, frozen=True, tag=True, kw_only=True):
    """The supervisor has the cards counted."""

    reason: str
    batch: str = ""


class ReportCard(Command, frozen=True, tag=True, kw_only=True):
    """An unsuitable card: `finding` damaged, marked, missing, extra, duplicate, wrong_back or flawed."""

    finding: str
    rank: str
    suit: str
    back: str = ""
    batch: str = ""


class ReplaceCard(Command, frozen=True, tag=True, kw_only=True):
    """The replacement, told by the one and confirmed by the other: exactly that rank, suit and back (K6)."""

    rank: str
    suit: str
    back: str


class SampleCards(Command, frozen=True, tag=True, kw_only=True):
    """A sample of a pre-shuffled set was looked at. `in_order`: the cards lie in factory order (K8)."""

    cards: Whole
    in_order: bool = False


COMMANDS: tuple[type[Command], ...] = (
    ReportFault,
    ClearFault,
    ReleaseFault,
    EmptyDevice,
    RepairDevice,
    TestDevice,
    SwapDevice,
    RecordSpill,
    RequireCount,
    ReportCard,
    ReplaceCard,
    SampleCards,
)
