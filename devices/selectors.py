"""What pages read about gateways and devices. How well they are is computed from the clock when somebody looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import Q, QuerySet

from devices.domain import canon
from devices.domain.fitness import HEALTH_WORDS, SKEW_TOLD_MS, Health
from devices.domain.fitness import health as health_of
from devices.domain.state import KIND_WORDS
from devices.gateways.base import TROUBLE_WORDS
from devices.gateways.wire import Seen
from devices.models import Device, Gateway
from pit.record import codec
from pit.record.models import Stream
from tables.domain.state import TableState


class GatewayLine(msgspec.Struct, frozen=True, kw_only=True):
    """A gateway as the strip and the list show it."""

    pk: int
    name: str
    property_id: int
    health: Health
    word: str
    heard_at: datetime | None
    skew_ms: int | None
    trouble: str
    detail: str
    devices: int = 0

    @property
    def skewed(self) -> bool:
        return self.skew_ms is not None and abs(self.skew_ms) > SKEW_TOLD_MS


def gateway_line(gateway: Gateway, *, now: datetime, devices: int = 0) -> GatewayLine:
    """How a gateway is at `now`."""
    found = health_of(
        active=gateway.active,
        heard_at=gateway.heard_at,
        trouble=gateway.trouble,
        grace=timedelta(seconds=gateway.grace_s),
        now=now,
    )
    return GatewayLine(
        pk=gateway.pk,
        name=gateway.name,
        property_id=gateway.property_id,
        health=found,
        word=HEALTH_WORDS[found],
        heard_at=gateway.heard_at,
        skew_ms=gateway.skew_ms,
        trouble=TROUBLE_WORDS.get(gateway.trouble, ""),
        detail=gateway.trouble_detail,
        devices=devices,
    )


def gateways(property_id: int | None, *, now: datetime) -> list[GatewayLine]:
    """The gateways of a property (None: of all), in order of name."""
    rows = Gateway.objects.all() if property_id is None else Gateway.objects.filter(property_id=property_id)
    return [gateway_line(one, now=now) for one in rows.order_by("name")]


def health(now: datetime) -> list[dict[str, Any]]:
    """What the beat says of the gateways: `{"name", "property", "health", "heard_at", "why"}`, the troubled ones alone."""
    return [
        {
            "name": one.name,
            "property": one.property_id,
            "health": one.health,
            "heard_at": one.heard_at,
            "why": one.trouble,
        }
        for one in gateways(None, now=now)
        if one.health not in ("well", "off")
    ]


class DeviceLine(msgspec.Struct, frozen=True, kw_only=True):
    """A device as lists and its page show it. `fresh`: the reading is of now; otherwise it is shown grey, with its age."""

    pk: int
    key: str
    kind: str
    serial: str
    maker: str
    model: str
    status: str
    table: int | None
    table_number: str
    pit: str
    gateway: int | None
    gateway_name: str
    fresh: bool
    read_at: datetime | None
    state: str
    word: str
    faults: tuple[str, ...]
    seen: Seen | None
    mismatch: str


def device_line(
    device: Device, *, now: datetime, out: AbstractSet[tuple[int, str]] | None = None
) -> DeviceLine:
    """How a device is at `now`. Nothing heard, or not lately, is *unknown*, never "all well". `out`: (table, key) of those
    that were declared out of order, where that was asked already."""
    if out is None:
        out = out_of_order([device])
    seen = msgspec.json.decode(device.seen, type=Seen) if device.seen else None
    gateway = gateway_line(device.gateway, now=now) if device.gateway else None
    heard = gateway is not None and gateway.health in ("well", "troubled")
    fresh = heard and device.present and seen is not None and device.mismatch not in ("serial", "kind")
    is_out = (device.table_id or 0, device.key) in out
    faults = tuple(canon.word(one["code"]) for one in device.open_faults)
    return DeviceLine(
        pk=device.pk,
        key=device.key,
        kind=KIND_WORDS.get(device.kind, device.kind),
        serial=device.serial,
        maker=device.maker,
        model=device.model,
        status=device.status,
        table=device.table_id,
        table_number=device.table.number if device.table else "",
        pit=device.table.pit.name if device.table else "",
        gateway=device.gateway_id,
        gateway_name=device.gateway.name if device.gateway else "",
        fresh=fresh,
        read_at=device.gateway.heard_at if device.gateway and device.seen else None,
        state="out" if is_out else _state(device, seen, fresh=fresh),
        word="Out of order" if is_out else _word(device, seen, fresh=fresh),
        faults=faults,
        seen=seen,
        mismatch=device.mismatch,
    )


def _state(device: Device, seen: Seen | None, *, fresh: bool) -> str:
    """One word for the look, beside "out" of order: "retired", "unheard" (speaks to nobody), "unknown", "fault", "well"."""
    if device.status == "retired":
        return "retired"
    if device.gateway_id is None:
        return "unheard"
    if not fresh or seen is None:
        return "unknown"
    return "fault" if device.open_faults or seen.state == "fault" else "well"


def _word(device: Device, seen: Seen | None, *, fresh: bool) -> str:
    state = _state(device, seen, fresh=fresh)
    if state == "unknown" and device.mismatch in ("serial", "kind"):
        return "Another device answers"
    words = {"retired": "Retired", "unheard": "Speaks to no gateway", "unknown": "Unknown", "fault": "Fault"}
    if state in words:
        return words[state]
    return {"ready": "Ready", "working": "Working", "off": "Switched off", "fault": "Fault"}[
        seen.state if seen else "off"
    ]


def rows(property_id: int | None, *, text: str = "", retired: bool = False) -> QuerySet[Device]:
    """Devices of a property, those at tables first in the order of pits; `text` is looked for in name, serial, table."""
    found = Device.objects.select_related("gateway", "table__pit")
    if property_id is not None:
        found = found.filter(property_id=property_id)
    if not retired:
        found = found.exclude(status="retired")
    if text:
        found = found.filter(
            Q(key__icontains=text)
            | Q(serial__icontains=text)
            | Q(table__number__icontains=text)
            | Q(model__icontains=text)
        )
    return found.order_by("table__pit__number", "table__number", "key")


def lines(devices: Iterable[Device], *, now: datetime) -> list[DeviceLine]:
    """Many at once: one query for what their tables say of them."""
    rows = list(devices)
    out = out_of_order(rows)
    return [device_line(one, now=now, out=out) for one in rows]


def out_of_order(devices: Sequence[Device]) -> AbstractSet[tuple[int, str]]:
    """(table, key) of those that their tables hold to be out of order, which no reading can tell."""
    names = {f"table:{one.table_id}" for one in devices if one.table_id is not None}
    rows = Stream.objects.filter(name__in=names).values_list("name", "state") if names else ()
    return {
        (int(name.partition(":")[2]), one.id)
        for name, text in rows
        for one in codec.loads(text, TableState).devices
        if one.failed
    }


def at_table(table: int, *, now: datetime) -> list[DeviceLine]:
    """The devices of one table: for its sheet."""
    found = (
        Device.objects.filter(table_id=table)
        .exclude(status="retired")
        .select_related("gateway", "table__pit")
    )
    return lines(found.order_by("key"), now=now)
