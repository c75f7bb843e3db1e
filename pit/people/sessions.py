"""Whether a session still stands: used by the middleware and, in one go for all its sockets, by the live layer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils.crypto import constant_time_compare

from pit.people.models import Staff
from pit.people.roles import rights_of

ACTIVE_AT = "active_at"
IDLE_SETTING = "idle_timeout_minutes"
IDLE_DEFAULT = 15
"""Minutes; a house setting. Nobody who only watches is signed out for it."""
STEP = timedelta(seconds=30)
"""Activity is written at most this often."""


def idle_limit(staff: Staff) -> timedelta | None:
    """After how long without an act the session ends; None is never."""
    if not rights_of(staff.role).ends_idle:
        return None
    house = staff.property.house if staff.property else {}
    return timedelta(minutes=int(house.get(IDLE_SETTING, IDLE_DEFAULT)))


def is_idle(staff: Staff, data: Mapping[str, Any], *, now: datetime) -> bool:
    """Whether the session with this data was idle for too long."""
    limit = idle_limit(staff)
    if limit is None:
        return False
    stamp = data.get(ACTIVE_AT)
    return stamp is None or now - datetime.fromisoformat(stamp) > limit


def signed_in(keys: Collection[str], *, now: datetime) -> dict[str, Staff]:
    """Those of the session keys that stand, with their person: not expired, not idle, same password and PIN.

    Two queries, however many sessions: the live layer asks on every beat (4401 for those left out).
    """
    rows = Session.objects.filter(session_key__in=set(keys), expire_date__gt=now)
    found = {row.session_key: row.get_decoded() for row in rows}
    ids = {data[SESSION_KEY] for data in found.values() if SESSION_KEY in data}
    people = Staff.objects.select_related("property").in_bulk([int(one) for one in ids])
    standing = {}
    for key, data in found.items():
        staff = people.get(int(data.get(SESSION_KEY, 0)))
        if staff is not None and _stands(staff, data, now=now):
            standing[key] = staff
    return standing


def _stands(staff: Staff, data: Mapping[str, Any], *, now: datetime) -> bool:
    same = constant_time_compare(data.get(HASH_SESSION_KEY, ""), staff.get_session_auth_hash())
    return same and staff.may_sign_in and BACKEND_SESSION_KEY in data and not is_idle(staff, data, now=now)
