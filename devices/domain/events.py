"""What has happened to a device. Kept for ever: add versions, never edit."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all events; the tag is the class name."""


class DeviceRegistered(Event, tag=True, kw_only=True):
    key: str
    kind: str
    serial: str
    maker: str = ""
    model: str = ""
    approval_ref: str = ""
    seal: str = ""
    firmware: str = ""
    gateway: str = ""


class DeviceInstalled(Event, tag=True, kw_only=True):
    """`was`: number of the table where it stood before."""

    table: int
    number: str
    was: str = ""


class DeviceStored(Event, tag=True, kw_only=True):
    was: str
    to: str = ""


class DeviceRetired(Event, tag=True, kw_only=True):
    reason: str


class DeviceServiced(Event, tag=True, kw_only=True):
    work: str
    seal: str = ""
    firmware: str = ""


class FaultRaised(Event, tag=True, kw_only=True):
    code: str
    seat: int | None = None
    raw: str = ""
    detail: str = ""
    table: str = ""


class FaultEnded(Event, tag=True, kw_only=True):
    code: str
    seat: int | None = None
    raw: str = ""


class MismatchNoted(Event, tag=True, kw_only=True):
    what: str
    registered: str
    found: str


EVENTS: dict[str, type[Event]] = {
    one.__name__: one
    for one in (
        DeviceRegistered,
        DeviceInstalled,
        DeviceStored,
        DeviceRetired,
        DeviceServiced,
        FaultRaised,
        FaultEnded,
        MismatchNoted,
    )
}
