"""Parcels out of deliveries. What an outage has kept back goes as one bundle to each address, not as a storm."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from pit.outbox.classes import classes
from pit.outbox.models import Delivery, Route
from pit.outbox.transports.base import Parcel

OLD = timedelta(minutes=10)
MANY = 5
"""More than so many messages older than that to one address go together."""


def parcels_of(
    deliveries: Sequence[Delivery],
    *,
    names: Mapping[int, str],
    secret: Callable[[Route | None], str],
    now: datetime,
) -> tuple[list[Parcel], list[list[Delivery]]]:
    """The parcels of a batch, and of each the deliveries that go along in it. `names` of properties by id."""
    groups = grouped(deliveries, now)
    parcels = [_parcel(group, names[group[0].message.property_id], secret, now) for group in groups]
    return parcels, groups


def grouped(deliveries: Sequence[Delivery], now: datetime) -> list[list[Delivery]]:
    """A bundle that was tried before stays together; the first of a bundle gives it its id."""
    alone: list[list[Delivery]] = []
    together: dict[tuple[str, str, int, int | None], list[Delivery]] = {}
    for one in deliveries:
        known = classes().get(one.message.notification)
        if one.bundle is None and ((known and not known.bundled) or now - one.message.created_at < OLD):
            alone.append([one])
        else:
            key = (one.address, one.group, one.message.property_id, one.bundle)
            together.setdefault(key, []).append(one)
    for (*_, bundle), group in together.items():
        if bundle is None and len(group) <= MANY:
            alone += [[one] for one in group]
        else:
            alone.append(group)
    return alone


def _parcel(
    group: Sequence[Delivery], place: str, secret: Callable[[Route | None], str], now: datetime
) -> Parcel:
    first = group[0]
    message = first.message
    many = len(group) > 1
    return Parcel(
        id=first.message_id_header,
        address=first.address,
        name=first.recipient,
        notification="bundle" if many else message.notification,
        subject=f"{len(group)} messages that were held up" if many else message.subject,
        body="\n\n".join(_dated(one) for one in group) if many else message.body,
        clause="" if many else message.clause,
        property=place,
        stream=message.stream,
        seq=message.seq,
        created_at=message.created_at,
        attempt=first.attempts,
        now=now,
        secret=secret(first.route),
        ids=tuple(one.message_id_header for one in group),
    )


def _dated(delivery: Delivery) -> str:
    message = delivery.message
    return f"{message.created_at:%Y-%m-%d %H:%M:%S} UTC: {message.subject}\n{message.body}"
