"""What the page of one device shows: its hours, its history, its way back from out of order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import msgspec

from devices.domain import canon, uptime
from devices.models import Device, JournalEntry
from pit.record.models import Event
from tables import reading, words
from tables.domain.commands import COMMANDS
from tables.domain.state import TableState

STRIP = timedelta(hours=24)
LINES = 60
ROUND_A_DEVICE = frozenset(
    {
        "DeviceOutOfOrder",
        "DeviceCovered",
        "DeviceSigned",
        "DeviceEmptied",
        "DeviceRepaired",
        "DeviceTested",
        "DeviceReturned",
        "FaultReported",
        "FaultCleared",
        "FaultReleased",
    }
)
"""Events of a table that belong to a device's history too."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a device's history."""

    at: datetime
    words: str
    who: str
    where: str = ""
    refused: bool = False
    signed: bool = False


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step on the way back from out of order: done at `at`, or to be done by `link`."""

    words: str
    at: datetime | None = None
    link: str = ""


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the strip, in minutes from its left edge."""

    x: str
    width: str
    what: str
    title: str


def history(device: Device, *, limit: int = LINES) -> list[Line]:
    """The newest entries of the device's own stream and of the tables it stood at, newest first."""
    own = list(Event.objects.filter(stream=device.stream).order_by("-seq")[:limit])
    tables = {f"table:{one}" for one in _stood_at(device)}
    theirs = Event.objects.filter(
        stream__in=tables, kind__in=ROUND_A_DEVICE, data__contains=f'"device":"{device.key}"'
    )
    found = [*own, *theirs.order_by("-recorded_at")[:limit]]
    return [_line(row) for row in sorted(found, key=lambda row: (row.at, row.id), reverse=True)[:limit]]


def _stood_at(device: Device) -> set[int]:
    """Tables at which it ever stood."""
    rows = Event.objects.filter(stream=device.stream, kind="DeviceInstalled").values_list("data", flat=True)
    return {int(msgspec.json.decode(text)["table"]) for text in rows}


def _line(row: Event) -> Line:
    data: Mapping[str, Any] = msgspec.json.decode(row.data)
    return Line(
        at=row.at,
        words=_words(row.kind, data),
        who=row.actor_name,
        where=data.get("number", "") or data.get("table", "")
        if isinstance(data.get("table", ""), str)
        else "",
        refused=row.kind == "Refused",
        signed=row.signed,
    )


def _words(kind: str, data: Mapping[str, Any]) -> str:
    match kind:
        case "FaultRaised" | "FaultReported":
            seat = f", seat {data['seat']}" if data.get("seat") else ""
            detail = f" ({data['detail']})" if data.get("detail") else ""
            return f"{canon.word(data['code'])}{seat}{detail}"
        case "FaultEnded" | "FaultCleared":
            return f"Over by itself: {canon.word(data['code']).lower()}"
        case "DeviceRegistered":
            return f"Registered: {data['maker']} {data['model']} {data['serial']}".replace("  ", " ")
        case "DeviceInstalled":
            return f"Came to {data['number']}" + (f" from {data['was']}" if data.get("was") else "")
        case "DeviceStored":
            return f"Left {data['was']}" + (f" for {data['to']}" if data.get("to") else "")
        case "DeviceRetired":
            return f"Retired: {data['reason']}"
        case "DeviceServiced":
            return f"Serviced: {data['work']}"
        case "MismatchNoted":
            return f"Another {data['what']} than registered: {data['found'][:24]}"
    return words.entry(kind, data)


def strip(device: Device, *, now: datetime) -> tuple[list[Block], float]:
    """The last 24 hours as blocks, and the part of them for which it was well."""
    since = now - STRIP
    rows = Event.objects.filter(stream=device.stream, kind__in=("FaultRaised", "FaultEnded")).order_by("seq")
    turns = [_turn(row) for row in rows.only("at", "kind", "data")[:2_000]]
    heard = device.readings.order_by("at").values_list("at", flat=True).first()
    found = uptime.stretches(
        [one for one in turns if one.code not in canon.MOMENTARY], heard_since=heard, since=since, until=now
    )
    blocks = [
        Block(
            x=f"{(one.since - since).total_seconds() / 60:.1f}",
            width=f"{max(one.seconds / 60, 1):.1f}",
            what=one.what,
            title=f"{one.what} for {round(one.seconds / 60)} min",
        )
        for one in found
    ]
    return blocks, uptime.share(found, "well")


def _turn(row: Event) -> uptime.Turn:
    data = msgspec.json.decode(row.data)
    return uptime.Turn(at=row.at, code=data["code"], begins=row.kind == "FaultRaised", seat=data.get("seat"))


def way_back(device: Device, *, now: datetime) -> list[Step]:
    """What has been done, and what is still to do, until the device may be used again ((h)(2), K7)."""
    if device.table is None:
        return []
    found = reading.read(device.table.stream, now=now)
    at_table = found.state.device(device.key) if found else None
    if found is None or at_table is None:
        return []
    fault = at_table.fault or ", ".join(one["code"] for one in device.open_faults)
    if not at_table.failed:
        held = [one for one in _holds(found.state, device) if one]
        released = [_step("Hold released, signed", None, device, "ReleaseFault")] if held else []
        return [*released, _step("Declared out of order", None, device, "DeclareOutOfOrder", fault=fault)]
    done = [_step("Declared out of order", at_table.failed_at, device, "DeclareOutOfOrder")]
    covered = at_table.covered_at or at_table.signed_at
    done.append(_step("Covered, or the sign on it", covered, device, "CoverDevice"))
    for text, field, command in (
        ("Emptied, its cards counted", "emptied_at", "EmptyDevice"),
        ("Repaired", "repaired_at", "RepairDevice"),
        ("Tested", "tested_at", "TestDevice"),
    ):
        if command in COMMANDS:
            done.append(_step(text, getattr(at_table, field, None), device, command))
    return [*done, _step("Returned to service, signed", None, device, "ReturnDevice")]


def _holds(state: TableState, device: Device) -> Sequence[str]:
    return [one.kind for one in state.holds if device.key in one.detail]


def _step(text: str, at: datetime | None, device: Device, command: str, **fields: str) -> Step:
    if at is not None or command not in COMMANDS:
        return Step(words=text, at=at)
    query = urlencode({"device": device.key, **{name: value for name, value in fields.items() if value}})
    return Step(words=text, link=f"/tables/{device.table_id}/{command}?{query}")


def journal(device: Device, *, limit: int = 30) -> list[JournalEntry]:
    """What it told last, and what became of it."""
    return list(JournalEntry.objects.filter(device=device)[:limit])
