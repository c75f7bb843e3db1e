"""A small house for tests: one property, two pits, one person a role. Passwords and PINs are the constants here."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

from django.contrib.auth.hashers import make_password

from pit.floor import door
from pit.floor.domain.commands import SetUpProperty
from pit.floor.models import Pit, Property
from pit.people.models import Duty, Staff
from pit.people.roles import LOGIN_ROLES, RIGHTS

PASSWORD = "correct horse battery"
PIN = "2580"
WRONG_PIN = "2581"
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@cache
def _hash(secret: str) -> str:
    return make_password(secret)


def make_property(key: str = "ny", jurisdiction: str = "ny", *, pits: int = 2) -> Property:
    """A property that is set up through the door, with its pits."""
    place = Property.objects.create(key=key, name=key.upper(), jurisdiction=jurisdiction)
    command = SetUpProperty(name=f"House {key.upper()}", jurisdiction=jurisdiction, zone="America/New_York")
    answer = door.ask(place, command, now=datetime(2026, 1, 1, tzinfo=UTC))
    assert answer.refused is None
    for number in range(1, pits + 1):
        Pit.objects.create(property=place, number=number, name=f"Pit {number}")
    place.refresh_from_db()
    return place


def make_staff(
    place: Property | None, role: str, *, badge: str = "", pits: tuple[int, ...] = (), **fields: object
) -> Staff:
    """A person of that role; with `pits` on duty there since long ago."""
    badge = badge or f"{sorted(RIGHTS).index(role) + 100}"
    username = f"{role}-{place.key if place else 'all'}-{badge}" if role in LOGIN_ROLES else None
    staff = Staff.objects.create(
        property=place,
        role=role,
        badge=badge,
        name=f"{role} {badge}",
        username=username,
        password=_hash(PASSWORD),
        pin=_hash(PIN),
        **fields,
    )
    for number in pits:
        pit = Pit.objects.get(property=place, number=number)
        Duty.objects.create(staff=staff, pit=pit, from_at=LONG_AGO)
    return staff


def make_everybody(place: Property) -> dict[str, Staff]:
    """One person a role; floorperson and pit manager on duty in pit 1."""
    on_duty = ("floorperson", "pit_manager", "poker_shift_manager")
    return {role: make_staff(place, role, pits=(1,) if role in on_duty else ()) for role in RIGHTS}
