"""One worker polls a thousand devices behind fifty gateways, against bare aiohttp fetching the same bodies."""

from __future__ import annotations

import asyncio
import gc
import http.cookiejar
import itertools
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp

from tests.bench import gateways as they
from tests.bench.harness import Env, at_least, at_most, row

REPETITIONS = 7
DAY_OF_READINGS = 120_000
"""Of 500 devices: one that moves every six minutes."""
SOAK_TICKS = 400


def measure(env: Env) -> list[dict[str, Any]]:
    port = _free_port()
    with _served(port):
        _register(port)
        rows = [*_one_pass(port), *_batches(port), *_board(), *_soak(port)]
    return [*rows, *_to_a_tablet()]


@contextmanager
def _served(port: int) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.bench.gateways", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _register(port: int) -> None:
    """The rows of the fifty and the thousand. Their streams are not needed: nothing happens at these devices."""
    from devices.models import Device, Gateway
    from pit.floor.models import Property

    house, _ = Property.objects.get_or_create(
        key="bench-devices", defaults={"name": "Bench", "jurisdiction": "ny"}
    )
    boxes = Gateway.objects.bulk_create(
        Gateway(
            property=house, name=they.name(number), url=f"http://127.0.0.1:{port}/{number}", interval_ms=1
        )
        for number in range(they.GATEWAYS)
    )
    Device.objects.bulk_create(
        Device(
            property=house,
            gateway=box,
            key=they.device(number, nth),
            kind="shuffler",
            serial=f"S-{number}-{nth}",
            status="stored",
        )
        for number, box in enumerate(boxes)
        for nth in range(they.DEVICES)
    )


def _one_pass(port: int) -> list[dict[str, Any]]:
    """CPU of this process (all its threads) and time on the wall, of one pass over all of them."""
    tick, bare = _tick, lambda: asyncio.run(_bare(port))
    quiet = _taken({"tick": tick, "bare": bare})
    moving = _taken({"tick": tick, "bare": bare}, before=lambda: _move(port))
    rows = []
    for what, taken, cpu_target, wall_target in (
        ("nothing moved", quiet, at_most(1.5), at_most(2)),
        ("all figures moved", moving, None, None),
    ):
        for which, name, target in ((0, "CPU", cpu_target), (1, "time", wall_target)):
            runs = [one[which] / two[which] for one, two in zip(taken["tick"], taken["bare"], strict=True)]
            rows.append(
                row(
                    f"a pass over 1,000 devices, {what}: {name} against bare aiohttp",
                    runs,
                    target=target,
                    tick_ms=round(sorted(one[which] for one in taken["tick"])[REPETITIONS // 2] * 1000),
                    bare_ms=round(sorted(one[which] for one in taken["bare"])[REPETITIONS // 2] * 1000),
                )
            )
    return rows


def _taken(
    contestants: dict[str, Callable[[], Any]], *, before: Callable[[], None] = lambda: None
) -> dict[str, list[tuple[float, float]]]:
    """(CPU seconds, seconds) of each, in turns; one unmeasured round comes first."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
    for repetition in range(REPETITIONS + 1):
        before()
        for name in contestants if repetition % 2 else reversed(list(contestants)):
            gc.collect()
            cpu, wall = time.process_time(), time.perf_counter()
            contestants[name]()
            if repetition:
                taken[name].append((time.process_time() - cpu, time.perf_counter() - wall))
    return taken


def _tick() -> None:
    from devices import poll

    assert poll.tick() == they.GATEWAYS


_tags: dict[int, str] = {}
"""What the bare side knows of each snapshot, so that it fetches the same bodies as the poll does."""


async def _bare(port: int) -> None:
    async with aiohttp.ClientSession() as session:

        async def one(number: int) -> None:
            for path in ("devices", "events?after=0&limit=500"):
                tag = {"If-None-Match": _tags.get(number, "")} if path == "devices" else {}
                async with session.get(f"http://127.0.0.1:{port}/{number}/v1/{path}", headers=tag) as answer:
                    await answer.read()
                    _tags[number] = answer.headers.get("ETag", _tags.get(number, ""))

        await asyncio.gather(*(one(number) for number in range(they.GATEWAYS)))


def _move(port: int) -> None:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/move", method="POST")
    urllib.request.urlopen(request, timeout=5).read()


def _batches(port: int) -> list[dict[str, Any]]:
    """Changed readings a second: all of a pass together, and each in a transaction of its own."""
    from django.db import transaction

    from devices import readings
    from devices.models import Gateway

    _move(port)
    changes = _changes()
    now = datetime.now(UTC)

    def together() -> None:
        with transaction.atomic():
            readings.store(changes, now=now)

    def one_by_one() -> None:
        for change in changes:
            with transaction.atomic():
                readings.store([change], now=now)

    assert Gateway.objects.count() >= they.GATEWAYS
    taken = _taken({"together": together, "one by one": one_by_one})
    runs = [two[1] / one[1] for one, two in zip(taken["together"], taken["one by one"], strict=True)]
    fastest = sorted(one[1] for one in taken["together"])[REPETITIONS // 2]
    return [
        row(
            "readings written in batches against one by one",
            runs,
            target=at_least(5),
            per_second=round(1000 / fastest),
        )
    ]


def _changes() -> list[Any]:
    """A change for every device, as a pass makes them."""
    from devices import readings
    from devices.gateways.wire import Seen
    from devices.models import Device, Gateway

    boxes = list(Gateway.objects.filter(property__key="bench-devices").values_list("pk", flat=True))
    known = readings.known(boxes)
    seen = {
        one.key: Seen(
            id=one.key, serial=one.serial, kind="shuffler", state="ready", at=datetime.now(UTC), cycles=10**6
        )
        for one in Device.objects.filter(gateway_id__in=boxes)
    }
    return [
        readings.Change(one, seen[key], readings.digest_of(seen[key]), "")
        for devices in known.values()
        for key, one in devices.items()
    ]


def _board() -> list[dict[str, Any]]:
    """What a board reads about devices, before and after a day of readings."""
    from django.db import connection

    from devices import selectors
    from devices.models import Device, Reading

    house = Device.objects.filter(property__key="bench-devices").values_list("property_id", flat=True)[0]
    ids = list(Device.objects.filter(property_id=house).values_list("pk", flat=True)[:500])

    def board() -> float:
        begin = time.perf_counter()
        for _ in range(20):
            selectors.gateways(house, now=datetime.now(UTC))
            selectors.lines(selectors.rows(house)[:60], now=datetime.now(UTC))
        return time.perf_counter() - begin

    board()
    before = [board() for _ in range(REPETITIONS)]
    start = datetime.now(UTC) - timedelta(days=1)
    Reading.objects.bulk_create(
        (
            Reading(
                device_id=ids[nth % len(ids)],
                at=start + timedelta(seconds=nth * 0.7),
                state="ready",
                cycles=nth,
            )
            for nth in range(DAY_OF_READINGS)
        ),
        batch_size=5_000,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE devices_reading")
    after = [board() for _ in range(REPETITIONS)]
    runs = [two / one for one, two in zip(sorted(before), sorted(after), strict=True)]
    return [
        row(
            "what a board reads of devices, after a day of readings against before", runs, target=at_most(1.2)
        )
    ]


def _soak(port: int) -> list[dict[str, Any]]:
    """Memory of a worker that polls on and on, with everything moving now and then."""
    sizes = []
    for nth in range(SOAK_TICKS):
        if nth % 20 == 0:
            _move(port)
        _tick()
        if nth % 50 == 49:
            gc.collect()
            sizes.append(_resident())
    return [
        row(
            "memory of a worker after 400 passes against after 100",
            [sizes[-1] / sizes[1]],
            target=at_most(1.05),
            mb=round(sizes[-1]),
        )
    ]


def _resident() -> float:
    """Megabytes of this process."""
    text = Path("/proc/self/status").read_text()
    line = next(one for one in text.splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


FAULTS = ("SHUF_CARD_UNREAD", "SHUF_JAM", "SHUF_INCOMPLETE", "SHUF_CARD_DUPLICATE", "SHUF_CARD_WRONG_BACK")
"""Each once at every shuffler of a pit: what stands already is nothing new to a tablet."""


def _to_a_tablet() -> list[dict[str, Any]]:
    """From the moment a device has a fault until the tile is at a connected tablet: the whole demo, processes and all."""
    from tests.browser.site import Site

    with tempfile.TemporaryDirectory(prefix="pitstand-bench-") as folder:
        site = Site(Path(folder) / "data")
        site.start()
        try:
            took = asyncio.run(_faults(site))
        finally:
            site.stop()
    took.sort()
    p95 = took[int(len(took) * 0.95) - 1]
    allowed = INTERVAL_S + 0.3
    return [
        row(
            "a fault on a connected tablet at p95, against poll interval + 300 ms",
            [p95 / allowed],
            target=at_most(1),
            p50_ms=round(took[len(took) // 2] * 1000),
            p95_ms=round(p95 * 1000),
        )
    ]


INTERVAL_S = 1.0


async def _faults(site: Any) -> list[float]:
    from websockets.asyncio.client import connect

    cookie = await asyncio.to_thread(_signed_in, site.url)
    shufflers: list[dict[str, Any]] = []
    while len(shufflers) < 3:
        await asyncio.sleep(1)
        state = await asyncio.to_thread(_json, f"{site.url}/devices.json", cookie)
        shufflers = [one for one in state["devices"] if one["kind"] == "Shuffler" and one["state"] == "well"]
    pit = await asyncio.to_thread(_pit_of, site.url, cookie, shufflers[0]["table"])
    here = [one for one in shufflers if one["pit"] == shufflers[0]["pit"]]
    control = (site.data / "simulator").read_text()
    took = []
    chance = random.Random(5)
    async with connect(
        f"{site.url.replace('http', 'ws')}/ws/pits/{pit}/",
        origin=site.url,
        additional_headers={"Cookie": cookie},
        max_size=None,
    ) as socket:
        for code, device in itertools.product(FAULTS, here):
            await asyncio.sleep(chance.uniform(0.2, 1.2))
            begin = time.perf_counter()
            told = {"do": "put", "box": device["gateway_name"], "device": device["key"], "code": code}
            await asyncio.to_thread(_post, f"{control}/control", told)
            await _tile_of(socket, f"table:{device['table']}")
            took.append(time.perf_counter() - begin)
    return took


async def _tile_of(socket: Any, stream: str) -> None:
    async with asyncio.timeout(15):
        async for frame in socket:
            text = frame.decode() if isinstance(frame, bytes) else frame
            if '"tiles"' in text[:20] and f'"{stream}"' in text:
                return


def _signed_in(url: str) -> str:
    """The session cookie of somebody who looks after the whole property."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = opener.open(f"{url}/accounts/login/", timeout=20).read().decode()
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found
    form = {"csrfmiddlewaretoken": found[1], "username": "shift", "password": "pitstand-demo"}
    request = urllib.request.Request(f"{url}/accounts/login/", data=urllib.parse.urlencode(form).encode())
    request.add_header("Referer", url)
    opener.open(request, timeout=20).read()
    return "; ".join(f"{one.name}={one.value}" for one in jar)


def _json(url: str, cookie: str) -> Any:
    request = urllib.request.Request(url, headers={"Cookie": cookie, "Accept": "application/json"})
    return json.loads(urllib.request.urlopen(request, timeout=20).read())


def _pit_of(url: str, cookie: str, table: int) -> int:
    return int(_json(f"{url}/tables/{table}.json", cookie)["pit"])


def _post(url: str, told: dict[str, Any]) -> None:
    request = urllib.request.Request(url, data=json.dumps(told).encode(), method="POST")
    request.add_header("Content-Type", "application/json")
    urllib.request.urlopen(request, timeout=10).read()
