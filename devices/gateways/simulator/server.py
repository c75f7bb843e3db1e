"""The simulator's HTTP side: each box under its name (`/GW-1/v1/…`), in good manners or bad ones, and a control address."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Any

import msgspec
from aiohttp import web

from devices.gateways.simulator.floor import Box, Floor
from devices.gateways.simulator.play import Play

Answerer = Callable[[Box, web.Request, bytes], Awaitable[web.StreamResponse]]


async def well(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(body=body, content_type="application/json")


async def slow(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    await asyncio.sleep(1.2)
    return await well(box, request, body)


async def hang(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    await asyncio.sleep(3600)
    return await well(box, request, body)


async def half(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    """Announces a whole body, sends a half and is gone."""
    response = web.StreamResponse(
        headers={"Content-Type": "application/json", "Content-Length": str(len(body))}
    )
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.abort()
    return response


async def html(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(text="<html><body>Welcome to your new router</body></html>", content_type="text/html")


async def html_as_json(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(text="<html></html>", content_type="application/json")


async def huge(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(body=b'{"a":"' + b"x" * 10_000_000 + b'"}', content_type="application/json")


async def endless(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    """Never says how much is to come, and never stops."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    while True:
        await response.write(b" " * 65_536)


async def refuse(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(status=401)


async def redirect(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(status=302, headers={"Location": f"/trap/{box.name}"})


async def busy(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(status=503, headers={"Retry-After": "7"})


async def broken(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
    return web.Response(status=500, text="Traceback …")


def changed(change: Callable[[Box, dict[str, Any]], None]) -> Answerer:
    """An answer in which something is otherwise than it should be."""

    async def answer(box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
        told = msgspec.json.decode(body)
        change(box, told)
        return web.Response(body=msgspec.json.encode(told), content_type="application/json")

    return answer


def _wrong_schema(box: Box, told: dict[str, Any]) -> None:
    told["contract"] = "one"


def _card_order(box: Box, told: dict[str, Any]) -> None:
    for one in told.get("events", []):
        one["data"] = {**one.get("data", {}), "cards_in_order": ["QD", "7S"]}
    for one in told.get("devices", []):
        one["order"] = ["QD", "7S"]


def _backwards(box: Box, told: dict[str, Any]) -> None:
    if "events" in told:
        told["cursor"], told["events"] = 0, []


def _duplicates(box: Box, told: dict[str, Any]) -> None:
    if "events" in told:
        told["events"] = [one for one in told["events"] for _ in range(2)]


def _two_ways(box: Box, told: dict[str, Any]) -> None:
    if told.get("events"):
        told["events"].append({**told["events"][-1], "code": "another"})


def _far_off(box: Box, told: dict[str, Any]) -> None:
    told["time"] = (datetime.fromisoformat(told["time"]) + timedelta(days=400)).isoformat()


def _other_serial(box: Box, told: dict[str, Any]) -> None:
    for one in told.get("devices", []):
        one["serial"] = "NOT-THE-ONE"


def _other_gateway(box: Box, told: dict[str, Any]) -> None:
    told["gateway"] = "GW-elsewhere"


def _unknown_device(box: Box, told: dict[str, Any]) -> None:
    for one in [*told.get("devices", []), *told.get("events", [])]:
        one["id" if "serial" in one else "device"] = "ZZ-99"


BEHAVIOURS: dict[str, Answerer] = {
    "well": well,
    "slow": slow,
    "hang": hang,
    "half": half,
    "html": html,
    "html_as_json": html_as_json,
    "huge": huge,
    "endless": endless,
    "refuse": refuse,
    "redirect": redirect,
    "busy": busy,
    "broken": broken,
    "wrong_schema": changed(_wrong_schema),
    "card_order": changed(_card_order),
    "backwards": changed(_backwards),
    "duplicates": changed(_duplicates),
    "two_ways": changed(_two_ways),
    "far_off": changed(_far_off),
    "other_serial": changed(_other_serial),
    "other_gateway": changed(_other_gateway),
    "unknown_device": changed(_unknown_device),
}
"""How a box may answer. All but "well", "slow" and "busy" are faults of it."""


class Server:
    """The boxes of a floor on one port. `control`: whether `POST /control` is there (never in front of a real site)."""

    def __init__(self, floor: Floor, play: Play | None = None, *, control: bool = False) -> None:
        self.floor, self.play = floor, play
        self.trapped = 0
        self.app = web.Application(client_max_size=65_536)
        self.app.router.add_get("/{box}/v1/devices", self.devices)
        self.app.router.add_get("/{box}/v1/events", self.events)
        self.app.router.add_get("/trap/{box}", self.trap)
        if control:
            self.app.router.add_post("/control", self.control)

    async def devices(self, request: web.Request) -> web.StreamResponse:
        box = self._box(request)
        tag = box.etag()
        if box.behaviour == "well" and request.headers.get("If-None-Match") == tag:
            return web.Response(status=304)
        response = await self._answer(box, request, msgspec.json.encode(box.snapshot()))
        if not response.prepared and box.behaviour == "well":
            response.headers["ETag"] = tag
        return response

    async def events(self, request: web.Request) -> web.StreamResponse:
        box = self._box(request)
        try:
            after, limit = int(request.query.get("after", "0")), int(request.query.get("limit", "500"))
        except ValueError:
            raise web.HTTPBadRequest from None
        return await self._answer(box, request, msgspec.json.encode(box.events(after, min(limit, 500))))

    async def trap(self, request: web.Request) -> web.StreamResponse:
        """Where a redirect would lead: nobody must ever come here."""
        self.trapped += 1
        return web.json_response({"trapped": self.trapped})

    async def control(self, request: web.Request) -> web.StreamResponse:
        """`{"do": "behave"|"put"|"write"|"script"|"reboot"|"skew"|"state", …}`; answers what became of it."""
        told = await request.json()
        found = self._do(told)
        return web.json_response({"done": found, "trapped": self.trapped})

    def _do(self, told: dict[str, Any]) -> Any:
        match told.pop("do", ""):
            case "behave":
                self._named(told["box"]).behaviour = _known(told["behaviour"])
            case "put":
                device, code, box = told.pop("device"), told.pop("code"), told.pop("box", "")
                return self.floor.find(device, box).put(device, code, **told)
            case "write":
                device, raw, box = told.pop("device"), told.pop("raw"), told.pop("box", "")
                return self.floor.find(device, box).write(device, raw, **told)
            case "script" if self.play is not None:
                self.play.script(
                    told["number"], told["device"], now=self.floor.now(), box=told.get("box", "")
                )
            case "reboot":
                self._named(told["box"]).reboot(keep=bool(told.get("keep")))
            case "skew":
                self._named(told["box"]).skew_s = float(told["seconds"])
            case "state":
                return {name: [box.boot, box.last, box.asked] for name, box in self.floor.boxes.items()}
            case other:
                raise web.HTTPUnprocessableEntity(text=f"nothing to do: {other!r}")
        return None

    def _box(self, request: web.Request) -> Box:
        box = self._named(request.match_info["box"])
        box.asked += 1
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if box.token and not compare_digest(given.encode(), box.token.encode()):
            raise web.HTTPUnauthorized
        return box

    def _named(self, name: str) -> Box:
        try:
            return self.floor.boxes[name]
        except KeyError:
            raise web.HTTPNotFound from None

    async def _answer(self, box: Box, request: web.Request, body: bytes) -> web.StreamResponse:
        return await BEHAVIOURS[box.behaviour](box, request, body)


def _known(behaviour: str) -> str:
    if behaviour not in BEHAVIOURS:
        raise web.HTTPUnprocessableEntity(text=f"there are: {', '.join(BEHAVIOURS)}")
    return behaviour


async def serve(
    server: Server,
    *,
    host: str,
    port: int,
    tick_s: float = 0.25,
    until: asyncio.Event | None = None,
    tls: ssl.SSLContext | None = None,
) -> None:
    """Answers and plays until `until` is set, or for ever."""
    runner = web.AppRunner(server.app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port, ssl_context=tls).start()
        while until is None or not until.is_set():
            if server.play is not None:
                server.play.step(server.floor.now())
            await asyncio.sleep(tick_s)
    finally:
        await runner.cleanup()
