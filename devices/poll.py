"""One round of polling: lease what is due, ask all of it at once, keep each answer as soon as it is there.

The asking runs in a loop of its own thread, the keeping in this one, so that a gateway that hangs holds up nobody's
answer and the database is only spoken to from here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from django.conf import settings
from django.db import connection

from devices import lease as leasing
from devices import silence
from devices.gateways.base import Ask, Heard, Speaks
from devices.gateways.http_json import Client
from devices.keep import keep
from pit.deadlines.models import Heartbeat
from pit.web import clock

log = logging.getLogger(__name__)
HEART = "poller"


def tick(*, now: Callable[[], datetime] = clock.now, speaks: Speaks | None = None) -> int:
    """Asks every gateway that is due; gives how many answered so that it could be used.

    Safe to run late, twice or in parallel: the lease says who asks, and what is kept is kept with the cursor in one
    transaction, so that a worker that dies loses and doubles nothing.
    """
    began = now()
    answered = _ask(now, speaks or client(now)) if leasing.any_due(began) else 0
    silence.say(now())
    _beat(now())
    return answered


def client(now: Callable[[], datetime] = clock.now) -> Client:
    """The HTTP client with this site's secrets and hosts."""
    return Client(now=now, secrets=Path(settings.GATEWAY_SECRETS), hosts=settings.GATEWAY_HOSTS)


def _ask(now: Callable[[], datetime], speaks: Speaks) -> int:
    lease, asks = leasing.take(now())
    left = {one.gateway for one in asks}
    answered = 0
    try:
        for together in answers(speaks, asks):
            answered += keep(together, lease=lease, now=now())
            left -= {one.ask.gateway for one in together}
    finally:
        if left and connection.is_usable():
            leasing.give_back(lease, sorted(left))
    return answered


def answers(speaks: Speaks, asks: Sequence[Ask]) -> Iterator[list[Heard]]:
    """The answers as they come, those that are there at the same time together."""
    if not asks:
        return
    queue: SimpleQueue[Heard | BaseException | None] = SimpleQueue()
    thread = Thread(target=_run, args=(speaks, asks, queue), name="gateways", daemon=True)
    thread.start()
    over = False
    while not over:
        batch, over = _waiting(queue)
        if batch:
            yield batch
    thread.join()


def _waiting(queue: SimpleQueue[Heard | BaseException | None]) -> tuple[list[Heard], bool]:
    """What is in the queue, waiting for the first; and whether that was all."""
    batch: list[Heard] = []
    item = queue.get()
    while item is not None:
        if isinstance(item, BaseException):
            raise item
        batch.append(item)
        try:
            item = queue.get_nowait()
        except Empty:
            return batch, False
    return batch, True


def _run(speaks: Speaks, asks: Sequence[Ask], queue: SimpleQueue[Heard | BaseException | None]) -> None:
    """In the thread: the loop, and everything that comes out of it."""

    async def hear() -> None:
        async for heard in speaks(asks):
            queue.put(heard)

    try:
        asyncio.run(hear())
    except BaseException as error:  # noqa: BLE001 - it is raised again where the answers are read
        queue.put(error)
    queue.put(None)


BEAT_EVERY_S = 5


def _beat(now: datetime) -> None:
    """The poller's heartbeat, which the board shows; written every few seconds, not on every tick."""
    row = Heartbeat.objects.filter(name=HEART).values_list("beat_at", flat=True).first()
    if row is None or (now - row).total_seconds() >= BEAT_EVERY_S:
        Heartbeat.objects.update_or_create(name=HEART, defaults={"beat_at": now, "failed": 0})
