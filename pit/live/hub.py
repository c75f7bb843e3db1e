"""Fan-out to the sockets of this process: joins, batches of changes, one frame for all sockets of a topic.

Adaptive: a change after a quiet moment goes at once; under load changes gather for at most 25 ms and only the newest
version of each stream is sent.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec
import structlog

from pit.live import wire
from pit.live.socket import Socket

log = structlog.get_logger(__name__)

BATCH = 0.025
"""Seconds that a change may wait for company."""


class Hub:
    """The sockets of one event loop by topic."""

    def __init__(self) -> None:
        self._topics: dict[str, set[Socket]] = defaultdict(set)
        self._pending: dict[str, wire.Publication] = {}
        self._flush: asyncio.Handle | None = None
        self._flushed_at = 0.0

    def join(self, socket: Socket) -> None:
        """From now on the socket hears its topic."""
        self._topics[socket.topic].add(socket)

    def leave(self, socket: Socket) -> None:
        """Forgets a socket; twice is harmless."""
        sockets = self._topics.get(socket.topic)
        if sockets is not None:
            sockets.discard(socket)
            if not sockets:
                del self._topics[socket.topic]

    def topics(self) -> set[str]:
        """Topics that somebody hears."""
        return set(self._topics)

    def sockets(self) -> list[Socket]:
        """All sockets, as of now."""
        return [socket for sockets in self._topics.values() for socket in sockets]

    def heard(self, data: bytes) -> None:
        """Takes one message of the Redis channel."""
        try:
            change = wire.decode_publication(data)
        except msgspec.DecodeError as error:
            log.warning("live_message_malformed", error=str(error))
            return
        self._pending.pop(change.stream, None)  # the newest goes last
        self._pending[change.stream] = change
        if self._flush is None:
            self._flush = self._schedule()

    def tell(self, topic: str, text: str) -> None:
        """One text frame to every socket of the topic."""
        message = {"type": "websocket.send", "text": text}
        for socket in tuple(self._topics.get(topic, ())):
            socket.text(message)

    def drop_stuck(self) -> None:
        """Gives up sockets whose tablet has not read for too long."""
        now = asyncio.get_running_loop().time()
        for socket in self.sockets():
            socket.drop_if_stuck(now)

    def _schedule(self) -> asyncio.Handle:
        loop = asyncio.get_running_loop()
        due = self._flushed_at + BATCH
        if loop.time() >= due:
            return loop.call_soon(self._send)
        return loop.call_at(due, self._send)

    def _send(self) -> None:
        self._flush = None
        self._flushed_at = asyncio.get_running_loop().time()
        changes, self._pending = self._pending, {}
        for topic, tiles in self._by_topic(changes.values()):
            self.tell(topic, wire.tiles_frame(tiles))

    def _by_topic(self, changes: Iterable[wire.Publication]) -> Iterator[tuple[str, list[msgspec.Raw]]]:
        found: dict[str, list[msgspec.Raw]] = {}
        for change in changes:
            for topic in (change.topic, f"property:{change.property_id}"):
                if topic in self._topics:
                    found.setdefault(topic, []).append(change.tile)
        return iter(found.items())
