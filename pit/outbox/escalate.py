"""The clocks of messages: not sent in time, not acknowledged in time. Said once each, to those who can act."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction
from django.db.models import QuerySet

from pit.outbox.classes import class_of
from pit.outbox.deliver import PUT_RIGHT, deliver, post
from pit.outbox.fallback import fall_back
from pit.outbox.models import Message


def escalate_all(now: datetime) -> int:
    """Says every clock that ran out by `now`; gives how many. Safe twice, late and in parallel."""
    unsent = Message.objects.filter(send_due_at__lte=now, alarmed_at=None)
    unanswered = Message.objects.filter(ack_due_at__lte=now, escalated_at=None)
    said = sum(_not_sent(pk, now) for pk in list(unsent.values_list("pk", flat=True)))
    return said + sum(_not_acknowledged(pk, now) for pk in list(unanswered.values_list("pk", flat=True)))


def _not_sent(pk: object, now: datetime) -> bool:
    """A group to which nothing was sent when the clock of the class ran out."""
    with transaction.atomic():
        message = _locked(Message.objects.filter(pk=pk, alarmed_at=None))
        if message is None:
            return False
        sent = set(message.deliveries.exclude(sent_at=None).values_list("group", flat=True))
        missing = [group for group in message.to if group not in sent]
        message.alarmed_at = now
        message.save(update_fields=["alarmed_at"])
        if not missing:
            return False
        who = ", ".join(group.replace("_", " ") for group in missing)
        alarm = post(message, "not_sent", PUT_RIGHT, f"Not sent in time: {message.subject}", who, now=now)
    deliver(alarm, now=now)
    return True


def _not_acknowledged(pk: object, now: datetime) -> bool:
    """A group of which nobody took note in time: its fallbacks are used, and the next in line hears of it."""
    with transaction.atomic():
        message = _locked(Message.objects.filter(pk=pk, escalated_at=None))
        if message is None:
            return False
        noted = set(message.deliveries.exclude(acknowledged_at=None).values_list("group", flat=True))
        missing = [group for group in message.to if group not in noted]
        message.escalated_at = now
        message.save(update_fields=["escalated_at"])
        if not missing:
            return False
        known = class_of(message.notification, property_id=message.property_id)
        who = ", ".join(group.replace("_", " ") for group in missing)
        text = f"{message.subject}\nNobody of {who} has acknowledged it.\n{message.body}"
        to = known.escalate_to or PUT_RIGHT
        alarm = post(message, "not_acknowledged", to, f"Not acknowledged: {message.subject}", text, now=now)
        for group in missing:
            fall_back(message, group, now=now)
    deliver(alarm, now=now)
    return True


def _locked(rows: QuerySet[Message]) -> Message | None:
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    return rows.first()
