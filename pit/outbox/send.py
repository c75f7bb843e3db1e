"""Sending what goes outside: claimed as rows, sent outside any transaction, written down, tried again with back-off.

A worker that dies in the middle leaves its claim behind. When that runs out the attempt is uncertain: the message may have
gone or not. It is sent again under the same message id, so that a receiver can tell.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import connection, transaction
from django.db.models import F

from pit.floor.models import Property
from pit.outbox import heard
from pit.outbox.bundles import parcels_of
from pit.outbox.fallback import gone_wrong
from pit.outbox.models import Attempt, Delivery, Route, Status
from pit.outbox.transports.base import Result
from pit.outbox.transports.known import TRANSPORTS

BATCH = 50
"""Deliveries claimed at once: as many as become uncertain when a worker dies."""
CLAIM = timedelta(seconds=120)
"""Longer than a batch takes with every address at its time-out."""
FIRST_WAIT = timedelta(seconds=15)
LONGEST_WAIT = timedelta(hours=1)
MOST_ATTEMPTS = 12
"""Over about seven hours."""


def send_all(now: datetime) -> int:
    """Sends everything that is due, batch after batch; gives how many were tried. Safe in parallel."""
    lapse(now)
    tried = 0
    while claimed := claim(now):
        send(claimed, now=now)
        tried += len(claimed)
    return tried


def lapse(now: datetime) -> int:
    """Claims that ran out: their worker is gone, and nobody knows whether the message went."""
    with transaction.atomic():
        rows = Delivery.objects.filter(status=Status.SENDING, claimed_until__lte=now)
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True)
        lost = list(rows)
        for one in lost:
            Attempt.objects.filter(delivery=one, number=one.attempts, outcome="").update(
                outcome="uncertain", ended_at=now, detail="The worker ended in the middle."
            )
        ids = [one.pk for one in lost]
        Delivery.objects.filter(pk__in=ids).update(
            status=Status.UNCERTAIN, next_try_at=now, claimed_until=None
        )
    return len(lost)


def claim(now: datetime, *, most: int = BATCH) -> list[Delivery]:
    """Takes what is due for this worker alone, one channel at a time; each with an attempt that has begun."""
    with transaction.atomic():
        rows = Delivery.objects.filter(
            status__in=(Status.PENDING, Status.UNCERTAIN), next_try_at__lte=now, channel__in=list(TRANSPORTS)
        ).order_by("next_try_at", "pk")
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True)
        taken = list(rows[:most])
        ids = [one.pk for one in taken]
        Delivery.objects.filter(pk__in=ids).update(
            status=Status.SENDING, claimed_until=now + CLAIM, attempts=F("attempts") + 1
        )
        Attempt.objects.bulk_create(
            Attempt(delivery_id=one.pk, number=one.attempts + 1, began_at=now) for one in taken
        )
    return list(_with_messages(taken))


def _with_messages(taken: Sequence[Delivery]) -> Iterable[Delivery]:
    found = Delivery.objects.filter(pk__in=[one.pk for one in taken])
    return found.select_related("message", "route", "staff").order_by("pk")


def send(claimed: Sequence[Delivery], *, now: datetime) -> None:
    """Sends a claimed batch, outside any transaction, and writes down what became of each."""
    names = dict(
        Property.objects.filter(pk__in={one.message.property_id for one in claimed}).values_list("pk", "name")
    )
    for channel, transport in TRANSPORTS.items():
        mine = [one for one in claimed if one.channel == channel]
        if not mine:
            continue
        parcels, groups = parcels_of(mine, names=names, secret=_secret, now=now)
        for group in groups:
            _mark_bundle(group)
        results = transport(parcels)
        write(
            [(one, result) for group, result in zip(groups, results, strict=True) for one in group], now=now
        )


def _secret(route: Route | None) -> str:
    return os.environ.get(route.secret_env, "") if route and route.secret_env else ""


def _mark_bundle(group: Sequence[Delivery]) -> None:
    if len(group) > 1:
        Delivery.objects.filter(pk__in=[one.pk for one in group]).update(bundle=group[0].pk)


def write(results: Sequence[tuple[Delivery, Result]], *, now: datetime) -> None:
    """What became of each attempt. A claim that ran out meanwhile is left alone: somebody else has it now."""
    with transaction.atomic():
        mine = _still_mine([one for one, _ in results])
        kept = [(one, result) for one, result in results if (one.pk, one.attempts) in mine]
        for delivery, result in kept:
            _apply(delivery, result, now)
        fields = ["status", "sent_at", "delivered_at", "error", "next_try_at", "claimed_until"]
        Delivery.objects.bulk_update([one for one, _ in kept], fields)
        _close_attempts(kept, now)
    heard.tell([one for one, result in kept if result.outcome in ("sent", "delivered")], now)
    for delivery, result in kept:
        if delivery.status == Status.FAILED:
            gone_wrong(delivery, gone=result.gone, now=now)


def _still_mine(deliveries: Sequence[Delivery]) -> set[tuple[int, int]]:
    rows = Delivery.objects.filter(pk__in=[one.pk for one in deliveries], status=Status.SENDING)
    if connection.features.has_select_for_update:
        rows = rows.select_for_update(no_key=True)
    return set(rows.order_by("pk").values_list("pk", "attempts"))


def _apply(delivery: Delivery, result: Result, now: datetime) -> None:
    delivery.claimed_until, delivery.error = None, result.detail[:200]
    match result.outcome:
        case "sent":
            delivery.status, delivery.sent_at, delivery.error = Status.SENT, now, ""
        case "delivered":
            delivery.status, delivery.sent_at, delivery.delivered_at = Status.DELIVERED, now, now
            delivery.error = ""
        case "temporary" if delivery.attempts < MOST_ATTEMPTS:
            delivery.status, delivery.next_try_at = Status.PENDING, now + wait(delivery, result)
        case _:
            delivery.status, delivery.next_try_at = Status.FAILED, None


def _close_attempts(kept: Sequence[tuple[Delivery, Result]], now: datetime) -> None:
    by_outcome: dict[tuple[str, str], list[int]] = {}
    numbers = {one.pk: one.attempts for one, _ in kept}
    for one, result in kept:
        by_outcome.setdefault((result.outcome, result.detail[:200]), []).append(one.pk)
    for (outcome, detail), ids in by_outcome.items():
        for number in {numbers[pk] for pk in ids}:
            Attempt.objects.filter(
                delivery_id__in=[pk for pk in ids if numbers[pk] == number], number=number
            ).update(outcome=outcome, detail=detail, ended_at=now)


def wait(delivery: Delivery, result: Result) -> timedelta:
    """Doubles with each attempt up to an hour, with a jitter of its own; never less than the receiver asked for."""
    length = min(FIRST_WAIT * 2 ** (delivery.attempts - 1), LONGEST_WAIT)
    jitter = int(sha256(f"{delivery.pk}:{delivery.attempts}".encode()).hexdigest()[:4], 16) / 0xFFFF
    length *= 0.75 + jitter / 2
    asked = timedelta(seconds=min(result.retry_after or 0, 86_400))
    return max(length, asked)
