"""Fifty gateways with twenty devices each that always say the same: what both contestants of bench_devices fetch.

`python -m tests.bench.gateways PORT`; prints a line once it answers. POST /move lets the figures of every device move.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

import msgspec
from aiohttp import web

from devices.gateways.wire import Journal, Seen, Snapshot

GATEWAYS, DEVICES = 50, 20


def name(number: int) -> str:
    return f"GW-{number}"


def device(number: int, nth: int) -> str:
    return f"SH-{number}-{nth}"


class Floor:
    """The bodies, made anew only when the figures move."""

    def __init__(self) -> None:
        self.cycles = 0
        self.make()

    def make(self) -> None:
        now = datetime.now(UTC)
        head = {"contract": 1, "boot": "b-1", "time": now}
        self.snapshots = [
            msgspec.json.encode(
                Snapshot(
                    gateway=name(number),
                    cursor=0,
                    devices=[self._seen(number, nth) for nth in range(DEVICES)],
                    **head,
                )
            )
            for number in range(GATEWAYS)
        ]
        self.journals = [
            msgspec.json.encode(Journal(gateway=name(number), first=0, cursor=0, events=[], **head))
            for number in range(GATEWAYS)
        ]

    def _seen(self, number: int, nth: int) -> Seen:
        return Seen(
            id=device(number, nth),
            serial=f"S-{number}-{nth}",
            kind="shuffler",
            state="ready",
            at=datetime.now(UTC),
            maker="Ashford",
            model="Twin 6",
            firmware="0" * 64,
            seal="intact",
            mode="SHUFFLE",
            cycles=self.cycles,
            cards=312,
            batch="red",
        )

    async def devices(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        tag = f'"{self.cycles}"'
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304)
        return web.Response(
            body=self.snapshots[number], content_type="application/json", headers={"ETag": tag}
        )

    async def events(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        return web.Response(body=self.journals[number], content_type="application/json")

    async def move(self, request: web.Request) -> web.Response:
        self.cycles += 1
        self.make()
        return web.Response()


async def serve(port: int) -> None:
    floor, app = Floor(), web.Application()
    app.router.add_get("/{number}/v1/devices", floor.devices)
    app.router.add_get("/{number}/v1/events", floor.events)
    app.router.add_post("/move", floor.move)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
