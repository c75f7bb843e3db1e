"""Redis from synchronous code (views in threads, Celery tasks): one pool a process, short time-outs, a breaker.

Redis is never the truth. Away means slower screens, not a failed command: a call that cannot be made answers None,
is logged once, and for a moment nobody tries again, so that a tap is not held up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from pit.live import wire

log = structlog.get_logger(__name__)

TIMEOUT = 0.3
"""Seconds a tap may wait for Redis."""
CONNECTIONS = 16
REST = (1.0, 5.0)
"""Seconds without a try after a failure: at first, and at most."""
KEEP = 7 * 24 * 3600
"""Seconds after which fragments that nobody refreshed are forgotten (an older build's)."""

_KEEP_NEWER = """
local function version(value) return value and tonumber(string.match(value, '^%d+')) or -1 end
local now = version(redis.call('HGET', KEYS[1], ARGV[1]))
local mine = version(ARGV[2])
if mine > now or now == tonumber(ARGV[3]) then
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
    redis.call('EXPIRE', KEYS[1], ARGV[4])
end
if ARGV[6] and mine >= now then redis.call('PUBLISH', ARGV[5], ARGV[6]) end
return mine >= now
"""

T = TypeVar("T")


class Breaker:
    """Says whether to try. Open for a while after a failure; then one caller tries, and the others still rest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rest = 0.0
        self._until = 0.0

    @property
    def closed(self) -> bool:
        """Whether the last try went well."""
        return self._rest == 0.0

    def lets(self, now: float) -> bool:
        """Whether to try at `now` (monotonic seconds)."""
        if self.closed:
            return True
        with self._lock:
            if now < self._until:
                return False
            self._until = now + self._rest
            return True

    def failed(self, now: float) -> bool:
        """Notes a failure; True when it is the first after success."""
        with self._lock:
            first = self.closed
            self._rest = min(max(self._rest * 2, REST[0]), REST[1])
            self._until = now + self._rest
            return first

    def succeeded(self) -> bool:
        """Notes success; True when it is the first after a failure."""
        if self.closed:
            return False
        with self._lock:
            back = not self.closed
            self._rest = 0.0
            return back


class Store:
    """The fragments in Redis and the channel to every process."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis(connection_pool=_pool(url))
        self._keep_newer = self._client.register_script(_KEEP_NEWER)
        self.breaker = Breaker()

    def read(self, key: str, fields: Sequence[str]) -> list[bytes | None]:
        """The values of the fields, in order; None for what is not there, and for all when Redis is away."""
        values: Any = self._try(lambda: self._client.hmget(key, list(fields))) if fields else []
        return list(values) if values is not None else [None] * len(fields)

    def write(self, key: str, tiles: Sequence[tuple[wire.Tile, int]]) -> None:
        """Keeps each tile unless a newer one is there; the number is the version that was found and is wrong (-1: none)."""
        self._run([self._arguments(key, tile, wrong=wrong) for tile, wrong in tiles])

    def publish(self, changes: Sequence[tuple[str, str, int, wire.Tile]]) -> None:
        """Keeps and sends (key, topic, property, tile), all in one round trip; nothing older overtakes."""
        self._run(
            [
                self._arguments(key, tile, message=wire.publication(topic, property_id, tile))
                for key, topic, property_id, tile in changes
            ]
        )

    def close(self) -> None:
        """Gives all connections back; the store may be used again."""
        self._client.connection_pool.disconnect()

    def _arguments(
        self, key: str, tile: wire.Tile, *, wrong: int = -1, message: bytes | None = None
    ) -> tuple[str, list[Any]]:
        sent = [message] if message is not None else []
        return key, [tile.stream, wire.keep(tile), wrong, KEEP, wire.CHANNEL, *sent]

    def _run(self, calls: Sequence[tuple[str, list[Any]]]) -> None:
        if len(calls) == 1:
            key, arguments = calls[0]
            self._try(lambda: self._keep_newer(keys=[key], args=arguments))
        elif calls:
            self._try(lambda: self._pipeline(calls))

    def _pipeline(self, calls: Sequence[tuple[str, list[Any]]]) -> list[Any]:
        with self._client.pipeline(transaction=False) as pipe:
            for key, arguments in calls:
                self._keep_newer(keys=[key], args=arguments, client=pipe)
            return list(pipe.execute())

    def _try(self, call: Callable[[], T]) -> T | None:
        if not self.breaker.lets(time.monotonic()):
            return None
        try:
            answer = call()
        except (redis.RedisError, OSError) as error:
            if self.breaker.failed(time.monotonic()):
                log.warning("live_store_away", error=repr(error))
            return None
        if self.breaker.succeeded():
            log.info("live_store_back")
        return answer


def _pool(url: str) -> redis.ConnectionPool:
    """Bounded: a caller waits for a free connection no longer than for Redis itself. Survives a fork."""
    return redis.BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=TIMEOUT,
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


@cache
def _store(url: str) -> Store:
    return Store(url)


def store() -> Store:
    """This process's store for the REDIS_URL in force."""
    return _store(settings.REDIS_URL)
