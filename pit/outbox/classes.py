"""Classes of notifications: their clocks, and whom to tell when a clock runs out. House figures all of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from pit.outbox.models import ClassSetting

FILE = Path(__file__).with_name("classes.toml")


class NotificationClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """0 seconds or minutes: no such clock. `bundled` False: always a message of its own, also after an outage."""

    label: str
    send_within_seconds: int = 0
    acknowledge_minutes: int = 0
    escalate_to: tuple[str, ...] = ()
    also_to: tuple[str, ...] = ()
    bundled: bool = True


@lru_cache(maxsize=1)
def classes() -> dict[str, NotificationClass]:
    """The classes of the file; a wrong file stops the start."""
    return msgspec.toml.decode(FILE.read_bytes(), type=dict[str, NotificationClass])


def class_of(notification: str, *, property_id: int) -> NotificationClass:
    """The class with the house's own settings laid over it. An unknown class has no clocks and is told all the same."""
    found = classes().get(notification, NotificationClass(label=notification.replace("_", " ").capitalize()))
    own = ClassSetting.objects.filter(property_id=property_id, notification=notification).first()
    if own is None:
        return found
    minutes = found.acknowledge_minutes if own.acknowledge_minutes is None else own.acknowledge_minutes
    return msgspec.structs.replace(
        found,
        acknowledge_minutes=minutes,
        escalate_to=tuple(own.escalate_to) or found.escalate_to,
        also_to=tuple(own.also_to),
    )
