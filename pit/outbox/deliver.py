"""From message to recipients: who holds the role at that property, and by which ways the group is reached now.

The in-app inbox is delivered here at once. What goes outside is left pending for `pit.outbox.send`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db import connection, transaction

from pit.floor.models import Property
from pit.outbox import heard
from pit.outbox.classes import class_of
from pit.outbox.models import Channel, Delivery, Message, Route, Status
from pit.record import contract
from pit.record.registry import Change
from pit.web import clock

NOBODY = "Nobody active holds this role at this property, and no other way to it is set up."
PUT_RIGHT = ("compliance", "administrator", "table_games_shift_manager")
"""Who hears that a message reaches nobody."""
NOT_ALARMED = frozenset({"nobody_to_tell", "not_sent", "not_acknowledged"})
"""An alarm about an alarm would never end; the inbox page shows that it reached nobody."""


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
    """Finds the recipients of one message; False when another worker has it or had it.

    A group that nothing leads to gets a failed delivery that says so, and an alarm goes to those who can put it right.
    """
    with transaction.atomic():
        message = _claimed(message_id)
        if message is None:
            return False
        found = _expand(message, now)
        missing = [one for one in found if one.status == Status.FAILED]
        alarm = _alarm(message, missing, now=now) if missing else None
    heard.tell([one for one in found if one.sent_at], now)
    if alarm is not None:
        deliver(alarm, now=now)
    return True


def _claimed(message_id: UUID) -> Message | None:
    rows = Message.objects.filter(id=message_id, expanded_at=None)
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    return rows.first()


def _expand(message: Message, now: datetime) -> list[Delivery]:
    """Writes the deliveries of a message and starts the clocks of its class."""
    known = class_of(message.notification, property_id=message.property_id)
    groups = dict.fromkeys((*message.to, *known.also_to))
    found = [one for group in groups for one in _to_group(message, group, now)] or [_failed(message, "")]
    Delivery.objects.bulk_create(found)
    message.expanded_at = now
    if known.send_within_seconds:
        message.send_due_at = message.created_at + timedelta(seconds=known.send_within_seconds)
    if known.acknowledge_minutes:
        message.ack_due_at = message.created_at + timedelta(minutes=known.acknowledge_minutes)
    message.save(update_fields=["expanded_at", "send_due_at", "ack_due_at"])
    return found


def _to_group(message: Message, group: str, now: datetime) -> list[Delivery]:
    """Everybody who holds the role, in the inbox; the routes of the shift; else the fallbacks; else nobody."""
    inbox = list(_inboxes(message, group, now))
    routes = routes_now(message.property_id, group, now=now)
    outside = [by_route(message, one, now) for one in routes if not one.fallback]
    if not inbox and not outside:
        outside = [by_route(message, one, now) for one in routes]
    return [*inbox, *outside] or [_failed(message, group)]


def _inboxes(message: Message, group: str, now: datetime) -> Iterator[Delivery]:
    staff = get_user_model().objects.filter(property_id=message.property_id, role=group, is_active=True)
    for person in staff.order_by("pk").values_list("pk", flat=True):
        yield Delivery(
            message=message,
            group=group,
            staff_id=person,
            status=Status.DELIVERED,
            sent_at=now,
            delivered_at=now,
        )


def routes_now(property_id: int, group: str, *, now: datetime) -> list[Route]:
    """The active routes of a group whose shift it is."""
    rows = list(Route.objects.filter(property_id=property_id, group=group, active=True))
    if not any(one.from_time or one.until_time for one in rows):
        return rows
    zone = ZoneInfo(Property.objects.values_list("zone", flat=True).get(pk=property_id))
    return [one for one in rows if on_shift(one, now.astimezone(zone))]


def on_shift(route: Route, local: datetime) -> bool:
    """Half-open; a shift that ends before it begins goes over midnight; the same time twice is the whole day."""
    begins, ends, at = route.from_time, route.until_time, local.time()
    if begins is None or ends is None or begins == ends:
        return True
    return begins <= at < ends if begins < ends else at >= begins or at < ends


def by_route(message: Message, route: Route, now: datetime) -> Delivery:
    """A delivery that waits for its transport; one without an address has failed already."""
    there = route.channel == Channel.SLIP or bool(route.address)
    return Delivery(
        message=message,
        group=route.group,
        route=route,
        channel=route.channel,
        address=route.address,
        name=route.name,
        status=Status.PENDING if there else Status.FAILED,
        error="" if there else f"{route.name} has no address.",
        next_try_at=now if there and route.channel != Channel.SLIP else None,
    )


def _failed(message: Message, group: str) -> Delivery:
    return Delivery(message=message, group=group, status=Status.FAILED, error=NOBODY)


def _alarm(message: Message, missing: Sequence[Delivery], *, now: datetime) -> UUID | None:
    """Never silence: somebody hears that it reaches nobody."""
    if message.notification in NOT_ALARMED:
        return None
    who = ", ".join(sorted({one.group.replace("_", " ") or "nobody" for one in missing}))
    why = " ".join(sorted({one.error for one in missing}))
    return post(
        message, "nobody_to_tell", PUT_RIGHT, f"Not told: {who}", f"{message.subject}\n{why}", now=now
    )


def post(
    message: Message, notification: str, to: tuple[str, ...], subject: str, body: str, *, now: datetime
) -> UUID:
    """A message about a message, at the same entry of the Record."""
    told = contract.Message(
        notification=notification, to=to, subject=subject, body=body, clause=message.clause
    )
    (posted,) = Message.objects.post(
        [told], stream=message.stream, seq=message.seq, property_id=message.property_id, now=now
    )
    return posted
