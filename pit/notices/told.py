"""From the outbox to the Record: when commission staff and surveillance were notified, and who took note.

The outbox knows what was sent; the change's own stream keeps it, for the decision and for the proof. Whatever a crash
left out is found again by `reconcile`, which is safe to run at any time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pit.notices.domain import commands as c
from pit.notices.domain.messages import NOTICE
from pit.notices.domain.state import RECIPIENTS
from pit.notices.models import Change
from pit.notices.service import SYSTEM, ask, state_of
from pit.outbox.models import Delivery
from pit.record.contract import By

CHANNELS = {"inbox": "inbox", "email": "e-mail", "webhook": "webhook", "slip": "printed slip"}


def heard(deliveries: Iterable[Delivery], now: datetime) -> None:
    """Listener of the outbox: something became of these messages."""
    streams = {one.message.stream for one in deliveries if one.message.notification == NOTICE}
    for change in Change.objects.filter(pk__in=[int(one.partition(":")[2]) for one in streams]):
        reconcile(change, now=now)


def reconcile_all(now: datetime) -> None:
    """Every notice that has not taken effect."""
    for change in Change.objects.filter(status__in=("ISSUED", "BLOCKED")):
        reconcile(change, now=now)


def reconcile(change: Change, *, now: datetime) -> None:
    """Tells the change's stream what the outbox knows and the stream does not yet."""
    state = state_of(change)
    for group in RECIPIENTS:
        rows = Delivery.objects.filter(
            message__stream=change.stream, message__notification=NOTICE, group=group
        ).select_related("staff")
        sent = rows.exclude(sent_at=None).order_by("sent_at", "pk").first()
        if sent is not None and group not in state.told:
            command = c.RecordNotified(
                group=group, sent_at=sent.sent_at, who=sent.recipient, channel=sent.channel
            )
            ask(change, command, by=SYSTEM, key=f"notified:{group}", now=now)
        for one in rows.exclude(acknowledged_at=None):
            _acknowledged(change, one, now=now)


def _acknowledged(change: Change, delivery: Delivery, *, now: datetime) -> None:
    """In the name of the person who took note, in the inbox of that person."""
    staff = delivery.staff
    if staff is None or delivery.noted_at is not None:
        return
    by = By(
        id=staff.pk, name=staff.name, role=delivery.group, badge=staff.badge, property_id=staff.property_id
    )
    command = c.RecordAcknowledged(group=delivery.group)
    ask(change, command, by=by, key=f"acknowledged:{delivery.pk}", now=now)
    Delivery.objects.filter(pk=delivery.pk).update(noted_at=now)
