"""Commands a second through the door against bare psycopg that writes the same rows with the same hashes.

One command: lock the stream, read state and receipt, one entry, one receipt, the new head, commit (durable). The bare
side does it with two prepared statements on tables without triggers and decides nothing. Each writer has a stream and a
connection of its own, as tables in a pit have; writers are threads, as in a web process.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any

from tests.bench.harness import Env, at_least, interleaved, row

COMMANDS = 800
"""Of each contestant in each repetition, shared among the writers."""
STATE_BYTES = 2_000
"""About what a table's state is as JSON."""

_keys = count()


def measure(env: Env) -> list[dict[str, Any]]:
    from pit.record import registry

    kind = _kind()
    registry.register(kind)
    try:
        _bare_tables(env)
        return [_compare(env, writers, target) for writers, target in ((1, 0.6), (8, 0.5))]
    finally:
        registry.unregister(kind.name)


def _compare(env: Env, writers: int, target: float) -> dict[str, Any]:
    streams = [f"bench:{writers}-{number}" for number in range(writers)]
    _open(streams, env)
    each = COMMANDS // writers
    seconds = interleaved(
        {
            "door": partial(_all, [partial(_door, stream, each) for stream in streams]),
            "bare": partial(_all, [partial(_bare, env, stream, each) for stream in streams]),
        }
    )
    return row(
        f"door against bare psycopg, {writers} writer{'s' if writers > 1 else ''}",
        [bare / door for door, bare in zip(seconds["door"], seconds["bare"], strict=True)],
        target=at_least(target),
        door_per_second=round(COMMANDS / sorted(seconds["door"])[2]),
        bare_per_second=round(COMMANDS / sorted(seconds["bare"])[2]),
    )


def _all(writers: list[Callable[[], None]]) -> None:
    """Every writer in a thread; what one raises is raised here."""
    failed: list[BaseException] = []

    def run(write: Callable[[], None]) -> None:
        try:
            write()
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=run, args=(write,)) for write in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def _door(stream: str, commands: int) -> None:
    from django.db import connections

    from pit.record.door import Raw, submit
    from tests.db.lamp import FLOOR

    try:
        for _ in range(commands):
            key = f"bench-{next(_keys)}"
            answer = submit(
                Raw("Toggle", {"by": "1"}), stream=stream, by=FLOOR, key=key, now=datetime.now(UTC)
            )
            assert answer.status == 200, answer.refused
    finally:
        connections.close_all()


def _bare(env: Env, stream: str, commands: int) -> None:
    import psycopg

    from pit.record.chain import digest

    with psycopg.connect(env.dsn) as connection:
        for _ in range(commands):
            key = f"bench-{next(_keys)}"
            found = connection.execute(_BARE_LOCK, (key, stream)).fetchone()
            seq, last = found[4], found[7]
            entry = _example(stream, seq + 1, last, key, datetime.now(UTC))
            entry = entry._replace(hash=digest(entry))
            receipt = (stream, key, _FINGERPRINT, _ANSWER, entry.recorded_at)
            head = (seq + 1, seq + 1, 0, entry.hash, _STATE, "[]", 0, stream)
            connection.execute(_BARE_WRITE, (*entry, *receipt, *head))
            connection.commit()


_STATE = json.dumps({"on": True, "filler": "x" * STATE_BYTES}, separators=(",", ":"))
_DATA = '{"type":"Toggled","by":1}'
_ANSWER = json.dumps({"status": 200, "seq": 1, "state": _STATE, "events": [["Toggled", 1, _DATA]]})
_FINGERPRINT = "f" * 64


def _example(stream: str, seq: int, prev_hash: str, key: str, now: datetime) -> Any:
    from pit.record.chain import Row

    return Row(
        stream=stream, seq=seq, kind="Toggled", v=1, data=_DATA, at=now, recorded_at=now, late=False,
        actor_kind="person", actor_id=7, actor_name="Ana Floor", actor_badge="107", role="floorperson", signed=False,
        second_id=None, second_name="", second_badge="", second_role="", second_signed=False,
        pack="bench/2026-01-01", clause="L-1", round=0, key=key, prev_hash=prev_hash,
    )  # fmt: skip


def _bare_sql() -> tuple[str, str]:
    from pit.record import rows

    lock = rows.LOCK + "FOR NO KEY UPDATE OF s"
    write = f"WITH e AS ({rows.EVENT}{rows.EVENT_ROW}), r AS ({rows.RECEIPT}) {rows.HEAD}"
    return tuple(sql.replace("record_", "bare_") for sql in (lock, write))


_BARE_LOCK, _BARE_WRITE = _bare_sql()


def _bare_tables(env: Env) -> None:
    """The same tables and indexes, without the triggers."""
    import psycopg

    with psycopg.connect(env.dsn) as connection:
        for name in ("stream", "event", "receipt"):
            connection.execute(f"CREATE TABLE IF NOT EXISTS bare_{name} (LIKE record_{name} INCLUDING ALL)")


def _open(streams: list[str], env: Env) -> None:
    import psycopg

    from pit.record.contract import By
    from pit.record.streams import create

    for stream in streams:
        create(stream, property_id=1, topic="pit:1", by=By(kind="system"), now=datetime.now(UTC))
    with psycopg.connect(env.dsn) as connection:
        connection.execute(
            "INSERT INTO bare_stream SELECT * FROM record_stream WHERE name = ANY(%s) ON CONFLICT DO NOTHING",
            [streams],
        )


def _kind() -> Any:
    """A switch with a state of a table's size and a rule that costs nothing: what is measured is the door."""
    import msgspec

    from pit.record.contract import StreamKind

    class Switch(msgspec.Struct, frozen=True, kw_only=True):
        on: bool = False
        filler: str = "x" * STATE_BYTES

    class Toggle(msgspec.Struct, frozen=True, kw_only=True, tag=True):
        by: int

    class Toggled(msgspec.Struct, frozen=True, kw_only=True, tag=True):
        by: int

    class Rules(msgspec.Struct, frozen=True, kw_only=True):
        version: str = "bench/2026-01-01"

    rules = Rules()
    return StreamKind(
        name="bench",
        state=Switch,
        commands={"Toggle": Toggle},
        events={"Toggled": Toggled},
        initial=Switch,
        decide=lambda state, command, *, by, rules, now: [Toggled(by=command.by)],
        evolve=lambda state, entry: msgspec.structs.replace(state, on=not state.on),
        clause_of=lambda command, event, rules: "L-1",
        rules=lambda state, settings, at: rules,
        due_command=lambda state, due: None,
    )
