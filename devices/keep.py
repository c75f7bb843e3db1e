"""Keeping what gateways answered: readings, the commands that follow, and how far the journal was read.

Where nothing happened, all gateways that answered at the same time are written together. Where something happened, a
gateway's commands, readings and cursor are one transaction: all of them or none.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import connection, transaction

from devices import readings
from devices.domain.fitness import next_poll
from devices.entries import Entries
from devices.gateways.base import BAD_PAYLOAD, Heard, Trouble
from devices.lease import Lease
from devices.models import Device, Gateway, Quarantined
from devices.readings import News

log = logging.getLogger(__name__)

IN_TIME = 0.9
"""Part of the interval after which a gateway is due: a tick that comes a moment early must not wait for the next one."""
MOST_QUARANTINED = 50
"""Answers that are put aside for one gateway; older ones make room."""


class Found(NamedTuple):
    """One usable answer beside what is known of its gateway."""

    heard: Heard
    gateway: Gateway
    news: News


def keep(together: Sequence[Heard], *, lease: Lease, now: datetime) -> int:
    """Keeps answers that came together; gives how many could be used. What comes after its lease is over is dropped."""
    if now >= lease.until:
        log.info("Answers of %s came after their lease was over", [heard.ask.name for heard in together])
        return 0
    told = [heard.ask.gateway for heard in together if heard.snapshot is not None]
    known = readings.known(told) if told else {}
    calm, busy, answered = [], [], 0
    for heard in together:
        gateway = lease.gateways[heard.ask.gateway]
        if heard.trouble is not None:
            _failed(heard, heard.trouble, lease=lease.key, now=now)
        else:
            found = Found(heard, gateway, readings.compare(heard.snapshot, known.get(gateway.pk, {})))
            (calm if _is_calm(found) else busy).append(found)
    if calm:
        _keep_calm(calm, lease=lease.key, now=now)
    for found in busy:
        answered += _keep_or_say(found, lease=lease.key, now=now)
    return answered + len(calm)


def _is_calm(found: Found) -> bool:
    """Nothing that any stream must hear of: at most figures that moved."""
    heard, gateway, news = found
    journal = heard.journal
    return not (
        heard.restarted
        or gateway.silent_since
        or journal is None
        or journal.events
        or _lost(heard)
        or news.speaks
    )


def _lost(heard: Heard) -> int:
    """Entries that the gateway forgot before we read them."""
    journal, after = heard.journal, 0 if heard.restarted else heard.ask.cursor
    if journal is None or journal.first <= after + 1 or not heard.ask.boot:
        return 0
    return journal.first - after - 1


_HEARD = """UPDATE devices_gateway SET heard_at = %s, silent_due_at = %s, silent_since = NULL, next_at = %s, lease = '',
    leased_until = NULL, boot = %s, cursor = %s, etag = %s, took_ms = %s, skew_ms = %s, failures = 0, trouble = '',
    trouble_detail = '', trouble_since = NULL, strangers = %s, lost_entries = lost_entries + %s
    WHERE id = %s AND lease = %s"""


def _keep_calm(calm: Sequence[Found], *, lease: str, now: datetime) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.executemany(_HEARD, [_heard_values(one, lease=lease, now=now) for one in calm])
        readings.store([change for one in calm for change in one.news.changes], now=now)


def _heard_values(found: Found, *, lease: str, now: datetime) -> list[Any]:
    heard, gateway, news = found
    journal, instant = heard.journal, connection.ops.adapt_datetimefield_value
    assert journal is not None
    due = heard.asked_at + timedelta(milliseconds=0 if journal.more else gateway.interval_ms * IN_TIME)
    silent = heard.heard_at + timedelta(seconds=gateway.grace_s)
    strangers = gateway.strangers if news.strangers is None else news.strangers
    return [
        instant(heard.heard_at),
        instant(silent),
        instant(due),
        journal.boot,
        journal.cursor,
        heard.etag,
        heard.took_ms,
        heard.skew_ms,
        strangers,
        _lost(heard),
        gateway.pk,
        lease,
    ]


def _keep_or_say(found: Found, *, lease: str, now: datetime) -> int:
    """What cannot be kept is no reason not to keep the others'; it is asked for again, and the trouble is shown."""
    try:
        return _keep_busy(found, lease=lease, now=now)
    except Exception as error:
        if not connection.is_usable():
            raise
        log.exception("What gateway %s said could not be kept", found.gateway.name)
        trouble = Trouble(kind="NOT_KEPT", detail=repr(error)[:300])
        _failed(found.heard, trouble, lease=lease, now=now)
        return 0


def _keep_busy(found: Found, *, lease: str, now: datetime) -> int:
    """One gateway's transaction. If our lease went to another worker meanwhile, that one keeps what it hears."""
    from devices import silence

    with transaction.atomic():
        rows = Gateway.objects.select_for_update(no_key=True).filter(pk=found.gateway.pk, lease=lease)
        gateway = rows.first()
        if gateway is None:
            return 0
        devices = list(Device.objects.filter(gateway=gateway).exclude(status="retired"))
        if gateway.silent_since is not None:
            silence.heard_again(gateway, now)
        readings.store(found.news.changes, now=now)
        Entries(gateway, devices, found.heard, found.news, now=now).apply()
        with connection.cursor() as cursor:
            cursor.execute(_HEARD, _heard_values(found._replace(gateway=gateway), lease=lease, now=now))
    return 1


def _failed(heard: Heard, trouble: Trouble, *, lease: str, now: datetime) -> None:
    """Notes what went wrong, and asks again later and later. The figures of its devices stay as they were, and age."""
    with transaction.atomic():
        rows = Gateway.objects.select_for_update(no_key=True).filter(pk=heard.ask.gateway, lease=lease)
        gateway = rows.first()
        if gateway is None:
            return
        failures = gateway.failures + 1
        same = gateway.trouble == trouble.kind
        rows.update(
            failures=failures,
            trouble=trouble.kind,
            trouble_detail=trouble.detail,
            trouble_since=gateway.trouble_since if same else now,
            took_ms=heard.took_ms,
            lease="",
            leased_until=None,
            next_at=next_poll(
                now=now,
                interval=timedelta(milliseconds=gateway.interval_ms),
                failures=failures,
                asked=trouble.retry_after_s,
                chance=random.random(),  # noqa: S311 - so that gateways that failed together do not come back together
            ),
        )
        if trouble.kind in BAD_PAYLOAD:
            _put_aside(gateway, trouble, now)
    if not same:
        log.warning("Gateway %s %s: %s", gateway.name, trouble.kind, trouble.detail)


def _put_aside(gateway: Gateway, trouble: Trouble, now: datetime) -> None:
    """The beginning of an answer that could not be used; the same one again is counted, not kept again."""
    digest = sha256(trouble.body).hexdigest()
    last = Quarantined.objects.filter(gateway=gateway).first()
    if last is not None and (last.trouble, last.detail) == (trouble.kind, trouble.detail):
        Quarantined.objects.filter(pk=last.pk).update(times=last.times + 1, at=now)
        return
    Quarantined.objects.create(
        gateway=gateway,
        at=now,
        trouble=trouble.kind,
        detail=trouble.detail,
        size=trouble.size,
        digest=digest,
        beginning=trouble.body[:1_000].decode("utf-8", "replace").replace("\0", "�"),
    )
    old = Quarantined.objects.filter(gateway=gateway).values_list("pk", flat=True)[MOST_QUARANTINED:]
    Quarantined.objects.filter(pk__in=list(old)).delete()
