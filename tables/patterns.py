"""Repeated patterns (K19): the same kind of trouble under the same clause at the same table or device within N days.

Looked for by the beat; how often and within how many days are house settings. Each is said once, and again when as many
more have come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db import transaction

from pit.floor.door import state as property_state
from pit.floor.models import Property
from pit.notices.models import Pattern
from pit.outbox.deliver import deliver
from pit.outbox.models import Message
from pit.record import contract
from pit.record.models import Event
from pit.rules import load
from tables import words
from tables.models import Table

TROUBLE = frozenset(
    {
        "CardsSpilled",
        "DeckCounted",
        "DeviceOutOfOrder",
        "EntryCorrected",
        "FaultReported",
        "IrregularityRecorded",
        "RecutOrdered",
        "UnsuitableCardReported",
    }
)
"""What counts. A count counts when it was wrong."""
TO = ("compliance", "surveillance", "table_games_shift_manager")


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern: what, where, and the entries that make it."""

    stream: str
    what: str
    clause: str
    seqs: tuple[int, ...]


def look(now: datetime) -> int:
    """Looks at every property and says what is new; gives how many. Safe twice and in parallel."""
    return sum(_look(place, now) for place in Property.objects.all())


def _look(place: Property, now: datetime) -> int:
    house = property_state(place).house
    days, times = (
        int(house.get(key, load.house_settings()[key].default))  # type: ignore[arg-type]
        for key in ("repeat_pattern_days", "repeat_pattern_count")
    )
    numbers = {one.stream: one.number for one in Table.objects.filter(property=place)}
    rows = Event.objects.filter(
        kind__in=TROUBLE, at__gte=now - timedelta(days=days), stream__in=list(numbers)
    )
    found = patterns(rows.order_by("pk").values_list("stream", "seq", "kind", "clause", "data"))
    return sum(
        _say(place, one, numbers[one.stream], days, times, now) for one in found if len(one.seqs) >= times
    )


def patterns(rows: Iterable[tuple[str, int, str, str, str]]) -> list[Found]:
    """Groups of trouble: by table, kind, clause, and the device where there is one."""
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for stream, seq, kind, clause, text in rows:
        data = msgspec.json.decode(text)
        if kind != "DeckCounted" or not data.get("good", True):
            groups[stream, _what(kind, data), clause].append(seq)
    return [
        Found(stream=stream, what=what, clause=clause, seqs=tuple(seqs))
        for (stream, what, clause), seqs in groups.items()
    ]


def _what(kind: str, data: dict[str, Any]) -> str:
    parts = [words.spaced(kind), *(str(data[name]) for name in ("device", "code", "kind") if data.get(name))]
    return " ".join(parts)[:120]


def _say(place: Property, found: Found, number: str, days: int, times: int, now: datetime) -> bool:
    with transaction.atomic():
        rows = Pattern.objects.select_for_update(no_key=True)
        pattern, _ = rows.get_or_create(
            property=place, stream=found.stream, what=found.what, clause=found.clause
        )
        fresh = [seq for seq in found.seqs if seq > pattern.said_up_to]
        if len(fresh) < times:
            return False
        pattern.said_up_to, pattern.said_at, pattern.count = found.seqs[-1], now, len(found.seqs)
        pattern.save(update_fields=["said_up_to", "said_at", "count"])
        told = contract.Message(
            notification="repeat_pattern",
            to=TO,
            subject=f"Table {number}: {found.what}, {len(found.seqs)} times in {days} days",
            body=f"Table {number}. {found.what}: entries {', '.join(map(str, found.seqs))}. {words.cite(found.clause)}.",
            clause=found.clause,
        )
        (posted,) = Message.objects.post(
            [told], stream=found.stream, seq=found.seqs[-1], property_id=place.pk, now=now
        )
    deliver(posted, now=now)
    return True
