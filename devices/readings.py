"""Readings: which of a snapshot differ from those known, and writing those that do, many in one statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

import msgspec
from django.db import connection

from devices.gateways.wire import Seen, Snapshot
from devices.models import Device, Reading

LONGEST_STRANGERS = 400


class Known(NamedTuple):
    """What is known of a registered device, as far as a comparison needs it."""

    pk: int
    gateway: int
    key: str
    digest: str
    present: bool
    serial: str
    kind: str
    firmware: str
    mismatch: str


class Change(NamedTuple):
    """A device whose reading moved; `seen` None: its gateway does not name it any more."""

    known: Known
    seen: Seen | None
    digest: str
    mismatch: str


class News(NamedTuple):
    """What a snapshot brought. `strangers` None: there was no new snapshot. `speaks`: some stream must hear of it."""

    changes: Sequence[Change] = ()
    strangers: str | None = None
    speaks: bool = False


COLUMNS = ("pk", "gateway_id", "key", "seen_digest", "present", "serial", "kind", "firmware", "mismatch")


def known(gateways: Sequence[int]) -> Mapping[int, Mapping[str, Known]]:
    """Gateway → key → what is known; one query."""
    found: dict[int, dict[str, Known]] = defaultdict(dict)
    rows = Device.objects.filter(gateway_id__in=gateways).exclude(status="retired").order_by()
    for row in rows.values_list(*COLUMNS):
        one = Known(*row)
        found[one.gateway][one.key] = one
    return found


def digest_of(seen: Seen) -> str:
    """Of all that a reading says but when it was read."""
    told = (
        seen.serial, seen.kind, seen.state, seen.firmware, seen.seal, seen.mode, seen.cycles, seen.cards, seen.batch,
        seen.faults,
    )  # fmt: skip
    return blake2b(msgspec.msgpack.encode(told), digest_size=8).hexdigest()


def compare(snapshot: Snapshot | None, devices: Mapping[str, Known]) -> News:
    """What is other than before. A place that two devices claim is the first one's."""
    if snapshot is None:
        return News()
    changes: list[Change] = []
    strangers, named = [], set()
    for seen in snapshot.devices:
        one = devices.get(seen.id)
        if one is None:
            strangers.append(f"{seen.id} ({seen.kind} {seen.serial})")
        elif seen.id not in named:
            named.add(seen.id)
            digest = digest_of(seen)
            mismatch = mismatch_of(one, seen)
            if digest != one.digest or not one.present or mismatch != one.mismatch:
                changes.append(Change(one, seen, digest, mismatch))
    changes += [
        Change(one, None, one.digest, one.mismatch)
        for key, one in devices.items()
        if one.present and key not in named
    ]
    speaks = any(_speaks(change) for change in changes)
    return News(changes, ", ".join(strangers)[:LONGEST_STRANGERS], speaks)


def _speaks(change: Change) -> bool:
    """Whether a stream may have to hear of it: faults that stand, a broken seal, another device than registered."""
    seen = change.seen
    if seen is None or not change.known.present:
        return True
    return bool(seen.faults) or seen.seal == "broken" or change.mismatch != change.known.mismatch


def mismatch_of(one: Known, seen: Seen) -> str:
    """What the gateway tells otherwise than registered: "serial", "kind" or "firmware"; "" when all fits."""
    if one.serial and seen.serial != one.serial:
        return "serial"
    if seen.kind != one.kind:
        return "kind"
    if one.firmware and seen.firmware and seen.firmware != one.firmware:
        return "firmware"
    return ""


_STORE = """UPDATE devices_device SET seen = %s, seen_digest = %s, changed_at = %s, present = %s, mismatch = %s
    WHERE id = %s"""
_GONE = "UPDATE devices_device SET present = %s, changed_at = %s WHERE id = %s"


def store(changes: Sequence[Change], *, now: datetime) -> None:
    """Writes them: a statement for all that are there, one for all that are gone, one for the history."""
    if not changes:
        return
    instant = connection.ops.adapt_datetimefield_value(now)
    here = [(one, one.seen) for one in changes if one.seen is not None]
    gone = [one for one in changes if one.seen is None]
    with connection.cursor() as cursor:
        if here:
            cursor.executemany(_STORE, [_row(one, seen, instant) for one, seen in here])
        if gone:
            cursor.executemany(_GONE, [(False, instant, one.known.pk) for one in gone])
    Reading.objects.bulk_create(
        [_reading(one, seen, now) for one, seen in here if one.digest != one.known.digest], batch_size=500
    )


def _row(change: Change, seen: Seen, instant: object) -> tuple[object, ...]:
    text = msgspec.json.encode(seen).decode()
    return (text, change.digest, instant, True, change.mismatch, change.known.pk)


def _reading(change: Change, seen: Seen, now: datetime) -> Reading:
    return Reading(
        device_id=change.known.pk,
        at=now,
        state=seen.state,
        mode=seen.mode,
        cycles=seen.cycles,
        cards=seen.cards,
        batch=seen.batch,
        faults=seen.faults,
    )
