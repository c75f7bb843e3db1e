"""One round of polling: lease what is due, ask all of it at once, keep each answer as soon as it is there.

The asking runs in a loop of its own thread, the keeping in this one, so that a gateway that hangs holds up nobody's
answer and the database is only spoken to from here.
"""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from django.conf import settings
from django.db import connection

from devices import lease as leasing
from devices import silence
from devices.gateways.base import Ask, Heard, Speaks
from devices.gateways.http_json import Client
from devices.keep import keep
from pit.deadlines.models import Heartbeat
from pit.web import clock

HEART = "poller"
TOGETHER_S = 0.025
"""Seconds that an answer waits for others to be kept with."""


def tick(*, now: Callable[[], datetime] = clock.now, ears: Ears | None = None) -> int:
    """Asks every gateway that is due; gives how many answered so that it could be used.

    Safe to run late, twice or in parallel: the lease says who asks, and what is kept is kept with the cursor in one
    transaction, so that a worker that dies loses and doubles nothing.
    """
    answered = _ask(now, ears or own_ears()) if leasing.any_due(now()) else 0
    silence.say(now())
    _beat(now())
    return answered


def client(now: Callable[[], datetime] = clock.now) -> Client:
    """The HTTP client with this site's secrets and hosts; its connections stay open between two rounds."""
    return Client(now=now, secrets=Path(settings.GATEWAY_SECRETS), hosts=settings.GATEWAY_HOSTS, keep=True)


@cache
def _ears_of(process: int) -> Ears:
    ears = Ears(client())
    atexit.register(ears.close)
    return ears


def own_ears() -> Ears:
    """This process's; one that was forked gets its own."""
    return _ears_of(os.getpid())


def _ask(now: Callable[[], datetime], ears: Ears) -> int:
    lease = leasing.take(now())
    left = set(lease.gateways)
    answered = 0
    try:
        for together in ears.answers(lease.asks):
            answered += keep(together, lease=lease, now=now())
            left -= {one.ask.gateway for one in together}
    finally:
        if left and connection.is_usable():
            leasing.give_back(lease, sorted(left))
    return answered


class Ears:
    """A loop in a thread of its own in which gateways are asked."""

    def __init__(self, speaks: Speaks) -> None:
        self._speaks = speaks
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="gateways", daemon=True)
        self._thread.start()

    def answers(self, asks: Sequence[Ask]) -> Iterator[list[Heard]]:
        """The answers as they come, those that come at nearly the same time together."""
        queue: SimpleQueue[Heard | BaseException | None] = SimpleQueue()
        hearing = asyncio.run_coroutine_threadsafe(self._hear(asks, queue), self._loop)
        over = not asks
        try:
            while not over:
                batch, over = _waiting(queue)
                if batch:
                    yield batch
        finally:
            hearing.cancel()

    async def _hear(self, asks: Sequence[Ask], queue: SimpleQueue[Heard | BaseException | None]) -> None:
        try:
            async for heard in self._speaks(asks):
                queue.put(heard)
        except BaseException as error:
            queue.put(error)
            raise
        queue.put(None)

    def close(self) -> None:
        """Closes what stays open, and ends the loop and its thread."""
        closing = asyncio.run_coroutine_threadsafe(self._speaks.close(), self._loop)
        closing.result(timeout=5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._loop.close()


def _waiting(queue: SimpleQueue[Heard | BaseException | None]) -> tuple[list[Heard], bool]:
    """Waits for the first answer and takes what comes within TOGETHER_S after it; and whether that was all.

    Answers of a floor come in a flock, and one transaction for ten of them costs hardly more than one for one.
    """
    batch: list[Heard] = []
    item, until = queue.get(), monotonic() + TOGETHER_S
    while item is not None:
        if isinstance(item, BaseException):
            raise item
        batch.append(item)
        try:
            item = queue.get(timeout=max(until - monotonic(), 0))
        except Empty:
            return batch, False
    return batch, True


BEAT_EVERY_S = 5


def _beat(now: datetime) -> None:
    """The poller's heartbeat, which the board shows; written every few seconds, not on every tick."""
    row = Heartbeat.objects.filter(name=HEART).values_list("beat_at", flat=True).first()
    if row is None or (now - row).total_seconds() >= BEAT_EVERY_S:
        Heartbeat.objects.update_or_create(name=HEART, defaults={"beat_at": now, "failed": 0})
