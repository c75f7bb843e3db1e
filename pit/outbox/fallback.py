"""When a way has failed for good: the group's fallback, and a word to those who can put it right."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from pit.outbox.deliver import NOT_ALARMED, PUT_RIGHT, by_route, deliver, post, routes_now
from pit.outbox.models import Delivery, Message, Route, Status

QUIET = timedelta(minutes=15)


def gone_wrong(delivery: Delivery, *, gone: bool, now: datetime) -> None:
    """A delivery failed for good. `gone`: its receiver said that it is no more, so its route is switched off."""
    if gone and delivery.route_id is not None:
        Route.objects.filter(pk=delivery.route_id).update(active=False, trouble=delivery.error)
    message = delivery.message
    fall_back(message, delivery.group, now=now)
    if message.notification in NOT_ALARMED:
        return
    if _said_lately(delivery, now):
        return
    text = f"{message.subject}\n{delivery.recipient}, {delivery.get_channel_display()}: {delivery.error}"
    subject = f"Not delivered to {delivery.recipient}"
    deliver(post(message, "not_sent", PUT_RIGHT, subject, text, now=now), now=now)


def _said_lately(delivery: Delivery, now: datetime) -> bool:
    """One address that fails again and again is said once a quarter of an hour; each failure shows on its own page."""
    others = Delivery.objects.filter(
        route_id=delivery.route_id,
        address=delivery.address,
        status=Status.FAILED,
        tries__ended_at__gt=now - QUIET,
    )
    return others.exclude(pk=delivery.pk).exists()


def fall_back(message: Message, group: str, *, now: datetime) -> list[Delivery]:
    """Sends the message over the group's fallbacks that it has not gone over yet."""
    used = set(message.deliveries.exclude(route=None).values_list("route_id", flat=True))
    added = []
    for route in routes_now(message.property_id, group, now=now):
        if route.fallback and route.pk not in used:
            added += _add(by_route(message, route, now))
    return added


def _add(delivery: Delivery) -> list[Delivery]:
    try:
        with transaction.atomic():
            delivery.save()
    except IntegrityError:  # another worker was first
        return []
    return [delivery]


def bounced(message_id: str, *, why: str, now: datetime) -> Delivery | None:
    """The mail was accepted and came back. None: no mail of ours, or known already. `sent_at` stays: it was sent then."""
    found = _by_header(message_id)
    if found is None or found.status == Status.FAILED:
        return None
    found.status, found.error = Status.FAILED, f"Came back: {why}"[:200]
    found.save(update_fields=["status", "error"])
    gone_wrong(found, gone=False, now=now)
    return found


def _by_header(message_id: str) -> Delivery | None:
    number = message_id.strip("<> ").partition("@")[0].rpartition(".")[2]
    if not number.isdecimal() or len(number) > 18:
        return None
    found = Delivery.objects.filter(pk=int(number)).select_related("message", "staff", "route").first()
    return found if found and found.message_id_header == message_id.strip("<> ") else None
