"""Guesses counted and locked: wrong PINs per badge and per address, and sign-ins per address.

A guess is counted before it is checked, under the row's lock, so that a hundred at once are a hundred guesses. axes
counts sign-ins and hand-overs per name and address beside this.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction

from pit.people.models import PinGuess


def badge_key(property_id: int | None, badge: str) -> str:
    """Counted whether or not somebody bears this badge: a lock tells nothing."""
    return f"badge:{property_id or 0}:{badge[:20]}".replace("\0", "\ufffd")  # PostgreSQL keeps no NUL


def address_key(address: str) -> str:
    return f"address:{address[:60]}"


def count(key: str, *, limit: int, now: datetime) -> bool:
    """Counts one guess; False when the key is locked, and then the guess must not be looked at."""
    with transaction.atomic():
        PinGuess.objects.get_or_create(key=key, defaults={"last_at": now})
        row = PinGuess.objects.select_for_update().get(key=key)
        if row.last_at <= now - settings.AXES_COOLOFF_TIME:
            row.failures = 0
        if row.failures >= limit:
            return False
        row.failures, row.last_at = row.failures + 1, now
        row.save(update_fields=["failures", "last_at"])
        return True


def forget(key: str) -> None:
    """The guess was right: the count starts anew."""
    PinGuess.objects.filter(key=key).update(failures=0)


def take_back(key: str) -> None:
    """The guess was right: it does not count, but those before it do."""
    with transaction.atomic():
        row = PinGuess.objects.select_for_update().filter(key=key).first()
        if row and row.failures:
            row.failures -= 1
            row.save(update_fields=["failures"])
