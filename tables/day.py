"""The gaming day of each table as a line: what it was, from when to when, as the Record tells it. Reads only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
from django.db.models import OuterRef, Subquery

from pit.floor.gaming_day import bounds, gaming_day
from pit.floor.models import Pit
from pit.record.models import Event, Stream
from tables.condition import DUE, LAID_OUT
from tables.domain import stages
from tables.models import Condition
from tables.selectors import natural

ARRIVED = "PlayerArrived"
LEFT = "PlayersLeft"
SAID = "DueSaid"
HOURS = 4
"""Hours between two marks of the scale."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """One stretch of a line. `left` and `width` in thousandths of the day."""

    condition: str
    left: int
    width: int


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A table's day. `missed`: where a deadline or a warning fell due; `says`: how much of it was what, in words."""

    table: int
    number: str
    spans: tuple[Span, ...]
    missed: tuple[int, ...]
    says: str


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """An hour on the scale, in per cent from the left."""

    at: float
    words: str


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of one pit, with the scale above them; `now` in thousandths."""

    rows: tuple[Row, ...]
    marks: tuple[Mark, ...]
    now: int


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that may change what a table is."""

    at: datetime
    kind: str
    stage: str


class _Stage(msgspec.Struct):
    stage: str = ""


def of_pit(pit: Pit, *, now: datetime) -> Day:
    """The day of every table of a pit until now: three queries."""
    start, end = bounds(gaming_day(now, pit.property), pit.property)
    tables = sorted(pit.tables.all(), key=natural)
    before, since = _moments([table.stream for table in tables], start, now)
    rows = []
    for table in tables:
        found = since.get(table.stream, [])
        spans = spans_of(before.get(table.stream, stages.CLOSED), found, start=start, end=end, now=now)
        missed = tuple(_part(one.at, start, end) for one in found if one.kind == SAID)
        rows.append(Row(table=table.pk, number=table.number, spans=spans, missed=missed, says=_says(spans)))
    return Day(rows=tuple(rows), marks=_scale(start, end, pit.property.zone), now=_part(now, start, end))


def _moments(
    streams: Sequence[str], start: datetime, now: datetime
) -> tuple[dict[str, str], dict[str, list[Moment]]]:
    """The stage each table brought into the day, and what came since, in order of when it happened."""
    earlier = Event.objects.filter(stream=OuterRef("name"), at__lt=start, data__contains='"stage":')
    last = Subquery(earlier.order_by("-seq").values("data")[:1])
    known = Stream.objects.filter(name__in=streams).annotate(last=last).values_list("name", "last")
    before = {name: _stage(text) or stages.CLOSED for name, text in known if text}
    rows = Event.objects.filter(stream__in=streams, at__gte=start, at__lte=now).exclude(kind="Refused")
    since: dict[str, list[Moment]] = {}
    for stream, at, kind, text in rows.order_by("at", "seq").values_list("stream", "at", "kind", "data"):
        since.setdefault(stream, []).append(Moment(at=at, kind=kind, stage=_stage(text)))
    return before, since


def _stage(text: str) -> str:
    return msgspec.json.decode(text, type=_Stage).stage


def spans_of(
    stage: str, moments: Sequence[Moment], *, start: datetime, end: datetime, now: datetime
) -> tuple[Span, ...]:
    """The day as stretches of one condition each, from its start to now."""
    found: list[tuple[datetime, str]] = [(start, condition_of(stage))]
    empty = False
    for one in moments:
        stage = one.stage or stage
        empty = one.kind == LEFT or (empty and one.kind != ARRIVED and stage in stages.IN_PLAY)
        condition = condition_of(stage, empty=empty)
        if condition != found[-1][1]:
            found.append((one.at, condition))
    ends = [at for at, _ in found[1:]] + [now]
    return tuple(
        Span(condition=condition, left=left, width=max(1, _part(until, start, end) - left))
        for (at, condition), until in zip(found, ends, strict=True)
        for left in (_part(at, start, end),)
    )


def condition_of(stage: str, *, empty: bool = False) -> str:
    """What a stage looks like from afar; holds are not told by a stage and stand in the Record."""
    if stage == stages.CLOSED:
        return Condition.CLOSED.value
    if stage == stages.GAMING_CEASED:
        return Condition.HOLD.value
    if stage in DUE:
        return Condition.DUE.value
    if stage in stages.IDLE | LAID_OUT or (empty and stage in stages.IN_PLAY):
        return Condition.DEAD_GAME.value
    return (Condition.IN_PLAY if stage in stages.IN_PLAY else Condition.PREPARING).value


def _part(at: datetime, start: datetime, end: datetime) -> int:
    return round(1000 * min(1.0, max(0.0, (at - start) / (end - start))))


def _scale(start: datetime, end: datetime, zone: str) -> tuple[Mark, ...]:
    hours = int((end - start) / timedelta(hours=1))
    return tuple(
        Mark(at=100 * nth / hours, words=f"{(start + timedelta(hours=nth)).astimezone(ZoneInfo(zone)):%H}")
        for nth in range(0, hours, HOURS)
    )


def _says(spans: Sequence[Span]) -> str:
    """ "Closed 62 %, In play 30 %, Dead game 8 %" of the day so far."""
    whole = sum(span.width for span in spans) or 1
    share: dict[str, int] = {}
    for span in spans:
        share[span.condition] = share.get(span.condition, 0) + span.width
    told: Mapping[str, str] = dict(Condition.choices)
    return ", ".join(f"{told[name]} {round(100 * part / whole)} %" for name, part in share.items())
