"""The live layer of one process: its hub, its one Redis subscription, its beats. Starts with the first socket."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from django.conf import settings

from pit.live.beats import Beats
from pit.live.hub import Hub
from pit.live.subscription import Subscription
from pit.web import clock

log = structlog.get_logger(__name__)


class Live:
    """Belongs to one event loop."""

    def __init__(self, url: str) -> None:
        self.hub = Hub()
        self.subscription = Subscription(url, heard=self.hub.heard, turned=self._turned)
        self.beats = Beats(self.hub, redis=lambda: self.subscription.alive, now=clock.now)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Starts the subscription and the beats, once."""
        if not self._tasks:
            self._tasks = [
                asyncio.ensure_future(_for_ever(run)) for run in (self.subscription.run, self.beats.run)
            ]

    async def stop(self) -> None:
        """Ends both and waits until they are gone."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _turned(self, alive: bool) -> None:
        # Up again: what was published in the gap is lost, and the heads show the holes.
        self.beats.hurry()


async def _for_ever(run: Callable[[], Awaitable[None]]) -> None:
    """Neither loop may die of an error that nobody foresaw: it is logged, and the loop begins again."""
    while True:
        try:
            await run()
        except Exception:
            log.exception("live_loop_failed")
            await asyncio.sleep(1)


_live: tuple[asyncio.AbstractEventLoop, Live] | None = None


def live() -> Live:
    """The running loop's live layer, started."""
    global _live
    loop = asyncio.get_running_loop()
    if _live is None or _live[0] is not loop:
        _live = (loop, Live(settings.REDIS_URL))
    _live[1].start()
    return _live[1]


async def stop() -> None:
    """Ends the running loop's live layer, if there is one."""
    global _live
    if _live is not None and _live[0] is asyncio.get_running_loop():
        await _live[1].stop()
        _live = None


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """ASGI lifespan: nothing to do at the start, the live layer ends with the server."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await stop()
            await send({"type": "lifespan.shutdown.complete"})
            return
