"""The Record as people read it: entries found by table, time, person and clause, refusals among them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from django.db.models import Q, QuerySet

from pit.record.models import Event, Stream
from pit.rules import load
from tables import words
from tables.models import Table

PAGE = 60
MOST_CHUNKS = 50
"""Pages of other properties' entries that one search passes over; then the reader goes on from there."""
FIELDS = ("table", "who", "clause", "only", "since", "until", "stream", "kind", "order")
"""What a form may ask for."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as a person reads it. `at` when it happened, `recorded_at` when it was written."""

    id: int
    stream: str
    seq: int
    table: int | None
    number: str
    kind: str
    words: str
    at: datetime
    recorded_at: datetime
    late: bool
    refused: bool
    code: str
    next_step: str
    who: str
    badge: str
    role: str
    signed: bool
    second: str
    second_badge: str
    clause: str
    cite: str
    pack: str
    round: int
    hash: str
    data: str


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for. `until` shows a table as it stood at a moment; `before` is the entry to go on from."""

    table: str = ""
    who: str = ""
    clause: str = ""
    only: str = ""
    stream: str = ""
    kind: str = ""
    order: str = ""
    """Empty: by when it happened. "written": by when it was written; they differ for a late entry."""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None


def find(property_id: int | None, search: Search) -> tuple[list[Line], int | None]:
    """The newest entries that match, and the entry to go on from when there are more."""
    rows, onwards = _page(property_id, search)
    numbers = numbers_of(property_id)
    return [line(row, numbers) for row in rows], onwards


def _page(property_id: int | None, search: Search) -> tuple[list[Event], int | None]:
    """One page of a property. Whose an entry is, is asked of each chunk: joined to the streams, a search of a long
    Record would leave its index and sort everything."""
    found: list[Event] = []
    for _ in range(MOST_CHUNKS):
        chunk = list(newest(matching(property_id if search.table else None, search), search))
        found += _here(chunk, property_id)
        if len(found) > PAGE:
            return found[:PAGE], found[PAGE - 1].pk
        if len(chunk) <= PAGE:
            return found, None
        search = msgspec.structs.replace(search, before=chunk[-1].pk)
    return found, search.before


def _here(rows: list[Event], property_id: int | None) -> list[Event]:
    if property_id is None:
        return rows
    names = {row.stream for row in rows}
    here = set(Stream.objects.filter(name__in=names, property_id=property_id).values_list("name", flat=True))
    return [row for row in rows if row.stream in here]


def newest(rows: QuerySet[Event], search: Search) -> QuerySet[Event]:
    """The newest page and one more, each search along an index of its own: the Record may hold ten million entries."""
    if search.order != "written":
        return _along(rows, search, "at", "id")[: PAGE + 1]
    if search.table or search.stream:
        return _along(rows, search, "stream", "seq")[: PAGE + 1]
    return _along(rows, search, "id")[: PAGE + 1]


def _along(rows: QuerySet[Event], search: Search, *by: str) -> QuerySet[Event]:
    """Ordered by these columns, the newest first, going on after the entry `before`."""
    last = Event.objects.filter(pk=search.before).values(*by).first() if search.before else None
    if last is not None:
        *same, end = by
        rows = rows.filter(
            Q(**{f"{end}__lt": last[end]}, **{name: last[name] for name in same})
            | (Q(**{f"{same[0]}__lt": last[same[0]]}) if same else Q(pk__in=()))
        )
    return rows.order_by(*(f"-{name}" for name in by))


def of_table(table: Table, *, limit: int = 12) -> list[Line]:
    """The last entries of one table, the newest first: one query."""
    numbers = {table.stream: (table.pk, table.number)}
    return [line(row, numbers) for row in Event.objects.filter(stream=table.stream).order_by("-seq")[:limit]]


def numbers_of(property_id: int | None) -> dict[str, tuple[int, str]]:
    """Stream to (table, number)."""
    tables = Table.objects.all() if property_id is None else Table.objects.filter(property_id=property_id)
    return {f"table:{pk}": (pk, number) for pk, number in tables.values_list("pk", "number")}


def matching(property_id: int | None, search: Search) -> QuerySet[Event]:
    """Every entry that a search means, of one property or of all, in no order."""
    rows = Event.objects.all()
    if property_id is not None and not search.table:
        rows = rows.filter(stream__in=Stream.objects.filter(property_id=property_id).values("name"))
    if search.table:
        rows = rows.filter(stream__in=_streams(property_id, search.table))
    if search.who:
        rows = rows.filter(_person(search.who))
    if search.clause:
        rows = rows.filter(clause__in=_clauses(search.clause))
    if search.stream:
        rows = rows.filter(stream=search.stream)
    if search.kind:
        rows = rows.filter(kind=search.kind)
    if search.since:
        rows = rows.filter(at__gte=search.since)
    if search.until:
        rows = rows.filter(at__lte=search.until)
    return _only(rows, search.only)


def _streams(property_id: int | None, number: str) -> list[str]:
    tables = Table.objects.filter(number__iexact=number.strip())
    if property_id is not None:
        tables = tables.filter(property_id=property_id)
    return [f"table:{pk}" for pk in tables.values_list("pk", flat=True)]


def _person(who: str) -> Q:
    told = who.strip()
    by_name = Q(actor_name__icontains=told) | Q(second_name__icontains=told)
    return by_name | Q(actor_badge=told) | Q(second_badge=told)


def _clauses(told: str) -> list[str]:
    """The ids that a person may mean: known ones that hold the text, so that an index finds their entries."""
    wanted = _clause(told).lower()
    return [one for one in known_clauses() if wanted in one.lower()]


@cache
def known_clauses() -> tuple[str, ...]:
    """The ids of every clause of every pack, and the house's and the software's own."""
    packs = [pack for dated in load.packs().values() for pack in dated]
    return ("house", "pitstand", *sorted({one for pack in packs for one in pack.clauses}))


def _clause(told: str) -> str:
    """A clause by its id "NY-b-11-2" or as cited, "5324.2(b)(11)", "635a.5(g)": the brackets become the id's dashes."""
    return told[told.index("(") :].strip().replace(")(", "-").strip("()") if "(" in told else told.strip()


def _only(rows: QuerySet[Event], only: str) -> QuerySet[Event]:
    match only:
        case "refused":
            return rows.filter(kind="Refused")
        case "late":
            return rows.filter(late=True)
        case "signed":
            return rows.filter(signed=True)
        case "changes":
            return rows.exclude(kind="Refused")
        case _:
            return rows


def line(row: Event, numbers: Mapping[str, tuple[int, str]]) -> Line:
    """An entry in words."""
    data = _data(row.data)
    table, number = numbers.get(row.stream, (None, _thing(row.stream)))
    refused = data.get("refused", {}) if row.kind == "Refused" else {}
    return Line(
        id=row.pk,
        stream=row.stream,
        seq=row.seq,
        table=table,
        number=number,
        kind=row.kind,
        words=words.entry(row.kind, data),
        at=row.at,
        recorded_at=row.recorded_at,
        late=row.late,
        refused=row.kind == "Refused",
        code=refused.get("code", ""),
        next_step=refused.get("next_step", ""),
        who=MACHINES.get(row.actor_name, row.actor_name),
        badge="" if row.role == "device" else row.actor_badge,
        role=row.role,
        signed=row.signed,
        second=row.second_name,
        second_badge=row.second_badge,
        clause=row.clause,
        cite=words.cite(row.clause) if row.clause else "",
        pack=row.pack,
        round=row.round,
        hash=row.hash,
        data=row.data,
    )


MACHINES: Mapping[str, str] = {"import_floor": "Floor file", "load_demo": "Demo", "sweep": "Clock"}
"""Whoever acts without a person, in words."""
STREAMS: Mapping[str, str] = {"device": "Device", "property": "House", "notice": "Change"}


def _thing(stream: str) -> str:
    """ "Device 17" of "device:17"."""
    kind, _, number = stream.partition(":")
    return f"{STREAMS.get(kind, kind.capitalize())} {number}".strip()


def _data(text: str) -> dict[str, Any]:
    found = msgspec.json.decode(text)
    return found if isinstance(found, dict) else {}
