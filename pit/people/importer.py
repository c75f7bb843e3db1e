"""[[staff]] of a floor file. Secrets come as hashes or from the environment; plain ones in demo mode alone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import msgspec
from django.contrib.auth.hashers import identify_hasher, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from pit.floor.importer import differences
from pit.floor.models import Pit
from pit.floor.registry import Change, Floor, register_importer
from pit.floor.source import Row
from pit.people import pins
from pit.people.models import Duty, Staff, plain
from pit.people.roles import LOGIN_ROLES, RIGHTS


class StaffRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[staff]]. `pits` and `tables` are the standing duty section: numbers of pits, numbers of tables in them."""

    badge: str
    name: str
    role: str
    username: str = ""
    active: bool = True
    pits: list[int] = []
    tables: list[str] = []
    password: str = ""
    password_hash: str = ""
    password_env: str = ""
    pin: str = ""
    pin_hash: str = ""
    pin_env: str = ""


LONGEST_NAME, LONGEST_USERNAME = 120, 60


def register() -> None:
    """Called once at start."""
    register_importer("staff", StaffRow, plan_staff, apply_staff, order=80)


def plan_staff(rows: Sequence[Row[StaffRow]], floor: Floor) -> list[Change]:
    """People by their badge within the property."""
    people = {one.badge: one for one in Staff.objects.filter(property=floor.property)}
    taken = Staff.objects.exclude(username=None).values_list("username", "property_id", "badge")
    names = {username: (home, badge) for username, home, badge in taken}
    changes, seen = [], set[str]()
    for row in rows:
        problems = _problems(row, floor)
        if row.data.badge in seen:
            problems.append(row.problem("badge", "is there twice"))
        seen.add(row.data.badge)
        found = people.get(row.data.badge)
        who = floor.property.pk, row.data.badge
        if row.data.username and names.setdefault(row.data.username, who) != who:
            problems.append(row.problem("username", "somebody else has this user name"))
        floor.problems += problems
        if not problems:
            changes.append(_change(row, found, floor))
    return changes


def _change(row: Row[StaffRow], found: Staff | None, floor: Floor) -> Change:
    what = f"{row.data.role} {row.data.name}, badge {row.data.badge}"
    if found is None:
        return Change("+", what, row)
    parts = [differences(_identity(found), _wanted(row.data))]
    parts += [f"new {kind}" for kind in ("password", "pin") if _is_new(found, row.data, kind)]
    held = set(_open_duties(found).values_list("pit__number", flat=True))
    if held != set(row.data.pits) or _other_tables(found, row.data):
        parts.append(f"duty in pits {sorted(held)} → {sorted(row.data.pits)}")
    detail = ", ".join(part for part in parts if part)
    return Change("~" if detail else "=", what, row, detail, work=found)


def _identity(staff: Staff) -> dict[str, Any]:
    active = staff.is_active
    return {"name": staff.name, "role": staff.role, "username": staff.username or "", "active": active}


def _wanted(row: StaffRow) -> dict[str, Any]:
    return {"name": row.name, "role": row.role, "username": row.username, "active": row.active}


def _open_duties(staff: Staff) -> Any:
    return Duty.objects.filter(staff=staff, until_at__isnull=True)


def _other_tables(staff: Staff, row: StaffRow) -> bool:
    return any(sorted(duty.tables) != sorted(row.tables) for duty in _open_duties(staff))


def _problems(row: Row[StaffRow], floor: Floor) -> list[Any]:
    data, found = row.data, []
    if data.role not in RIGHTS:
        found.append(row.problem("role", f"there are: {', '.join(RIGHTS)}"))
    elif data.username and data.role not in LOGIN_ROLES:
        found.append(row.problem("username", f"a {data.role} signs beside the floorperson and has no login"))
    elif not data.username and data.role in LOGIN_ROLES:
        found.append(row.problem("username", "is missing: this role signs in"))
    if not (len(data.badge) <= 20 and data.badge.isascii() and plain(data.badge)):
        found.append(row.problem("badge", "1 to 20 plain characters"))
    if not (len(data.name.strip()) <= LONGEST_NAME and plain(data.name)):
        found.append(row.problem("name", f"1 to {LONGEST_NAME} characters, not begun with = + - @"))
    if len(data.username) > LONGEST_USERNAME:
        found.append(row.problem("username", f"at most {LONGEST_USERNAME} characters"))
    unknown = [number for number in data.pits if number not in floor.keep["pits"]]
    found += [row.problem("pits", f"there is no pit {number} here") for number in unknown]
    return found + _secret_problems(row, floor, "password") + _secret_problems(row, floor, "pin")


def _secret_problems(row: Row[StaffRow], floor: Floor, kind: str) -> list[Any]:
    plain, hashed, env = (getattr(row.data, f"{kind}{end}") for end in ("", "_hash", "_env"))
    if sum(map(bool, (plain, hashed, env))) > 1:
        return [row.problem(kind, f"one of {kind}_hash and {kind}_env")]
    if plain and not floor.demo:
        return [row.problem(kind, f"stands here in plain; give {kind}_hash or {kind}_env")]
    if hashed and not _is_hash(hashed):
        return [row.problem(f"{kind}_hash", "is no argon2 hash (manage.py hash_secret makes one)")]
    if env and not os.environ.get(env):
        return [row.problem(f"{kind}_env", f"the environment has no {env}")]
    if env and (why := _weak(os.environ[env], kind, row.data)):
        return [row.problem(f"{kind}_env", why)]
    return []


def _is_hash(text: str) -> bool:
    try:
        return identify_hasher(text).algorithm == "argon2"
    except ValueError:
        return False


def _weak(secret: str, kind: str, row: StaffRow) -> str:
    if kind == "pin":
        return pins.weakness(secret, badge=row.badge)
    try:
        validate_password(secret, Staff(username=row.username, name=row.name))
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


def _is_new(staff: Staff, row: StaffRow, kind: str) -> bool:
    """Whether the file gives another secret than the one that is kept. A plain demo secret is set once, when made."""
    hashed, env = getattr(row, f"{kind}_hash"), getattr(row, f"{kind}_env")
    held = staff.password if kind == "password" else staff.pin
    if hashed:
        return bool(held != hashed)
    if env:
        right = staff.check_password if kind == "password" else staff.check_pin
        return not right(os.environ[env])
    return False


def apply_staff(change: Change, floor: Floor) -> None:
    """Makes or changes one person and their standing duty."""
    row: StaffRow = change.row.data
    staff = change.work or Staff(property=floor.property, badge=row.badge)
    staff.name, staff.role, staff.is_active = row.name, row.role, row.active
    staff.username = row.username or None
    if change.work is None:
        staff.set_unusable_password()
        staff.demo = bool(row.password or row.pin)
    for kind in ("password", "pin"):
        if hashed := _hash(staff, row, kind, floor, made=change.work is None):
            setattr(staff, kind, hashed)
    staff.save()
    _set_duty(staff, row, floor)


def _hash(staff: Staff, row: StaffRow, kind: str, floor: Floor, *, made: bool) -> str:
    if not made and not _is_new(staff, row, kind):
        return ""
    plain = getattr(row, kind) or os.environ.get(getattr(row, f"{kind}_env") or "-", "")
    return getattr(row, f"{kind}_hash") or (make_password(plain) if plain else "")


def _set_duty(staff: Staff, row: StaffRow, floor: Floor) -> None:
    """The standing section (no end) as the file has it; duty with an end is the house's day-to-day matter."""
    wanted = {floor.keep["pits"][number].pk for number in row.pits}
    kept = set()
    for duty in _open_duties(staff):
        if duty.pit_id in wanted and sorted(duty.tables) == sorted(row.tables):
            kept.add(duty.pit_id)
        else:
            duty.delete()
    for pit in Pit.objects.filter(pk__in=wanted - kept):
        Duty.objects.create(staff=staff, pit=pit, from_at=floor.now, tables=row.tables)
