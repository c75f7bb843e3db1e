"""Many questions at once become one query: asks wait while a run is under way and go together with the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Generic, TypeVar

Ask = TypeVar("Ask", bound=Hashable)
Reply = TypeVar("Reply")


class Together(Generic[Ask, Reply]):
    """`answer(asks)` gives a reply for each. A reply comes from a run that began after its question was put:
    whoever joins first and asks second misses nothing."""

    def __init__(self, answer: Callable[[frozenset[Ask]], Awaitable[Mapping[Ask, Reply]]]) -> None:
        self._answer = answer
        self._waiting: dict[Ask, asyncio.Future[Reply]] = {}
        self._running: asyncio.Task[None] | None = None

    async def ask(self, one: Ask) -> Reply:
        """The reply for `one`; an error of the run is raised to all who asked."""
        future = self._waiting.get(one)
        if future is None:
            future = self._waiting[one] = asyncio.get_running_loop().create_future()
        if self._running is None:
            self._running = asyncio.ensure_future(self._run())
        return await asyncio.shield(future)

    async def _run(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, {}
                await self._round(asked)
        finally:
            self._running = None

    async def _round(self, asked: dict[Ask, asyncio.Future[Reply]]) -> None:
        try:
            replies = await self._answer(frozenset(asked))
        except BaseException as error:
            for future in asked.values():
                future.set_exception(error if isinstance(error, Exception) else RuntimeError("stopped"))
                future.exception()  # seen here: an asker may have gone
            if not isinstance(error, Exception):
                raise
        else:
            for one, future in asked.items():
                future.set_result(replies[one])
