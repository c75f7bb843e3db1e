"""From message to recipients: finds who holds the role at that property and puts it into their in-app inbox."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import connection, transaction

from pit.outbox.models import Delivery, Message, Status
from pit.record.registry import Change
from pit.web import clock

NOBODY = "Nobody active holds this role at this property."


def after_commit(changes: Sequence[Change]) -> None:
    """Hook of the Record: delivers what was just written. What a crash leaves behind, `deliver_all` finds."""
    for change in changes:
        for message in change.messages:
            deliver(message, now=clock.now())


def deliver_all(now: datetime) -> int:
    """Delivers every message whose recipients are not yet found; gives their number. Safe twice and in parallel."""
    waiting = Message.objects.filter(expanded_at=None).order_by("created_at").values_list("id", flat=True)
    return sum(deliver(message, now=now) for message in list(waiting))


def deliver(message_id: UUID, *, now: datetime) -> bool:
    """Delivers one message to the inboxes of its groups; False when another worker has it or had it.

    A group in which nobody is found gets a failed delivery that says so.
    """
    with transaction.atomic():
        message = _claimed(message_id)
        if message is None:
            return False
        found = [delivery for group in message.to for delivery in _to_group(message, group, now)]
        Delivery.objects.bulk_create(found or [_failed(message, "")])
        message.expanded_at = now
        message.save(update_fields=["expanded_at"])
    return True


def _claimed(message_id: UUID) -> Message | None:
    rows = Message.objects.filter(id=message_id, expanded_at=None)
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    return rows.first()


def _to_group(message: Message, group: str, now: datetime) -> list[Delivery]:
    staff = get_user_model().objects.filter(property_id=message.property_id, role=group, is_active=True)
    found = [
        Delivery(
            message=message,
            group=group,
            staff_id=person,
            status=Status.DELIVERED,
            sent_at=now,
            delivered_at=now,
        )
        for person in staff.order_by("pk").values_list("pk", flat=True)
    ]
    return found or [_failed(message, group)]


def _failed(message: Message, group: str) -> Delivery:
    return Delivery(message=message, group=group, status=Status.FAILED, error=NOBODY)
