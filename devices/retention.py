"""Readings are no part of the Record: they are forgotten after a while, in small bites."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from devices.models import JournalEntry, Quarantined, Reading

BITE = 5_000


def forget(now: datetime) -> int:
    """Removes what is older than PITSTAND_READINGS_DAYS; gives how many rows that were."""
    before = now - timedelta(days=settings.READINGS_DAYS)
    gone = 0
    for rows in (
        Reading.objects.filter(at__lt=before),
        JournalEntry.objects.filter(received_at__lt=before),
        Quarantined.objects.filter(at__lt=before),
    ):
        while ids := list(rows.values_list("pk", flat=True)[:BITE]):
            gone += rows.model.objects.filter(pk__in=ids).delete()[0]
    return gone
