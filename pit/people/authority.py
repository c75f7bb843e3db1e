"""From a signed-in person to `By`: who acts, whether they signed, who signs beside them, and where they may act."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from pit.floor.models import Pit
from pit.people import pins
from pit.people.models import Duty, Staff
from pit.people.roles import rights_of
from pit.record.contract import By, Refused, refusal


def by_for(
    staff: Staff,
    *,
    now: datetime,
    pin: str | None = None,
    second_badge: str | None = None,
    second_pin: str | None = None,
    address: str = "",
) -> By | Refused:
    """Who stands behind a command. A PIN that is given must be right, also where no signature is asked.

    Refuses with NOT_ACTIVE, PIN_WRONG, PIN_LOCKED (403), SECOND_PERSON_UNKNOWN, SECOND_PIN_REQUIRED,
    SAME_PERSON_TWICE (422); all that is wrong at once. Every PIN is counted, and checked in the same time.
    """
    reasons = [] if staff.usable else [_refused("NOT_ACTIVE", "This account is not active.", 403)]
    if pin:
        reasons += _wrong_pin(staff, pin, badge=staff.badge, staff=staff, address=address, now=now)
    second: Staff | None = None
    if second_badge or second_pin:
        second, more = _second(staff, second_badge or "", second_pin or "", address=address, now=now)
        reasons += more
    if reasons:
        return refusal(reasons)
    by_second = _by(second, signed=True) if second else None
    return _by(staff, signed=bool(pin), second=by_second, topics=topics(staff, now=now))


def _second(
    first: Staff, badge: str, pin: str, *, address: str, now: datetime
) -> tuple[Staff | None, list[Refused]]:
    badge = badge.strip()
    if not badge or not pin:
        field = "second_pin" if badge else "second_badge"
        return None, [_refused("SECOND_PIN_REQUIRED", "The second person gives badge and PIN.", 422, field)]
    if badge == first.badge:
        text = "Two people sign here: the second must be somebody else."
        return None, [_refused("SAME_PERSON_TWICE", text, 422, "second_badge")]
    second = pins.find(property_id=first.property_id, badge=badge)
    reasons = _wrong_pin(first, pin, badge=badge, staff=second, address=address, now=now, field="second_pin")
    if second is None and reasons[0].code != "PIN_LOCKED":
        text = "Nobody on duty here bears this badge."
        reasons = [_refused("SECOND_PERSON_UNKNOWN", text, 422, "second_badge")]
    return second, reasons


def _wrong_pin(
    place: Staff,
    pin: str,
    *,
    badge: str,
    staff: Staff | None,
    address: str,
    now: datetime,
    field: str = "pin",
) -> list[Refused]:
    verdict = pins.check(staff, pin, property_id=place.property_id, badge=badge, address=address, now=now)
    if verdict == "right":
        return []
    if verdict == "locked":
        text = "Too many wrong PINs. Wait, or let a manager sign."
        return [_refused("PIN_LOCKED", text, 403, field)]
    return [_refused("PIN_WRONG", "The PIN is not right.", 403, field)]


def _by(staff: Staff, *, signed: bool, second: By | None = None, topics: frozenset[str] | None = None) -> By:
    return By(
        id=staff.pk,
        name=staff.name,
        role=staff.role,
        badge=staff.badge,
        signed=signed,
        second=second,
        topics=topics,
        property_id=staff.property_id,
    )


def _refused(code: str, message: str, status: int, field: str = "") -> Refused:
    fields = {field: message} if field else {}
    return Refused(code=code, clause="pitstand", message=message, status=status, fields=fields)  # type: ignore[arg-type]


def duty(staff: Staff, *, now: datetime) -> list[Duty]:
    """The sections this person looks after at `now`."""
    running = Q(until_at__isnull=True) | Q(until_at__gt=now)
    return list(Duty.objects.filter(running, staff=staff, from_at__lte=now).select_related("pit"))


def my_pits(staff: Staff, *, now: datetime) -> list[Pit]:
    """The pits where this person may act at `now`, in order of number."""
    acts = rights_of(staff.role).acts
    if acts == "property":
        return [] if staff.property_id is None else list(Pit.objects.filter(property_id=staff.property_id))
    if acts == "duty":
        pits = {
            one.pit_id: one.pit for one in duty(staff, now=now) if one.pit.property_id == staff.property_id
        }
        return sorted(pits.values(), key=lambda pit: pit.number)
    return []


def my_section(staff: Staff, pit: Pit, *, now: datetime) -> frozenset[str] | None:
    """Numbers of the tables of this person's own section in the pit; None is all of them."""
    numbers = [one.tables for one in duty(staff, now=now) if one.pit_id == pit.pk]
    if not numbers or any(not part for part in numbers):
        return None
    return frozenset(number for part in numbers for number in part)


def topics(staff: Staff, *, now: datetime) -> frozenset[str] | None:
    """Where this person may act; None is the whole property (of every property for an installation-wide account)."""
    rights = rights_of(staff.role)
    if rights.acts == "property" or (rights.settings and staff.property_id is None):
        return None
    found = {pit.topic for pit in my_pits(staff, now=now)}
    if rights.settings:
        found.add(f"property:{staff.property_id}")
    return frozenset(found)


def may_act(staff: Staff) -> bool:
    """Whether this role acts on tables at all; where, `topics` says."""
    return staff.usable and rights_of(staff.role).acts != "none"


def may_see(staff: Staff, *, property_id: int) -> bool:
    """Whether this person may read everything of the property: its boards, tables and Record."""
    here = staff.property_id in (None, property_id)
    return staff.usable and here and rights_of(staff.role).sees == "property"


def pits_seen(staff: Staff) -> list[Pit]:
    """The pits this person may look at, in order of property and number."""
    if not staff.usable or rights_of(staff.role).sees != "property":
        return []
    pits = Pit.objects.select_related("property")
    return list(pits if staff.property_id is None else pits.filter(property_id=staff.property_id))
