"""[[recipient]] and [[notification]] of a floor file: by which ways groups are reached, and the clocks of classes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time
from typing import Any, Literal

import msgspec

from pit.floor.registry import Change, Floor, register_importer
from pit.floor.source import Problem, Row
from pit.outbox.classes import classes
from pit.outbox.models import ClassSetting, Route
from pit.people.roles import RIGHTS


class RecipientRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[recipient]]: a way to a group beside its in-app inboxes. `from_time`, `until_time`: the shift, local."""

    group: str
    channel: Literal["email", "webhook", "slip"]
    name: str
    address: str = ""
    secret_env: str = ""
    from_time: str = ""
    until_time: str = ""
    fallback: bool = False
    active: bool = True


class NotificationRow(msgspec.Struct, frozen=True, kw_only=True):
    """[[notification]]: what this house sets for a class; what is left out stays as shipped."""

    notification: str
    acknowledge_minutes: int | None = None
    escalate_to: list[str] = []
    also_to: list[str] = []


def register() -> None:
    """Called once at start."""
    register_importer("recipient", RecipientRow, plan_recipients, apply_recipient, order=85)
    register_importer("notification", NotificationRow, plan_notifications, apply_notification, order=86)


def plan_recipients(rows: Sequence[Row[RecipientRow]], floor: Floor) -> list[Change]:
    """Routes by group, channel, address and name."""
    held = {_key(one): one for one in Route.objects.filter(property=floor.property)}
    changes = []
    for row in rows:
        problems = _recipient_problems(row)
        floor.problems += problems
        if problems:
            continue
        found = held.get(_key(row.data))
        fields = _fields(row.data)
        same = found is not None and all(getattr(found, name) == value for name, value in fields.items())
        what = f"recipient {row.data.name} of {row.data.group} by {row.data.channel}"
        changes.append(Change("+" if found is None else "=" if same else "~", what, row, work=fields))
    return changes


def _key(one: Any) -> tuple[str, str, str, str]:
    return one.group, one.channel, one.address, one.name


def _fields(row: RecipientRow) -> dict[str, Any]:
    times = {name: _time(getattr(row, name)) for name in ("from_time", "until_time")}
    return {"secret_env": row.secret_env, "fallback": row.fallback, "active": row.active, **times}


def _time(text: str) -> time | None:
    return time.fromisoformat(text) if text else None


def _recipient_problems(row: Row[RecipientRow]) -> list[Problem]:
    data = row.data
    checks = {
        "group": (data.group in RIGHTS, "not a role"),
        "name": (0 < len(data.name) <= 80, "1 to 80 characters"),
        "address": (
            data.channel == "slip" or bool(data.address.strip()),
            "needed: without it nobody is reached",
        ),
        "secret_env": (
            data.channel != "webhook" or bool(data.secret_env),
            "a webhook is signed: name the variable",
        ),
        "from_time": (_is_time(data.from_time), "a local time, HH:MM"),
        "until_time": (_is_time(data.until_time), "a local time, HH:MM"),
    }
    return [row.problem(name, text) for name, (holds, text) in checks.items() if not holds]


def _is_time(text: str) -> bool:
    try:
        _time(text)
    except ValueError:
        return False
    return True


def apply_recipient(change: Change, floor: Floor) -> None:
    """Makes or changes one route. One that switched itself off comes back when the file says that it is active."""
    row: RecipientRow = change.row.data
    Route.objects.update_or_create(
        property=floor.property,
        group=row.group,
        channel=row.channel,
        address=row.address,
        name=row.name,
        defaults={**change.work, "trouble": ""},
    )


def plan_notifications(rows: Sequence[Row[NotificationRow]], floor: Floor) -> list[Change]:
    """Settings by class."""
    held = {one.notification: one for one in ClassSetting.objects.filter(property=floor.property)}
    changes = []
    for row in rows:
        data = row.data
        strange = [one for one in (*data.escalate_to, *data.also_to) if one not in RIGHTS]
        if data.notification not in classes() or strange:
            text = f"not roles: {', '.join(strange)}" if strange else f"there are: {', '.join(classes())}"
            floor.problems.append(row.problem("escalate_to" if strange else "notification", text))
            continue
        fields = {name: getattr(data, name) for name in ("acknowledge_minutes", "escalate_to", "also_to")}
        found = held.get(data.notification)
        same = found is not None and all(getattr(found, name) == value for name, value in fields.items())
        sign: Any = "+" if found is None else "=" if same else "~"
        changes.append(Change(sign, f"notification {data.notification}", row, work=fields))
    return changes


def apply_notification(change: Change, floor: Floor) -> None:
    """Makes or changes the setting of one class."""
    name = change.row.data.notification
    ClassSetting.objects.update_or_create(property=floor.property, notification=name, defaults=change.work)
