"""A pit of lamps with a tile each, and listeners at its sockets: the live layer on the real door."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import msgspec
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from pit.asgi import application
from pit.floor.models import Pit, Property
from pit.live.registry import Fragment
from pit.people.models import Staff
from pit.record import door, streams
from pit.web import clock
from tests.db.lamp import MANAGER, Lamp, SwitchOff, SwitchOn

HOST = b"localhost"
PATIENCE = 5.0


def draw(stream: str, state: Lamp, seq: int) -> Fragment:
    """The tile of a lamp."""
    number = stream.partition(":")[2]
    word = f"lit, {state.watts} W" if state.lit else "dark"
    tile = f'<article id="lamp-{number}" data-stream="{stream}" data-seq="{seq}">{word} – now</article>'
    need = f'<li id="need-{number}-off" data-stream="{stream}" data-rank="1">Switch it off</li>'
    return Fragment(tile, need if state.lit else "")


class House:
    """One property with lamps in its pits."""

    def __init__(self, place: Property) -> None:
        self.place = place
        self.pits = list(Pit.objects.filter(property=place))
        self.topic = self.pits[0].topic

    def lamp(self, number: int, *, pit: int = 0) -> str:
        """Makes a lamp in that pit; gives its stream."""
        stream = f"lamp:{self.place.pk * 1000 + number}"
        topic = self.pits[pit].topic
        streams.create(stream, property_id=self.place.pk, topic=topic, by=MANAGER, now=clock.now())
        return stream

    def press(self, stream: str, *, watts: int | None = None) -> int:
        """Switches a lamp on, or off when no watts are given; gives its new version."""
        command = SwitchOff() if watts is None else SwitchOn(watts=watts)
        answer = door.submit(command, stream=stream, by=MANAGER, key=uuid.uuid4().hex, now=clock.now())
        assert answer.refused is None
        return answer.seq

    def flip(self, stream: str) -> int:
        """On and off again."""
        self.press(stream, watts=40)
        return self.press(stream)


def cookie_of(staff: Staff) -> str:
    """A fresh session of this person as the Cookie header says it."""
    client = Client()
    client.force_login(staff, backend="pit.people.backends.PasswordBackend")
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def headers(
    cookie: str = "", *, origin: bytes | None = b"http://localhost", token: str = ""
) -> list[tuple[bytes, bytes]]:
    """What a browser sends with the handshake."""
    found = [(b"host", HOST)]
    found += [(b"origin", origin)] if origin else []
    found += [(b"cookie", cookie.encode())] if cookie else []
    return found + ([(b"authorization", token.encode())] if token else [])


class Listener:
    """One browser's socket."""

    def __init__(self, path: str, sent: list[tuple[bytes, bytes]]) -> None:
        self.socket = WebsocketCommunicator(application, path, headers=sent)

    async def open(self) -> tuple[bool, Any]:
        return await self.socket.connect(timeout=PATIENCE)

    async def joined(self) -> dict[str, Any]:
        """Opens the socket; gives its first beat."""
        accepted, _ = await self.open()
        assert accepted
        return await self.next("beat")

    async def next(self, kind: str) -> dict[str, Any]:
        """The next message of that kind; others are passed over."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = msgspec.json.decode(await self.socket.receive_from(timeout=PATIENCE))
                if message["type"] == kind:
                    return message

    async def tile(self, stream: str, seq: int) -> dict[str, Any]:
        """Waits until this version of the stream was told."""
        while True:
            for tile in (await self.next("tiles"))["tiles"]:
                if tile["stream"] == stream and tile["seq"] >= seq:
                    return tile

    async def code(self) -> int:
        """Waits for the close; gives its code."""
        while True:
            message = await self.socket.receive_output(timeout=PATIENCE)
            if message["type"] == "websocket.close":
                return message.get("code", 1000)

    async def quiet(self) -> bool:
        """Whether nothing more is there just now."""
        return await self.socket.receive_nothing(timeout=0.2)

    async def leave(self) -> None:
        await self.socket.disconnect(timeout=PATIENCE)
