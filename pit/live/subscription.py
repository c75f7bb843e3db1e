"""One Redis subscription a process, for ever: reconnects with full jitter and says when it is back.

A connection is judged by its answers: silence is asked with PING, and no answer is a lost connection, also when the
network forgot to say so.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import redis.asyncio as redis
import structlog
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from pit.live.wire import CHANNEL

log = structlog.get_logger(__name__)

SILENCE = 5.0
"""Seconds without a word before PING, and again before giving the connection up."""
CAP = 5.0
"""Seconds between two tries at most."""


class Subscription:
    """Calls `heard(data)` for each message and `turned(alive)` whenever it connects or loses the connection."""

    def __init__(self, url: str, *, heard: Callable[[bytes], None], turned: Callable[[bool], None]) -> None:
        self._url = url
        self._heard = heard
        self._turned = turned
        self._tries = 0
        self.alive = False

    async def run(self) -> None:
        """Never returns; ends by cancellation."""
        while True:
            try:
                await self._listen()
            except (RedisError, OSError, TimeoutError) as error:
                self._lost(error)
            self._tries += 1
            await asyncio.sleep(random.random() * min(CAP, 0.2 * 2 ** min(self._tries, 8)))  # noqa: S311

    async def _listen(self) -> None:
        client = redis.Redis.from_url(
            self._url, socket_connect_timeout=2, single_connection_client=False, retry=Retry(NoBackoff(), 0)
        )
        async with client, client.pubsub() as pubsub:
            await pubsub.subscribe(CHANNEL)
            asked = False
            while True:
                message = await pubsub.get_message(timeout=SILENCE)
                if message is None:
                    if asked:
                        raise TimeoutError("no answer to PING")
                    await pubsub.ping()
                asked = message is None
                self._take(message)

    def _take(self, message: dict[str, object] | None) -> None:
        if message is None:
            return
        if message["type"] == "message":
            data = message["data"]
            assert isinstance(data, bytes)
            self._heard(data)
        elif message["type"] == "subscribe":
            self._tries = 0
            self._set(alive=True)

    def _lost(self, error: Exception) -> None:
        if self.alive or self._tries == 0:
            log.warning("live_subscription_lost", error=repr(error))
        self._set(alive=False)

    def _set(self, *, alive: bool) -> None:
        if alive != self.alive:
            self.alive = alive
            if alive:
                log.info("live_subscription_up")
            self._turned(alive)
