"""The socket of a board: who asks, may they, join, first beat. Commands never travel here.

Close codes: 4401 signed out, 4403 no right here, 1008 too many messages, 1009 too long, 1013 try again later.
"""

from __future__ import annotations

import asyncio
from typing import Any

import structlog
from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from channels.utils import await_many_dispatch
from django.db import DatabaseError

from pit.live import access
from pit.live.process import live
from pit.live.socket import Socket

log = structlog.get_logger(__name__)

LONGEST = 64
"""Characters of a message from the browser: it sends nothing but `{"type":"ping"}`."""
PINGS = 10
"""Pings that a socket may send within `PINGS_WITHIN` seconds."""
PINGS_WITHIN = 10.0


class BoardConsumer(AsyncConsumer):
    """`kind` is "pit" or "property"; the number comes from the address."""

    kind = "pit"
    socket: Socket | None = None

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """As Channels does, with one more source of messages: the hub gives the socket up."""
        self.scope = scope
        self.base_send = send
        self.given_up = asyncio.Event()
        self.pings: list[float] = []
        try:
            await await_many_dispatch([receive, self._given_up], self.dispatch)
        except StopConsumer:
            return

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Without Channels' thread hop a message: the database is touched by the live layer alone, which tidies up."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        topic = f"{self.kind}:{self.scope['url_route']['kwargs']['pk']}"
        asks = access.ask_of(self.scope, topic)
        self.live = live()
        verdict: access.Verdict | None = None
        try:
            verdict = await self.live.beats.verdict(asks)
        except DatabaseError as error:
            log.warning("live_socket_not_judged", topic=topic, error=repr(error))
        # Accepted first in every case: a browser sees the code of no other close.
        await self.base_send({"type": "websocket.accept"})
        if verdict is not access.Verdict.MAY:
            await self._close(verdict.value if verdict else 1013)
            return
        self.socket = Socket(self.base_send, topic=topic, asks=asks, ended=self.given_up.set)
        self.live.hub.join(self.socket)
        await self._beat()

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        text = message.get("text")
        if text is None or len(text) > LONGEST:
            await self._close(1009)
        elif not self._may_ping():
            await self._close(1008)
        elif text == '{"type":"ping"}':
            await self._beat()

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        if self.socket is not None:
            self.live.hub.leave(self.socket)
            self.socket.drop()
        raise StopConsumer

    async def _beat(self) -> None:
        if self.socket is None:
            return
        try:
            await self.live.beats.greet(self.socket)
        except DatabaseError as error:
            log.warning("live_socket_not_greeted", topic=self.socket.topic, error=repr(error))
            await self._close(1013)

    async def _close(self, code: int) -> None:
        if self.socket is None:
            await self.base_send({"type": "websocket.close", "code": code})
        else:
            self.live.hub.leave(self.socket)
            self.socket.close(code)

    def _may_ping(self) -> bool:
        now = asyncio.get_running_loop().time()
        self.pings = [*(at for at in self.pings if now - at < PINGS_WITHIN), now]
        return len(self.pings) <= PINGS

    async def _given_up(self) -> dict[str, Any]:
        await self.given_up.wait()
        return {"type": "websocket.disconnect", "code": 1013}


class PropertyConsumer(BoardConsumer):
    """All pits of a property: shift desk, surveillance, commission."""

    kind = "property"


class NoSuchSocket(AsyncConsumer):
    """Any other address: refused before the handshake, without a traceback."""

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await self.base_send({"type": "websocket.close", "code": 4404})

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer
