"""Which gateways a worker asks now. A lease keeps every other worker from asking the same one meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Q

from devices.gateways.base import Ask
from devices.models import Gateway

LEASE = timedelta(seconds=10)
"""Longer than a poll may take; a worker that died gives its gateways back after this."""
AT_ONCE = 500


class Lease(NamedTuple):
    """Gateways that are ours to ask until `until`; nobody else writes what the poll keeps of them before that."""

    key: str
    until: datetime
    gateways: Mapping[int, Gateway]

    @property
    def asks(self) -> list[Ask]:
        return [ask_of(one) for one in self.gateways.values()]


def take(now: datetime, *, limit: int = AT_ONCE) -> Lease:
    """Leases the gateways that are due, those waiting longest first.

    Two workers at the same moment get different gateways: the rows are locked while they are marked.
    """
    key, until = uuid4().hex, now + LEASE
    due = Q(next_at__isnull=True) | Q(next_at__lte=now)
    free = Q(leased_until__isnull=True) | Q(leased_until__lte=now)
    with transaction.atomic():
        rows = Gateway.objects.select_for_update(skip_locked=True, no_key=True).filter(due, free, active=True)
        found = list(rows.order_by(F("next_at").asc(nulls_first=True))[:limit])
        if found:
            ids = [one.pk for one in found]
            Gateway.objects.filter(pk__in=ids).update(lease=key, leased_until=until, polled_at=now)
    return Lease(key, until, {one.pk: one for one in found})


def any_due(now: datetime) -> bool:
    """Whether there is anything to ask, without locking anything: most ticks of a quiet floor end here."""
    due = Q(next_at__isnull=True) | Q(next_at__lte=now)
    return Gateway.objects.filter(due, active=True).exists()


def ask_of(gateway: Gateway) -> Ask:
    """Where a gateway's journal was read to."""
    return Ask(
        gateway=gateway.pk,
        name=gateway.name,
        url=gateway.url,
        credential=gateway.credential,
        boot=gateway.boot,
        cursor=gateway.cursor,
        etag=gateway.etag,
    )


def give_back(lease: Lease, gateways: Sequence[int]) -> None:
    """Frees gateways of a lease of which nothing came (the worker is leaving)."""
    Gateway.objects.filter(pk__in=gateways, lease=lease.key).update(lease="", leased_until=None)
