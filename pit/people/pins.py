"""PINs: the second secret of a person, given for a signature and to take over a shared tablet."""

from __future__ import annotations

import logging
import re
from datetime import datetime
from itertools import pairwise
from typing import Literal

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db.models import Q

from pit.people import guesses
from pit.people.models import Staff

logger = logging.getLogger(__name__)
Verdict = Literal["right", "wrong", "locked"]
PIN = re.compile(r"^\d{4,8}$", re.ASCII)


def find(*, property_id: int | None, badge: str) -> Staff | None:
    """The usable person of this property who bears the badge."""
    if "\0" in badge:  # PostgreSQL does not even look for one
        return None
    home = Q(property_id=property_id) if property_id is not None else Q(property__isnull=True)
    staff = Staff.objects.select_related("property").filter(home, badge=badge).first()
    return staff if staff is not None and staff.usable else None


def check(
    staff: Staff | None, pin: str, *, property_id: int | None, badge: str, address: str = "", now: datetime
) -> Verdict:
    """Whether `pin` is this person's. Counts every guess; takes as long for a person who does not exist."""
    key, place = guesses.badge_key(property_id, badge), guesses.address_key(address)
    if address and not guesses.count(place, limit=settings.PIN_ADDRESS_FAILURES, now=now):
        return _refuse("locked", place)
    if not guesses.count(key, limit=settings.PIN_FAILURES, now=now):
        return _refuse("locked", key)
    if not _matches(staff, pin):
        return _refuse("wrong", key)
    guesses.forget(key)
    if address:
        guesses.take_back(place)
    return "right"


def _matches(staff: Staff | None, pin: str) -> bool:
    if staff is None:
        make_password(pin)
        return False
    return staff.check_pin(pin)


def _refuse(verdict: Verdict, key: str) -> Verdict:
    logger.warning("pin_refused verdict=%s key=%s", verdict, key)
    return verdict


def weakness(pin: str, *, badge: str = "") -> str:
    """Why this may not be a PIN, or "". Four to eight digits; not one digit over and over, no row, not the badge."""
    if not PIN.match(pin):
        return "A PIN is 4 to 8 digits."
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if steps in ({0}, {1}, {9}):
        return "One digit repeated, or a row of digits, is too easy to guess."
    if pin == badge:
        return "A PIN must not be the badge number."
    return ""
