"""decide and evolve of the device stream. Total, deterministic; the answer to a bad command is a Refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from devices.domain import canon
from devices.domain import commands as c
from devices.domain import events as e
from devices.domain.state import DeviceState, OpenFault
from pit.record.contract import By, Entry, Refused, refusal

KEEPERS = frozenset({"technician", "administrator"})
"""Who registers and moves devices."""
LONGEST = 60
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,39}")
_HASH = re.compile(r"([0-9a-f]{64})?")


class DeviceRules(msgspec.Struct, frozen=True, kw_only=True):
    """Devices stand on the house's own procedure; the regulation speaks of them where they stand at a table."""

    version: str = "house"
    house: Mapping[str, Any] = {}


def decide(
    state: DeviceState, command: Any, *, by: By, rules: DeviceRules, now: datetime
) -> Sequence[e.Event] | Refused:
    """The events that follow from the command, or every reason against it."""
    if isinstance(command, c.RaiseFault | c.EndFault | c.NoteMismatch):
        return _by_device(state, command, by)
    reasons = _authority(by)
    found = _WAYS[type(command)](state, command)
    if isinstance(found, Refused):
        return refusal([*reasons, found])
    return refusal(reasons) if reasons else found


def _authority(by: By) -> list[Refused]:
    if by.kind == "system" or (by.kind == "person" and by.role in KEEPERS):
        return []
    text = "Devices are registered and moved by a technician or an administrator."
    return [_refused("ROLE_NOT_PERMITTED", text, status=403, next_step="Call a technician")]


def _by_device(state: DeviceState, command: Any, by: By) -> Sequence[e.Event] | Refused:
    """A device says a thing once: what is open stays open, what is over is over."""
    if by.kind not in ("device", "system"):
        return _refused("ROLE_NOT_PERMITTED", "Only the device itself says this.", status=403)
    match command:
        case c.RaiseFault() if command.code not in canon.FAULTS:
            return _refused(
                "UNKNOWN_FAULT", "There is no such fault.", status=422, fields={"code": "unknown"}
            )
        case c.RaiseFault() if state.fault(command.code, command.seat) is None:
            told = msgspec.structs.asdict(command)
            return [e.FaultRaised(**told, table=state.table_number)]
        case c.EndFault() if state.fault(command.code, command.seat) is not None:
            return [e.FaultEnded(**msgspec.structs.asdict(command))]
        case c.NoteMismatch():
            return [e.MismatchNoted(**msgspec.structs.asdict(command))]
    return []


def _register(state: DeviceState, command: c.RegisterDevice) -> Sequence[e.Event] | Refused:
    wrong = {
        "key": _KEY.fullmatch(command.key) is not None and state.key in ("", command.key),
        "serial": 0 < len(command.serial.strip()) <= LONGEST,
        "maker": len(command.maker) <= LONGEST,
        "model": len(command.model) <= LONGEST,
        "approval_ref": len(command.approval_ref) <= LONGEST,
        "seal": len(command.seal) <= LONGEST,
        "firmware": _HASH.fullmatch(command.firmware) is not None,
    }
    fields = {name: "cannot be this" for name, holds in wrong.items() if not holds}
    if fields:
        return _refused("MALFORMED", "The device cannot be registered so.", status=422, fields=fields)
    if state.status == "retired":
        return _retired()
    if state.status == "installed" and not command.approval_ref.strip():
        return _not_approved()
    told = msgspec.structs.asdict(command)
    if all(getattr(state, name) == value for name, value in told.items()):
        return _refused("NOTHING_CHANGES", "It stands so already.")
    return [e.DeviceRegistered(**told)]


def _install(state: DeviceState, command: c.InstallDevice) -> Sequence[e.Event] | Refused:
    if not state.key:
        return _refused("NOT_REGISTERED", "This device is not registered yet.")
    if state.status == "retired":
        return _retired()
    if not state.approval_ref.strip():
        return _not_approved()
    if state.table == command.table:
        return _refused("NOTHING_CHANGES", "It stands there already.")
    return [e.DeviceInstalled(table=command.table, number=command.number, was=state.table_number)]


def _store(state: DeviceState, command: c.StoreDevice) -> Sequence[e.Event] | Refused:
    if state.status != "installed":
        return _refused("NOT_AT_A_TABLE", "It stands at no table.")
    return [e.DeviceStored(was=state.table_number, to=command.to[:LONGEST])]


def _retire(state: DeviceState, command: c.RetireDevice) -> Sequence[e.Event] | Refused:
    if state.status == "retired":
        return _retired()
    if state.status == "installed":
        text = f"It stands at {state.table_number}."
        return _refused("STILL_AT_A_TABLE", text, next_step="Take it off the table first")
    if not command.reason.strip():
        return _refused("TEXT_REQUIRED", "Say why.", status=422, fields={"reason": "needed"})
    return [e.DeviceRetired(reason=command.reason.strip()[:200])]


def _service(state: DeviceState, command: c.RecordService) -> Sequence[e.Event] | Refused:
    fields = {} if command.work.strip() else {"work": "needed"}
    if _HASH.fullmatch(command.firmware) is None:
        fields["firmware"] = "64 hexadecimal digits"
    if fields:
        return _refused("MALFORMED", "Say what was done.", status=422, fields=fields)
    if not state.key or state.status == "retired":
        return _retired() if state.key else _refused("NOT_REGISTERED", "This device is not registered yet.")
    return [
        e.DeviceServiced(
            work=command.work.strip()[:200], seal=command.seal[:LONGEST], firmware=command.firmware
        )
    ]


_WAYS: dict[type[Any], Any] = {
    c.RegisterDevice: _register,
    c.InstallDevice: _install,
    c.StoreDevice: _store,
    c.RetireDevice: _retire,
    c.RecordService: _service,
}


def evolve(state: DeviceState, entry: Entry) -> DeviceState:
    """The state after one entry; an event of a later software version changes nothing here."""
    replace = msgspec.structs.replace
    match entry.event:
        case e.DeviceRegistered() as event:
            status = state.status or "stored"
            since = state.since or entry.at
            return replace(state, **msgspec.structs.asdict(event), status=status, since=since)
        case e.DeviceInstalled(table=table, number=number):
            return replace(state, status="installed", table=table, table_number=number, since=entry.at)
        case e.DeviceStored():
            return replace(state, status="stored", table=None, table_number="", since=entry.at)
        case e.DeviceRetired():
            return replace(state, status="retired", since=entry.at, faults=())
        case e.DeviceServiced() as event:
            kept = {"seal": event.seal or state.seal, "firmware": event.firmware or state.firmware}
            left = tuple(one for one in state.faults if one.code != "DEVICE_SEAL_BROKEN")
            return replace(state, last_service=event.work, faults=left, **kept)
        case e.FaultRaised(code=code) if code in canon.MOMENTARY:
            return state
        case e.FaultRaised() as event:
            opened = OpenFault(code=event.code, since=entry.at, seat=event.seat, detail=event.detail)
            return replace(state, faults=(*state.faults, opened))
        case e.FaultEnded(code=code, seat=seat):
            return replace(
                state, faults=tuple(one for one in state.faults if (one.code, one.seat) != (code, seat))
            )
        case _:
            return state


def _refused(code: str, message: str, *, status: Any = 409, **more: Any) -> Refused:
    return Refused(code=code, clause="house", cite="house procedure", message=message, status=status, **more)


def _retired() -> Refused:
    return _refused("DEVICE_RETIRED", "This device has been retired.")


def _not_approved() -> Refused:
    text = "Only a device with its approval reference may stand at a table."
    return _refused("DEVICE_NOT_APPROVED", text, next_step="Register its approval first")
