"""The live layer against a bare Uvicorn broadcast, and the board from ready fragments against Redis alone.

Both servers are Uvicorn processes of the same settings (uvloop, no deflate) with the same clients and the same frames.
CPU is what the server process took (user and system, all threads), in nanoseconds from the scheduler; the site's takes
in all that it does meanwhile: the subscription, the Channels consumer, beats, the checks of sessions and rights.
"""

from __future__ import annotations

import socket
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.harness import Env, Target, at_least, at_most, row
from tests.bench.lamps import TILE, Pit
from tests.bench.listeners import Crowd, Listener, tiles_in

SIZES = (200, 500, 1000)
DELIVERIES = 20_000
"""Of each contestant in each repetition."""
APART = 0.04
"""Seconds between two single changes."""
PACE = 100
"""Changes a second in the run under load."""
PACED = 200
"""Changes of that run."""
STREAMS = 48
REPETITIONS = 5
IN_TIME = 0.25
"""Seconds within which the others hear a change while one client is stalled."""
TABLES = 300
BOARDS = 200
"""Of each contestant in each repetition."""


def measure(env: Env) -> list[dict[str, Any]]:
    from pit.live import registry
    from pit.record import registry as record
    from tests.db import lamp
    from tests.live.house import draw

    record.register(lamp.kind())
    registry.register_tile("lamp", draw)
    try:
        return [*_live(), *_board()]
    finally:
        registry.forget_tile("lamp")
        record.unregister("lamp")


class Side(NamedTuple):
    """One contestant: its clients, its process, and how it is told a change."""

    crowd: Crowd
    pid: int
    tell: Callable[[Any], None]

    def cpu(self, work: Callable[[], None]) -> float:
        """CPU seconds of the server process during the work."""
        before = _cpu(self.pid)
        work()
        return _cpu(self.pid) - before


def _cpu(pid: int) -> float:
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


@contextmanager
def _sides(pit: Pit) -> Iterator[tuple[Side, Side]]:
    """The site and the base, both running, still without clients."""
    from tests.live.servers import running_site

    with ExitStack() as stack:
        site = stack.enter_context(running_site(application="pit.asgi:application"))
        base = stack.enter_context(running_site(application="tests.bench.bare_asgi:application"))
        ours, bare = Crowd(site.port, pit.path, pit.cookie), Crowd(base.port, "/")
        stack.callback(ours.close)
        stack.callback(bare.close)
        yield (
            Side(ours, site.process.pid, pit.publish),
            Side(bare, base.process.pid, lambda tile: bare.say(_frame(tile))),
        )


def _frame(tile: Any) -> bytes:
    from pit.live import wire

    return wire.tiles_frame([wire.encode(tile)]).encode()


def _live() -> list[dict[str, Any]]:
    pit = Pit(sessions=max(SIZES))
    rows = [_connecting(pit), _stalled(pit)]
    with _sides(pit) as (ours, bare):
        for size in SIZES:
            ours.crowd.grow(size)
            bare.crowd.grow(size)
            ours.crowd.wait(lambda: min(ours.crowd.frames()) >= 1)
            rows.append(_one_change(pit, ours, bare))
        rows.append(_paced(pit, ours, bare))
    return rows


def _one_change(pit: Pit, ours: Side, bare: Side) -> dict[str, Any]:
    size = len(ours.crowd.clients)
    times = DELIVERIES // size
    cpu: dict[str, list[float]] = {"ours": [], "bare": []}
    for repetition in range(REPETITIONS + 1):
        for name, side in {"ours": ours, "bare": bare}.items():
            taken = side.cpu(partial(_changes, pit, side, times))
            if repetition:
                cpu[name].append(taken / (times * size))
    return row(
        f"one change to {size} sockets, CPU a delivery against a bare Uvicorn broadcast",
        [one / base for one, base in zip(cpu["ours"], cpu["bare"], strict=True)],
        target=at_most(1.3),
        ours_us=round(statistics.median(cpu["ours"]) * 1e6, 1),
        bare_us=round(statistics.median(cpu["bare"]) * 1e6, 1),
    )


def _changes(pit: Pit, side: Side, times: int) -> None:
    """One change after the other, each when every client has heard the one before, and both sides at the same pace: a
    process that was called a moment ago finds its caches warm."""
    for _ in range(times):
        before = side.crowd.tiles()
        begin = time.monotonic()
        side.tell(pit.tile())
        side.crowd.wait(partial(_all_heard, side.crowd, before))
        time.sleep(max(0.0, begin + APART - time.monotonic()))


def _all_heard(crowd: Crowd, before: Sequence[int]) -> bool:
    return all(now > then for now, then in zip(crowd.tiles(), before, strict=True))


def _paced(pit: Pit, ours: Side, bare: Side) -> dict[str, Any]:
    cpu: dict[str, list[float]] = {"ours": [], "bare": []}
    late: list[float] = []
    for repetition in range(REPETITIONS + 1):
        taken = {
            "ours": ours.cpu(lambda: late.extend(_at_pace(pit, ours))),
            "bare": bare.cpu(lambda: _at_pace(pit, bare)),
        }
        if repetition == 0:
            late.clear()
            continue
        for name, seconds in taken.items():
            cpu[name].append(seconds / PACED)
    late.sort()
    return row(
        f"{PACE} changes a second to {len(ours.crowd.clients)} sockets, CPU a change against the unbatched base",
        [one / base for one, base in zip(cpu["ours"], cpu["bare"], strict=True)],
        target=at_most(0.6),
        ours_ms=round(statistics.median(cpu["ours"]) * 1e3, 2),
        bare_ms=round(statistics.median(cpu["bare"]) * 1e3, 2),
        p50_ms=round(late[len(late) // 2] * 1e3, 1),
        p99_ms=round(late[len(late) * 99 // 100] * 1e3, 1),
    )


def _at_pace(pit: Pit, side: Side, *, paced: int = PACED, streams: int = STREAMS) -> list[float]:
    """So many changes a second, until the readers have heard the last; gives how late each reader heard each."""
    readers = side.crowd.readers()
    for reader in readers:
        reader.heard.clear()
    told: dict[tuple[str, int], float] = {}
    begin = time.monotonic()
    for number in range(paced):
        time.sleep(max(0.0, begin + number / PACE - time.monotonic()))
        tile = pit.tile(streams)
        told[tile.stream, tile.seq] = time.monotonic()
        side.tell(tile)
    last = f'"seq":{tile.seq},'.encode()
    side.crowd.wait(lambda: all(reader.has(last) for reader in readers))
    return [late for reader in readers for late in _lateness(reader, told)]


def _lateness(reader: Listener, told: dict[tuple[str, int], float]) -> list[float]:
    """How long each change took until this reader knew it, or a newer version of the same stream."""
    late = []
    waiting = dict(told)
    for at, message in reader.heard:
        for stream, seq in tiles_in(message):
            known = [one for one in waiting if one[0] == stream and one[1] <= seq]
            late += [at - waiting.pop(one) for one in known]
    return late + [float("inf")] * len(waiting)


def _connecting(pit: Pit) -> dict[str, Any]:
    """1,000 sockets from the handshake to the first beat: sign-in, rights, join, heads. Against the bare handshake."""
    runs, seconds = [], []
    for _ in range(3):
        with _sides(pit) as (ours, bare):
            taken = {}
            for name, side, first in (("bare", bare, 0), ("ours", ours, 1)):
                begin = time.monotonic()
                side.crowd.grow(max(SIZES))
                side.crowd.wait(partial(_greeted, side.crowd, first))
                taken[name] = time.monotonic() - begin
            runs.append(taken["ours"] / taken["bare"])
            seconds.append(taken["ours"])
    return row(
        f"connect, sign-in check and first sync of {max(SIZES)} sockets against the bare handshake",
        runs,
        seconds=round(statistics.median(seconds), 2),
    )


def _greeted(crowd: Crowd, frames: int) -> bool:
    return min(crowd.frames()) >= frames


def _stalled(pit: Pit) -> dict[str, Any]:
    """200 clients and one more that reads nothing, its buffers full: the share of changes that the others hear in time."""
    with _sides(pit) as (ours, _):
        ours.crowd.grow(200)
        ours.crowd.wait(lambda: min(ours.crowd.frames()) >= 1)
        with _client_that_reads_nothing(pit, ours) as filled:
            shares = []
            worst = 0.0
            for _ in range(REPETITIONS):
                late = _at_pace(pit, ours, paced=filled)
                shares.append(sum(one <= IN_TIME for one in late) / len(late))
                worst = max(worst, *late)
    return row(
        f"one stalled client among 200: share of changes that the others hear within {IN_TIME:g} s",
        shares,
        target=at_least(1.0),
        slowest_ms=round(worst * 1e3, 1),
    )


@contextmanager
def _client_that_reads_nothing(pit: Pit, ours: Side) -> Iterator[int]:
    """Shakes hands and stops reading; its receive buffer is small, so that it blocks soon. Gives changes a repetition."""
    port = ours.crowd.port
    with socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        stalled.connect(("127.0.0.1", port))
        stalled.sendall(ours.crowd.request(0))
        stalled.recv(64)
        yield PACED


def _board() -> list[dict[str, Any]]:
    """The tiles of 300 tables: Redis HMGET and join; the same with every version checked; with its heads read too."""
    import redis
    from django.conf import settings

    from pit.live import fragments, heads

    topic, key, names = _ready_pit()
    client = redis.Redis.from_url(settings.REDIS_URL)
    wanted = {head.stream: (head.property_id, head.seq) for head in heads.rows([topic])}
    seconds = _page_by_page(
        {
            "joined": lambda: b"".join(client.hmget(key, names)).decode(),
            "ready": lambda: _whole(fragments.html(fragments.ready(wanted).values())),
            "board": lambda: _whole(fragments.page(topic)),
        }
    )
    what = f"board of {TABLES} tables from ready fragments against Redis HMGET and join"
    return [
        _against_joined(what, "ready", seconds, target=at_most(1.5)),
        _against_joined(f"{what}, with the heads read from the database", "board", seconds),
    ]


def _against_joined(
    what: str, name: str, seconds: dict[str, list[float]], target: Target | None = None
) -> dict[str, Any]:
    return row(
        what,
        [one / base for one, base in zip(seconds[name], seconds["joined"], strict=True)],
        target=target,
        ours_ms=round(statistics.median(seconds[name]) / BOARDS * 1e3, 2),
        joined_ms=round(statistics.median(seconds["joined"]) / BOARDS * 1e3, 2),
    )


def _ready_pit() -> tuple[str, str, list[str]]:
    """A pit whose fragments are all in Redis: its topic, their hash, their streams."""
    from pit.live import wire
    from pit.live.build import build_id
    from pit.live.store import store
    from pit.record import streams
    from pit.web import clock
    from tests.db.lamp import MANAGER

    pit = Pit(sessions=0)
    names = [f"lamp:{pit.place.pk * 1000 + number}" for number in range(TABLES)]
    for name in names:
        streams.create(name, property_id=pit.place.pk, topic=pit.pit.topic, by=MANAGER, now=clock.now())
    key = wire.tiles_key(pit.place.pk, build_id())
    store().write(key, [(wire.Tile(name, 1, TILE), 1) for name in names])  # instead of the lamps' small ones
    return pit.pit.topic, key, names


def _whole(page: Any) -> None:
    assert len(page.tiles) == TABLES * len(TILE)


def _page_by_page(contestants: dict[str, Callable[[], Any]]) -> dict[str, list[float]]:
    """Seconds of each contestant a repetition, taken in turns page by page: a page takes a millisecond or two, and a
    slow moment of the machine lasts longer."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for repetition in range(REPETITIONS + 1):
        taken = dict.fromkeys(contestants, 0.0)
        for turn in range(BOARDS):
            for name in contestants if turn % 2 else reversed(contestants):
                begin = time.perf_counter()
                contestants[name]()
                taken[name] += time.perf_counter() - begin
        for name in contestants if repetition else ():
            seconds[name].append(taken[name])
    return seconds
