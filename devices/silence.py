"""A gateway that is not heard of for longer than its grace: its devices are unknown, and their tables are told so, once."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from devices.domain.meaning import Told, fault, over
from devices.give import Giver
from devices.models import Device, Gateway

CODE = "GATEWAY_SILENT"


def say(now: datetime) -> int:
    """Says of every gateway that its grace is over; gives how many. One transaction a gateway, safe to run twice."""
    rows = Gateway.objects.filter(active=True, silent_due_at__lte=now).values_list("pk", flat=True)
    return sum(_silent(pk, now) for pk in list(rows))


def _silent(pk: int, now: datetime) -> bool:
    with transaction.atomic():
        rows = Gateway.objects.select_for_update(no_key=True, skip_locked=True)
        gateway = rows.filter(pk=pk, active=True, silent_due_at__lte=now).first()
        if gateway is None:
            return False
        since = gateway.heard_at or now
        _tell(gateway, now, at=since, ends=False)
        Gateway.objects.filter(pk=pk).update(silent_due_at=None, silent_since=since)
    return True


def heard_again(gateway: Gateway, now: datetime) -> None:
    """The end of a silence, within the transaction that keeps what was heard."""
    _tell(gateway, now, at=now, ends=True)


def _tell(gateway: Gateway, now: datetime, *, at: datetime, ends: bool) -> None:
    """To every device behind it, and to the table where that stands."""
    devices = list(Device.objects.filter(gateway=gateway).exclude(status="retired"))
    giver = Giver(devices, now=now)
    giver.hold()
    for device in devices:
        told = Told(raw=CODE, detail=f"gateway {gateway.name}")
        said = (over if ends else fault)(CODE, told, giver.place(device))
        key = f"g{gateway.pk}.{'heard' if ends else 'silent'}.{at:%Y%m%dT%H%M%S%f}"
        giver.give(device, said, key=key, at=at)
