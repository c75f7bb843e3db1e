"""Forgetting old receipts: a press is not repeated after a month, and the database lets only old ones go."""

from __future__ import annotations

from datetime import datetime, timedelta

from pit.record.models import Receipt
from pit.record.triggers import RECEIPT_DAYS


def forget_receipts(now: datetime) -> int:
    """Deletes the receipts older than RECEIPT_DAYS (and a day, for clocks that differ); gives how many."""
    old = Receipt.objects.filter(created_at__lt=now - timedelta(days=RECEIPT_DAYS + 1))
    return old.delete()[0]
