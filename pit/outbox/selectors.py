"""What a person finds in the inbox, what became of messages, and what could not be delivered."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from pit.outbox import heard
from pit.outbox.models import Channel, Delivery, Status


def inbox(staff: Any) -> QuerySet[Delivery]:
    """The messages to this person, newest first, each with its message."""
    mine = Delivery.objects.filter(staff=staff, status=Status.DELIVERED, channel=Channel.INBOX)
    return mine.select_related("message").order_by("-message__created_at", "-pk")


def unread(staff: Any) -> int:
    """How many messages this person has not acknowledged."""
    return Delivery.objects.filter(staff=staff, status=Status.DELIVERED, acknowledged_at=None).count()


def mark_read(staff: Any, *, now: datetime) -> int:
    """The inbox was shown: what had not been read is read at `now`; gives how many."""
    return inbox(staff).order_by().filter(read_at=None).update(read_at=now)


def acknowledge(staff: Any, delivery_id: int, *, now: datetime) -> bool:
    """This person takes note; False when it is not theirs or was acknowledged before (the first time stays)."""
    mine = Delivery.objects.filter(pk=delivery_id, staff=staff, acknowledged_at=None)
    mine.filter(read_at=None).update(read_at=now)
    if not mine.update(acknowledged_at=now):
        return False
    heard.tell(list(Delivery.objects.filter(pk=delivery_id).select_related("message")), now)
    return True


def undelivered(property_id: int | None, *, since: datetime) -> QuerySet[Delivery]:
    """Messages since then that did not reach somebody; newest first."""
    failed = Delivery.objects.filter(status=Status.FAILED, message__created_at__gte=since)
    if property_id is not None:
        failed = failed.filter(message__property_id=property_id)
    return failed.select_related("message", "staff").order_by("-message__created_at")


def told(stream: str, *, notifications: Iterable[str] = ()) -> list[Delivery]:
    """What became of every message that this stream caused: by message, group and channel."""
    rows = Delivery.objects.filter(message__stream=stream)
    if names := list(notifications):
        rows = rows.filter(message__notification__in=names)
    return list(
        rows.select_related("message", "staff").order_by("message__created_at", "group", "channel", "pk")
    )
