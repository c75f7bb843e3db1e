"""Sending what goes outside: claimed as rows, sent outside any transaction, written down, tried again with back-off.

A worker that dies in the middle leaves its claim behind. When that runs out the attempt is uncertain: the message may have
gone or not. It is sent again under the same message id, so that a receiver can tell.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from pit.floor.models import Property
from pit.outbox import heard
from pit.outbox.bundles import parcels_of
from pit.outbox.fallback import gone_wrong
from pit.outbox.models import Attempt, Delivery, Route, Status
from pit.outbox.transports.base import Result
from pit.outbox.transports.known import TRANSPORTS

BATCH = 100
"""Deliveries claimed at once: as many as become uncertain when a worker dies."""
CLAIM = timedelta(seconds=120)
"""Longer than a batch takes with every address at its time-out."""
FIRST_WAIT = timedelta(seconds=15)
LONGEST_WAIT = timedelta(hours=1)
MOST_ATTEMPTS = 12
"""Over about seven hours."""


def send_all(now: datetime, *, clock: Callable[[], datetime] | None = None) -> int:
    """Sends everything that is due, batch after batch; gives how many were tried. Safe in parallel.

    `clock` is read after each batch: when something was sent is a proof, and must not be told too early.
    """
    tick = clock or (lambda: now)
    lapse(now)
    tried = 0
    while claimed := claim(tick()):
        send(claimed, now=tick(), clock=tick)
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


def send(claimed: Sequence[Delivery], *, now: datetime, clock: Callable[[], datetime] | None = None) -> None:
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
            [(one, result) for group, result in zip(groups, results, strict=True) for one in group],
            now=clock() if clock else now,
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
        alike: dict[tuple[Any, ...], list[Delivery]] = defaultdict(list)
        for one, result in kept:
            alike[result.outcome, one.attempts, tuple(_becomes(one, result, now).items())].append(one)
        for (outcome, number, fields), those in alike.items():
            _write_alike(those, dict(fields), outcome=outcome, number=number, now=now)
    heard.tell([one for one, result in kept if result.outcome in ("sent", "delivered")], now)
    for one, result in kept:
        if one.status == Status.FAILED:
            gone_wrong(one, gone=result.gone, now=now)


def _write_alike(
    those: Sequence[Delivery], fields: dict[str, Any], *, outcome: str, number: int, now: datetime
) -> None:
    """Deliveries of which the same became, in two statements: most of a batch is simply sent."""
    ids = [one.pk for one in those]
    Delivery.objects.filter(pk__in=ids).update(**fields)
    Attempt.objects.filter(delivery_id__in=ids, number=number).update(
        outcome=outcome, detail=fields["error"], ended_at=now
    )
    for one in those:
        for name, value in fields.items():
            setattr(one, name, value)


def _still_mine(deliveries: Sequence[Delivery]) -> set[tuple[int, int]]:
    rows = Delivery.objects.filter(pk__in=[one.pk for one in deliveries], status=Status.SENDING)
    if connection.features.has_select_for_update:
        rows = rows.select_for_update(no_key=True)
    return set(rows.order_by("pk").values_list("pk", "attempts"))


def _becomes(delivery: Delivery, result: Result, now: datetime) -> dict[str, Any]:
    """The columns of a delivery after this attempt."""
    told: dict[str, Any] = {"claimed_until": None, "error": result.detail[:200], "next_try_at": None}
    match result.outcome:
        case "sent":
            return told | {"status": Status.SENT, "sent_at": now}
        case "delivered":
            return told | {"status": Status.DELIVERED, "sent_at": now, "delivered_at": now}
        case "temporary" if delivery.attempts < MOST_ATTEMPTS:
            return told | {"status": Status.PENDING, "next_try_at": now + wait(delivery, result)}
        case _:
            return told | {"status": Status.FAILED}


def wait(delivery: Delivery, result: Result) -> timedelta:
    """Doubles with each attempt up to an hour, with a jitter of its own; never less than the receiver asked for."""
    length = min(FIRST_WAIT * 2 ** (delivery.attempts - 1), LONGEST_WAIT)
    jitter = int(sha256(f"{delivery.pk}:{delivery.attempts}".encode()).hexdigest()[:4], 16) / 0xFFFF
    length *= 0.75 + jitter / 2
    asked = timedelta(seconds=min(result.retry_after or 0, 86_400))
    return max(length, asked)
