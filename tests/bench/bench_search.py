"""Search of the Record over ten million entries against the same search over ten thousand: by table, by clause, by hour.

The entries are written past the door, by one statement: only their number and their spread matter here. The plan of each
search stands beside its latency; a page of a search walks one index, however long the Record is.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.bench.harness import Env, at_most, row

MANY = int(os.environ.get("PITSTAND_BENCH_ENTRIES", "10000000"))
FEW = 10_000
TABLES = 48
SEARCHES = 40
BEGINNING = datetime(2025, 1, 1, tzinfo=UTC)
STEP = timedelta(seconds=3)
FILL = """
INSERT INTO record_event (stream, seq, kind, v, data, at, recorded_at, late, actor_kind, actor_id, actor_name, actor_badge,
    role, signed, second_name, second_badge, second_role, second_signed, pack, clause, round, key, prev_hash, hash)
SELECT 'table:' || (%(base)s + n %% {tables}), {first} + n / {tables} + 1,
    CASE WHEN n %% 50 = 0 THEN 'Refused' ELSE 'CardsSpread' END, 1,
    CASE WHEN n %% 50 = 0 THEN '{{"command":"RecordWash","refused":{{"message":"no"}}}}' ELSE '{{"face":"up"}}' END,
    %(begin)s + n * interval '3 seconds', %(begin)s + n * interval '3 seconds', false, 'person', 7, 'Ana Floor', '107',
    'floorperson', false, '', '', '', false, 'ny/2016-09-14',
    (ARRAY['NY-b-2-1','NY-b-3-i','NY-b-5','NY-b-6','NY-b-10-1','NY-b-11-1','NY-c-1-x','NY-g-3','house','NY-h-2'])
        [n %% 10 + 1],
    n / 60, '', repeat('0', 64), repeat('0', 64)
FROM generate_series(0, %(count)s - 1) AS n
"""


def measure(env: Env) -> list[dict[str, Any]]:
    from pit.floor.models import Pit, Property
    from tables.models import Table

    place = Property.objects.create(key="bench-search", name="Bench", jurisdiction="ny")
    pit = Pit.objects.create(property=place, number=1, name="Pit 1")
    tables = [
        Table.objects.create(property=place, pit=pit, number=f"BJ-{number:02}", game="blackjack", seats=7)
        for number in range(TABLES)
    ]
    _streams(place.pk, tables)
    few = _filled(place.pk, tables, FEW)
    _more(tables, MANY)
    many = _timed(place.pk, MANY)
    return [
        row(
            f"search by {what}, {MANY:,} entries against {FEW:,}",
            [_typical(many[what][0]) / _typical(few[what][0])],
            target=at_most(2),
            few_ms=round(_typical(few[what][0]) * 1_000, 2),
            many_ms=round(_typical(many[what][0]) * 1_000, 2),
            worst_ms=round(max(many[what][0]) * 1_000, 2),
            plan=many[what][1],
        )
        for what in many
    ]


def _typical(taken: list[float]) -> float:
    """The lower quartile: both sizes are measured at different moments, and another process may have been busy in one."""
    return statistics.quantiles(taken, n=4)[0]


def _streams(property_id: int, tables: list[Any]) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.executemany(
            """INSERT INTO record_stream (name, kind, property_id, topic, seq, changed_seq, round, hash, state, dues,
            rules_seq) VALUES (%s, 'table', %s, 'pit:1', 0, 0, 0, '', '{}', '[]', 0)""",
            [(table.stream, property_id) for table in tables],
        )


def _fill(tables: list[Any], *, begin: datetime, count: int, first: int) -> None:
    from django.db import connection

    told = {"base": tables[0].pk, "begin": begin, "count": count}
    with connection.cursor() as cursor:
        cursor.execute(FILL.format(tables=TABLES, first=first), told)
        cursor.execute("ANALYZE record_event")


def _filled(property_id: int, tables: list[Any], count: int) -> dict[str, tuple[list[float], str]]:
    _fill(tables, begin=BEGINNING, count=count, first=0)
    return _timed(property_id, count)


def _more(tables: list[Any], count: int) -> None:
    """The rest, a million at a time, so that no statement is too long."""
    have = FEW
    while have < count:
        chunk = min(1_000_000 // TABLES * TABLES, count - have)
        _fill(tables, begin=BEGINNING + have * STEP, count=chunk, first=have // TABLES + 1 + have % TABLES)
        have += chunk


def _timed(property_id: int, count: int) -> dict[str, tuple[list[float], str]]:
    from tables import history

    dice = random.Random(3)
    searches: dict[str, Callable[[], history.Search]] = {
        "table": lambda: history.Search(table=f"BJ-{dice.randrange(TABLES):02}"),
        "clause": lambda: history.Search(clause=dice.choice(["NY-c-1-x", "NY-g-3", "NY-h-2"])),
        "hour": lambda: _hour(history.Search, dice.randrange(count)),
    }
    return {what: _times(property_id, make) for what, make in searches.items()}


def _hour(search: Any, number: int) -> Any:
    since = BEGINNING + number * STEP
    return search(since=since, until=since + timedelta(hours=1))


def _times(property_id: int, make: Callable[[], Any]) -> tuple[list[float], str]:
    from tables import history

    taken = []
    for _ in range(SEARCHES + 3):
        search = make()
        begin = time.perf_counter()
        history.find(property_id, search)
        taken.append(time.perf_counter() - begin)
    return taken[3:], _plan(property_id, make())


def _plan(property_id: int, search: Any) -> str:
    """The indexes that the database walks for this search."""
    import re

    from tables import history

    told = history.newest(history.matching(property_id if search.table else None, search), search).explain()
    return " ".join(
        dict.fromkeys(re.findall(r"(?:using|on) (\w+(?:idx|pkey|seq|time|clause|stream|refused)\w*)", told))
    )
