"""[[gateway]] and [[device]] of a floor file: the boxes in the pits, and the devices behind them with their place.

A device is asked of its stream like from everybody else, so an unapproved one at a table is refused here with the door's
own code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import msgspec
from django.conf import settings

from devices import registry
from devices.domain.state import BESIDE_THE_TABLE, Kind
from devices.gateways import hosts
from devices.models import Device, Gateway
from pit.floor.door import IMPORT
from pit.floor.importer import differences, told
from pit.floor.registry import Change, Floor, register_importer
from pit.floor.source import Problem, Row
from pit.record import codec
from pit.record.models import Stream
from tables.domain.state import TableState
from tables.models import Table

LEAST_MS = 200


class GatewayRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[gateway]]. `credential` names the token or certificate in the site's folder of secrets."""

    name: str
    url: str
    credential: str = ""
    interval_ms: int = 1000
    grace_s: int = 10


class DeviceRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[device]]. `id` is the device's name in its table's set-up and its place at the gateway."""

    id: str
    kind: Kind
    serial: str
    maker: str = ""
    model: str = ""
    approval_ref: str = ""
    seal: str = ""
    firmware: str = ""
    gateway: str = ""
    table: str = ""


def register() -> None:
    """Called once at start."""
    register_importer("gateway", GatewayRow, plan_gateways, apply_gateway, order=60)
    register_importer("device", DeviceRow, plan_devices, apply_device, order=61)


def plan_gateways(rows: Sequence[Row[GatewayRow]], floor: Floor) -> list[Change]:
    """Gateways by their name."""
    held = {one.name: one for one in Gateway.objects.filter(property=floor.property)}
    changes, seen = [], set[str]()
    for row in rows:
        problems = _gateway_problems(row, seen)
        seen.add(row.data.name)
        floor.problems += problems
        if not problems:
            found = held.get(row.data.name)
            wanted = msgspec.to_builtins(row.data)
            detail = differences({name: getattr(found, name) for name in wanted}, wanted) if found else ""
            sign = "+" if found is None else "~" if detail else "="
            changes.append(Change(sign, f"gateway {row.data.name}", row, detail))  # type: ignore[arg-type]
    return changes


def _gateway_problems(row: Row[GatewayRow], seen: set[str]) -> list[Problem]:
    data = row.data
    address = hosts.wrong(data.url, settings.GATEWAY_HOSTS)
    checks = {
        "name": (0 < len(data.name) <= 40 and data.name not in seen, "1 to 40 characters, each name once"),
        "url": (not address, address),
        "interval_ms": (LEAST_MS <= data.interval_ms <= 60_000, f"{LEAST_MS} to 60000"),
        "grace_s": (1 <= data.grace_s <= 600, "1 to 600"),
    }
    return [row.problem(name, text) for name, (holds, text) in checks.items() if not holds]


def apply_gateway(change: Change, floor: Floor) -> None:
    data: GatewayRow = change.row.data
    fields = {name: value for name, value in msgspec.to_builtins(data).items() if name != "name"}
    Gateway.objects.update_or_create(property=floor.property, name=data.name, defaults=fields)


def plan_devices(rows: Sequence[Row[DeviceRow]], floor: Floor) -> list[Change]:
    """Devices by their id; a device may be moved to another table."""
    held = {
        one.key: one
        for one in Device.objects.filter(property=floor.property).select_related("gateway", "table")
    }
    tables = {one.number: one for one in Table.objects.filter(property=floor.property)}
    names = set(Gateway.objects.filter(property=floor.property).values_list("name", flat=True))
    equipment = _equipment(list(tables.values()))
    changes, seen = [], set[str]()
    for row in rows:
        problems = _device_problems(row, seen, tables, names, equipment)
        seen.add(row.data.id)
        floor.problems += problems
        if not problems:
            found = held.get(row.data.id)
            detail = differences(_held(found), _wanted(row.data)) if found else ""
            sign = "+" if found is None else "~" if detail else "="
            work = (found, tables.get(row.data.table))
            changes.append(Change(sign, f"device {row.data.id}", row, detail, work=work))  # type: ignore[arg-type]
    return changes


def _equipment(tables: Sequence[Table]) -> dict[str, dict[str, str]]:
    """Number of the table → id of the device → kind, as the tables are set up."""
    states = dict(Stream.objects.filter(name__in=[one.stream for one in tables]).values_list("name", "state"))
    found: dict[str, dict[str, str]] = {}
    for table in tables:
        config = codec.loads(states[table.stream], TableState).config if table.stream in states else None
        found[table.number] = {one.id: one.kind for one in config.devices} if config else {}
    return found


def _device_problems(
    row: Row[DeviceRow],
    seen: set[str],
    tables: dict[str, Table],
    gateways: set[str],
    equipment: dict[str, dict[str, str]],
) -> list[Problem]:
    data = row.data
    beside = data.kind in BESIDE_THE_TABLE
    has = equipment.get(data.table, {})
    checks = {
        "id": (0 < len(data.id) <= 40 and data.id not in seen, "1 to 40 characters, each id once"),
        "gateway": (not data.gateway or data.gateway in gateways, f"there is no gateway {data.gateway} here"),
        "table": (not data.table or data.table in tables, f"there is no table {data.table} here"),
    }
    problems = [row.problem(name, text) for name, (holds, text) in checks.items() if not holds]
    if not problems and data.table and not beside and has.get(data.id) != data.kind:
        text = f"table {data.table} is not set up with a {data.kind.replace('_', ' ')} {data.id}"
        problems.append(row.problem("table", text))
    return problems


def _held(device: Device) -> dict[str, Any]:
    return {
        "kind": device.kind,
        "serial": device.serial,
        "maker": device.maker,
        "model": device.model,
        "approval_ref": device.approval_ref,
        "seal": device.seal,
        "firmware": device.firmware,
        "gateway": device.gateway.name if device.gateway else "",
        "table": device.table.number if device.table else "",
    }


def _wanted(data: DeviceRow) -> dict[str, Any]:
    return {name: value for name, value in msgspec.to_builtins(data).items() if name != "id"}


def apply_device(change: Change, floor: Floor) -> None:
    """Registers the device, or corrects it, and puts it where it stands."""
    data: DeviceRow = change.row.data
    found, table = change.work
    device = found or registry.create(floor.property, data.id, by=IMPORT, now=floor.now)
    for answer in (
        registry.describe(
            device, {**_wanted(data), "key": data.id}, by=IMPORT, now=floor.now, key=uuid4().hex
        ),
        registry.place(device, table, by=IMPORT, now=floor.now, key=uuid4().hex),
    ):
        if answer is not None and answer.refused is not None and answer.refused.code != "NOTHING_CHANGES":
            floor.problems += [change.row.problem(name, text) for name, text in told(answer.refused, "")]
