"""The demo's gateways and devices: a gateway a pit, behind it the devices with which its tables are set up, and a round
counter at every table that a counter can see. The simulator plays what stands here."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import msgspec
from django.conf import settings

from devices import registry
from devices.gateways.simulator.floor import BoxSpec, FloorSpec, MachineSpec
from devices.models import Device, Gateway
from pit.floor.demo.houses import NoDemo
from pit.floor.door import IMPORT
from pit.floor.models import Pit
from pit.people.authority import by_for
from pit.people.models import Staff
from pit.record import door, selectors
from pit.record.contract import By
from tables.domain.commands import AttestThrough
from tables.domain.state import Config
from tables.models import Table

CREDENTIAL = "demo"
SHUFFLES = ("Ashford", "Twin 6")
MODELS: dict[str, tuple[str, str]] = {
    "shuffler": SHUFFLES,
    "continuous": ("Ashford", "Round 4"),
    "counting": ("Ashford", "Count 1"),
    "dealing_shoe": ("Northline", "Deal 3"),
    "card_reader": ("Northline", "Peek 2"),
    "shaker": ("Northline", "Cup E"),
    "rng": ("Northline", "Seven"),
    "progressive": ("", "Link"),
    "lights": ("", "Lamps"),
    "counter": ("Northline", "Shoe C"),
}
"""Maker and model of each kind; makers that do not exist."""
COUNTED_ELSEWHERE = frozenset({"counting", "continuous", "dealing_shoe"})
"""Devices that see the rounds themselves."""
WITHOUT = frozenset({"BJ-18", "BAC-25", "BJ-43"})
"""Tables that have no counter: rounds are counted by hand there, or not at all."""


def bring_devices(url: str, *, now: datetime) -> int:
    """Registers what is not registered yet, and says at which address the simulator is now; gives how many devices.

    Raises NoDemo outside demo mode.
    """
    if not settings.DEMO:
        raise NoDemo("PITSTAND_DEMO is not set")
    _secret()
    for pit in Pit.objects.filter(property__key__startswith="demo-").select_related("property"):
        gateway = _gateway(pit, url)
        for table in Table.objects.filter(pit=pit).order_by("number"):
            _at_table(table, gateway, now=now)
    return Device.objects.filter(property__key__startswith="demo-").count()


def _secret() -> None:
    """The simulator's token, made once, for this machine's own eyes."""
    folder = Path(settings.GATEWAY_SECRETS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    place = folder / f"{CREDENTIAL}.token"
    if not place.exists():
        place.touch(mode=0o600)
        place.write_text(secrets.token_urlsafe(24))


def token() -> str:
    """What the simulator asks for."""
    return (Path(settings.GATEWAY_SECRETS) / f"{CREDENTIAL}.token").read_text()


def _gateway(pit: Pit, url: str) -> Gateway:
    name = f"GW-{pit.property.key.removeprefix('demo-').upper()}-{pit.number}"
    fields = {"url": f"{url}/{name}", "credential": CREDENTIAL, "interval_ms": 1000, "grace_s": 10}
    gateway, _ = Gateway.objects.update_or_create(property=pit.property, name=name, defaults=fields)
    return gateway


def _at_table(table: Table, gateway: Gateway, *, now: datetime) -> None:
    config = _config(table, now)
    if config is None:
        return
    for spec in config.devices:
        _device(table, gateway, spec.id, spec.kind, approval=spec.approval_ref, now=now)
    sees = not any(one.kind in COUNTED_ELSEWHERE for one in config.devices)
    if sees and table.number not in WITHOUT:
        _device(table, gateway, f"CT-{table.number}", "counter", approval="", now=now)


def _config(table: Table, now: datetime) -> Config | None:
    look = selectors.look(table.stream, now=now)
    config: Config | None = look.state.config if look else None
    return config


def _device(table: Table, gateway: Gateway, key: str, kind: str, *, approval: str, now: datetime) -> None:
    if Device.objects.filter(property=table.property, key=key).exists():
        return
    maker, model = MODELS[kind]
    device = registry.create(table.property, key, by=IMPORT, now=now)
    fields = {
        "key": key,
        "kind": kind,
        "serial": serial(maker, key),
        "maker": maker,
        "model": model,
        "approval_ref": approval or f"TL-{2400 + device.pk % 300}",
        "seal": f"S-{100_000 + device.pk * 37}",
        "firmware": sha256(f"{maker}{model}".encode()).hexdigest(),
        "gateway": gateway.name,
    }
    registry.describe(device, fields, by=IMPORT, now=now, key=uuid4().hex)
    registry.place(device, table, by=IMPORT, now=now, key=uuid4().hex)


def serial(maker: str, key: str) -> str:
    """As the simulator's machines bear it."""
    return f"{(maker or 'X')[:2].upper()}-{key}"


def floor(*, now: datetime) -> FloorSpec:
    """What the simulator plays: every registered gateway of the demo and what is behind it."""
    gateways = Gateway.objects.filter(property__key__startswith="demo-", active=True).prefetch_related(
        "devices__table__property"
    )
    return FloorSpec(boxes=[_box(one, now=now) for one in gateways])


def _box(gateway: Gateway, *, now: datetime) -> BoxSpec:
    machines = [_machine(one, now=now) for one in gateway.devices.all() if one.status != "retired"]
    return BoxSpec(name=gateway.name, token=token(), devices=machines)


def _machine(device: Device, *, now: datetime) -> MachineSpec:
    config = _config(device.table, now) if device.table else None
    return MachineSpec(
        id=device.key,
        kind=device.kind,  # type: ignore[arg-type]
        serial=device.serial,
        maker=device.maker,
        model=device.model,
        table=device.table.stream if device.table else "",
        backs=[one.back for one in config.batches] if config else [],
        cards=config.stack_cards if config else 0,
        seats=config.seats if config else 7,
    )


def tables() -> Sequence[str]:
    """Streams of the demo's tables."""
    return [
        f"table:{pk}"
        for pk in Table.objects.filter(property__key__startswith="demo-").values_list("pk", flat=True)
    ]


def shuffle_by_hand(stream: str, *, topic: str, now: datetime) -> None:
    """The demo's own floorperson attests the routine shuffle, so that a board left alone goes on playing."""
    pit = int(topic.partition(":")[2])
    staff = Staff.objects.filter(demo=True, role="floorperson", duties__pit_id=pit).first()
    if staff is None:
        return
    by = by_for(staff, now=now)
    if isinstance(by, By):
        by = msgspec.structs.replace(by, topics=None)
        door.submit(AttestThrough(to="READY"), stream=stream, by=by, key=uuid4().hex, now=now)
