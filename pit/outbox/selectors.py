"""What a person finds in the inbox, and what could not be delivered."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from pit.outbox.models import Delivery, Status


def inbox(staff: Any) -> QuerySet[Delivery]:
    """The messages to this person, newest first, each with its message."""
    mine = Delivery.objects.filter(staff=staff, status=Status.DELIVERED)
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
    if not mine.exists():
        return False
    mine.filter(read_at=None).update(read_at=now)
    return mine.update(acknowledged_at=now) > 0


def undelivered(property_id: int | None, *, since: datetime) -> QuerySet[Delivery]:
    """Messages since then that reached nobody, because nobody held the role; newest first."""
    failed = Delivery.objects.filter(status=Status.FAILED, message__created_at__gte=since)
    if property_id is not None:
        failed = failed.filter(message__property_id=property_id)
    return failed.select_related("message").order_by("-message__created_at")
