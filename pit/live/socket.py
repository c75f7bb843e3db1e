"""One browser's socket as the hub sees it: stepped sends and a bounded backlog.

A send that can finish at once is driven at once, without a task. Only a socket that would block (its tablet does not
read) gets a task that waits, and a backlog; when that is full the socket is dropped and comes back by itself.
Nobody else waits for it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from typing import Any

import structlog

log = structlog.get_logger(__name__)

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]

BACKLOG = 64
"""Frames that wait for one socket."""
BACKLOG_CHARACTERS = 512 * 1024
STUCK = 20.0
"""Seconds that a socket may block without taking anything."""


class Socket:
    """Belongs to one event loop. `ended` is called once, when the socket must be given up without a goodbye."""

    __slots__ = ("_backlog", "_characters", "_done", "_ended", "_send", "_since", "_waiting", "asks", "topic")

    def __init__(self, send: Send, *, topic: str, asks: Any = None, ended: Callable[[], None]) -> None:
        self.topic = topic
        self.asks = asks
        self._send = send
        self._ended = ended
        self._backlog: deque[Message] = deque()
        self._characters = 0
        self._waiting: asyncio.Task[None] | None = None
        self._since = 0.0
        self._done = False

    def text(self, message: Message) -> None:
        """Sends one `websocket.send` message, shared by all sockets of the topic and never changed."""
        if self._done:
            return
        if self._waiting is not None:
            self._later(message)
        else:
            self._step(message)

    def close(self, code: int) -> None:
        """Says goodbye with this code if that is possible at once, else drops the socket."""
        if self._done:
            return
        if self._waiting is None:
            self._step({"type": "websocket.close", "code": code})
        if self._waiting is not None:
            self.drop()
        self._done = True

    def drop(self) -> None:
        """Gives the socket up; what waits for it is forgotten."""
        if self._done:
            return
        self._done = True
        self._backlog.clear()
        if self._waiting is not None:
            self._waiting.cancel()
        self._ended()

    def drop_if_stuck(self, now: float) -> None:
        """Drops a socket that has blocked for too long (`now`: the loop's time)."""
        if self._waiting is not None and now - self._since > STUCK:
            self.drop()

    def _step(self, message: Message) -> None:
        sending = _coroutine(self._send(message))
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        except Exception as error:  # noqa: BLE001 - a socket that cannot send is gone, whatever the server says
            self._gone(error)
            return
        self._since = asyncio.get_running_loop().time()
        self._waiting = asyncio.ensure_future(self._wait(sending, waits_for))

    def _later(self, message: Message) -> None:
        self._characters += len(message.get("text", ""))
        self._backlog.append(message)
        if len(self._backlog) > BACKLOG or self._characters > BACKLOG_CHARACTERS:
            log.info("live_socket_too_slow", topic=self.topic, waiting=len(self._backlog))
            self.drop()

    async def _wait(self, sending: Coroutine[Any, Any, None], waits_for: Any) -> None:
        try:
            await _Resumed(sending, waits_for)
            while self._backlog:
                message = self._backlog.popleft()
                self._characters -= len(message.get("text", ""))
                self._since = asyncio.get_running_loop().time()
                await self._send(message)
        except Exception as error:  # noqa: BLE001 - as in _step
            self._gone(error)
        finally:
            self._waiting = None

    def _gone(self, error: Exception) -> None:
        log.debug("live_socket_gone", topic=self.topic, error=repr(error))
        self._waiting = None
        self.drop()


class _Resumed:
    """Awaits a coroutine that was already driven to its first wait."""

    __slots__ = ("_coroutine", "_first")

    def __init__(self, coroutine: Coroutine[Any, Any, None], first: Any) -> None:
        self._coroutine = coroutine
        self._first = first

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._first
        while True:
            step: Callable[[], Any]
            try:
                answer = yield waits_for
            except GeneratorExit:
                self._coroutine.close()
                raise
            except BaseException as error:  # noqa: BLE001 - cancellation goes where the coroutine waits
                step = partial(self._coroutine.throw, error)
            else:
                step = partial(self._coroutine.send, answer)
            try:
                waits_for = step()
            except StopIteration:
                return


def _coroutine(sending: Awaitable[None]) -> Coroutine[Any, Any, None]:
    if isinstance(sending, Coroutine):
        return sending

    async def wrapped() -> None:
        await sending

    return wrapped()
