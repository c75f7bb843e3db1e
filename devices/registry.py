"""The house's devices: making, describing, moving and retiring them, through the door."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from devices.domain.commands import InstallDevice, RegisterDevice, StoreDevice
from devices.domain.state import BESIDE_THE_TABLE
from devices.models import Device, Gateway
from pit.floor.models import Property
from pit.record import door, streams
from pit.record.contract import Answer, By, Refused
from tables.models import Table


def create(house: Property, key: str, *, by: By, now: datetime) -> Device:
    """The row of a new device and its stream; `describe` says what it is."""
    with transaction.atomic():
        device = Device.objects.create(property=house, key=key)
        topic = f"property:{house.pk}"
        streams.create(device.stream, property_id=house.pk, topic=topic, by=by, now=now)
    return device


def describe(device: Device, fields: Mapping[str, Any], *, by: By, now: datetime, key: str) -> Answer:
    """What the device is; its gateway is set with it."""
    names = RegisterDevice.__struct_fields__
    command = door.Raw("RegisterDevice", {name: fields[name] for name in names if name in fields})
    with transaction.atomic():
        answer = door.submit(command, stream=device.stream, by=by, key=key, now=now)
        if answer.refused is None or answer.refused.code == "NOTHING_CHANGES":
            gateway = Gateway.objects.filter(
                property_id=device.property_id, name=fields.get("gateway") or ""
            ).first()
            Device.objects.filter(pk=device.pk).update(gateway=gateway)
            # What was read before was read of another device, or at another place.
            _forget_snapshot(device.gateway_id, gateway.pk if gateway else None)
    return answer


def _forget_snapshot(*gateways: int | None) -> None:
    """The next answer of these gateways is compared anew, also when they say that nothing has changed."""
    Gateway.objects.filter(pk__in=[one for one in gateways if one]).update(etag="")


def place(device: Device, table: Table | None, *, by: By, now: datetime, key: str) -> Answer | None:
    """Puts the device at a table, or takes it off its table; None when it stands there already."""
    device.refresh_from_db()
    if device.table_id == (table.pk if table else None):
        return None
    command: Any = InstallDevice(table=table.pk, number=table.number) if table else StoreDevice()
    return door.submit(command, stream=device.stream, by=by, key=key, now=now)


def move(device: Device, table: Table | None, *, by: By, now: datetime, key: str) -> Answer | Refused | None:
    """Puts the device at a table, or takes it off its table, in the registry and in the equipment of both tables: all
    of it or nothing. None when it stands there already."""
    device.refresh_from_db()
    if device.table_id == (table.pk if table else None):
        return None
    command: Any = InstallDevice(table=table.pk, number=table.number) if table else StoreDevice()
    presses = [(device.stream, command), *_equipment(device, table)]
    answers = door.submit_all(presses, by=by, key=key, now=now)
    return next(
        (one for one in answers if one.refused and one.refused.code != "OTHER_PART_REFUSED"), answers[0]
    )


def _equipment(device: Device, table: Table | None) -> list[tuple[str, Any]]:
    """What the tables are asked: the one it leaves to do without it, the one it comes to to take it."""
    if device.kind in BESIDE_THE_TABLE:
        return []
    spec = {"id": device.key, "kind": device.kind, "approval_ref": device.approval_ref}
    asked: list[tuple[str, Any]] = []
    if device.table is not None:
        asked.append((device.table.stream, door.Raw("SwapDevice", {"device": None, "replaces": device.key})))
    if table is not None:
        asked.append((table.stream, door.Raw("SwapDevice", {"device": spec})))
    return asked
