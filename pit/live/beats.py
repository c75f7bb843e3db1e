"""The beat: heads, time, build and health to every socket, and a look whether each may still listen.

Heads are read once a process and beat, however many sockets; sessions and rights of all sockets in one go.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

import structlog
from channels.db import database_sync_to_async
from django.db import DatabaseError

from pit.live import access, heads, wire
from pit.live.hub import Hub
from pit.live.socket import Socket
from pit.live.together import Together

log = structlog.get_logger(__name__)

EVERY = 10.0
EVERY_WITHOUT_REDIS = 3.0
"""Seconds; changes come with the beats alone while Redis is away."""
JITTER = 0.2

Verdicts = Mapping[access.Ask, access.Verdict]


class Beats:
    """The beats of one process. `redis()` says whether the subscription stands, `now()` gives the time."""

    def __init__(self, hub: Hub, *, redis: Callable[[], bool], now: Callable[[], datetime]) -> None:
        self._hub = hub
        self._redis = redis
        self._now = now
        self._hurry = asyncio.Event()
        self._well = True
        self._verdicts = Together[access.Ask, access.Verdict](self._judge)
        self._frames = Together[str, str](self._read)

    async def verdict(self, ask: access.Ask) -> access.Verdict:
        """Whether this one may listen; asks at the same time share their queries."""
        return await self._verdicts.ask(ask)

    async def greet(self, socket: Socket) -> None:
        """The first beat of a socket that has joined: its heads are read after the join."""
        frame = await self._frames.ask(socket.topic)
        socket.text({"type": "websocket.send", "text": frame})

    def hurry(self) -> None:
        """The next beat comes at once: the subscription came or went."""
        self._hurry.set()

    async def run(self) -> None:
        """Never returns. A database away means no beat: the screens then say that they are not live."""
        while True:
            await self._pause()
            try:
                await self.round()
            except DatabaseError as error:
                if self._well:
                    log.warning("live_beat_failed", error=repr(error))
                self._well = False
            else:
                self._well = True

    async def round(self) -> None:
        """One beat to everybody, after those without right are gone."""
        sockets = self._hub.sockets()
        if not sockets:
            return
        asks = {socket.asks for socket in sockets}
        verdicts, frames = await database_sync_to_async(self._look)(asks, self._hub.topics())
        for socket in sockets:
            if verdicts[socket.asks] is not access.Verdict.MAY:
                socket.close(verdicts[socket.asks].value)
                self._hub.leave(socket)
        for topic, frame in frames.items():
            self._hub.tell(topic, frame)
        self._hub.drop_stuck()

    async def _pause(self) -> None:
        self._hurry.clear()
        every = EVERY if self._redis() else EVERY_WITHOUT_REDIS
        try:
            async with asyncio.timeout(every * random.uniform(1 - JITTER, 1 + JITTER)):  # noqa: S311
                await self._hurry.wait()
        except TimeoutError:
            return

    async def _judge(self, asks: frozenset[access.Ask]) -> Verdicts:
        verdicts: Verdicts = await database_sync_to_async(access.verdicts)(asks, now=self._now())
        return verdicts

    async def _read(self, topics: frozenset[str]) -> Mapping[str, str]:
        frames: Mapping[str, str] = await database_sync_to_async(self._encoded)(topics)
        return frames

    def _look(
        self, asks: Collection[access.Ask], topics: Collection[str]
    ) -> tuple[Verdicts, Mapping[str, str]]:
        return access.verdicts(asks, now=self._now()), self._encoded(topics)

    def _encoded(self, topics: Collection[str]) -> Mapping[str, str]:
        beats = heads.beats(topics, now=self._now(), redis=self._redis())
        return {topic: wire.encode(beat).decode() for topic, beat in beats.items()}
