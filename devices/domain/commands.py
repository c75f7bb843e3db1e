"""What may be asked of a device's stream."""

from __future__ import annotations

import msgspec

from devices.domain.state import Kind


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all commands; the tag is the class name."""


class RegisterDevice(Command, tag=True, kw_only=True):
    """Says what the device is, or corrects it. `key` stays for good."""

    key: str
    kind: Kind
    serial: str
    maker: str = ""
    model: str = ""
    approval_ref: str = ""
    seal: str = ""
    firmware: str = ""
    gateway: str = ""


class InstallDevice(Command, tag=True, kw_only=True):
    """The device comes to a table. Only approved ones may (K11)."""

    table: int
    number: str


class StoreDevice(Command, tag=True, kw_only=True):
    """The device leaves its table."""

    to: str = ""


class RetireDevice(Command, tag=True, kw_only=True):
    """The device is out of the house for good."""

    reason: str


class RecordService(Command, tag=True, kw_only=True):
    """A technician worked on it; seal and firmware as they are from here on (K20)."""

    work: str
    seal: str = ""
    firmware: str = ""


class RaiseFault(Command, tag=True, kw_only=True):
    """The device told a fault. `raw` is its maker's own code."""

    code: str
    seat: int | None = None
    raw: str = ""
    detail: str = ""


class EndFault(Command, tag=True, kw_only=True):
    """The device says that the fault is over. What it holds at its table is not ended by that (K2)."""

    code: str
    seat: int | None = None
    raw: str = ""


class NoteMismatch(Command, tag=True, kw_only=True):
    """The gateway tells something else than is registered: "serial", "firmware" or "kind"."""

    what: str
    registered: str
    found: str


COMMANDS: dict[str, type[Command]] = {
    one.__name__: one
    for one in (
        RegisterDevice,
        InstallDevice,
        StoreDevice,
        RetireDevice,
        RecordService,
        RaiseFault,
        EndFault,
        NoteMismatch,
    )
}
