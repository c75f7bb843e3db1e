"""Many WebSocket clients in one thread, as cheap as can be: they count frames, and some of them read what they hear."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
import uvloop

SAMPLED = 20
"""Every so manieth client reads its messages and notes when it heard them."""

TILES = b'{"type":"tiles"'
TEXT, PING, PONG = 1, 9, 10
MASK = b"\0\0\0\0"


class Listener(asyncio.Protocol):
    """One client. `frames` counts text frames, `tiles` those of tiles; `heard` has (monotonic time, message) if it reads."""

    def __init__(self, request: bytes, *, reads: bool) -> None:
        self._request = request
        self._reads = reads
        self._buffer = bytearray()
        self.open = asyncio.get_running_loop().create_future()
        self.frames = self.tiles = 0
        self.heard: list[tuple[float, Any]] = []
        self.lost = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if not self.open.done():
            self.open.set_exception(ConnectionError("refused"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.open.done():
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head[:20]:
                self.open.set_exception(ConnectionError(head[:80].decode()))
                return
            self._buffer = rest
            self.open.set_result(None)
        self._take_frames()

    def _take_frames(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length >= 126:
                wide = 2 if length == 126 else 8
                length, start = int.from_bytes(buffer[start : start + wide], "big"), start + wide
            if len(buffer) < start + length:
                break
            self._take(buffer[at] & 0x0F, start, length)
            at = start + length
        del buffer[:at]

    def _take(self, kind: int, start: int, length: int) -> None:
        if kind == TEXT:
            self.frames += 1
            self.tiles += self._buffer.startswith(TILES, start)
            if self._reads:
                self.heard.append((time.monotonic(), bytes(self._buffer[start : start + length])))
        elif kind == PING:
            payload = self._buffer[start : start + length]
            self.transport.write(bytes([0x80 | PONG, 0x80 | length]) + MASK + payload)

    def has(self, part: bytes) -> bool:
        """Whether the last message that it read holds this."""
        return any(part in message for _, message in self.heard[-1:])

    def send(self, text: bytes) -> None:
        """One masked text frame (mask nought)."""
        head = bytes([0x81, 0x80 | 126]) + len(text).to_bytes(2, "big")
        self.transport.write(head + MASK + text)


class Crowd:
    """Clients of one server, in a thread with a loop of its own."""

    def __init__(self, port: int, path: str, headers: Callable[[int], str] = lambda number: "") -> None:
        self.port, self._path, self._headers = port, path, headers
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.clients: list[Listener] = []

    def grow(self, size: int, *, at_once: int = 50) -> None:
        """Connects until there are so many clients; at most `at_once` handshakes at a time."""
        self._do(self._grow(size, at_once))

    def wait(self, holds: Callable[[], bool], *, seconds: float = 60) -> None:
        """Waits until that holds; TimeoutError when it does not."""
        until = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > until:
                raise TimeoutError("The clients did not hear it")
            time.sleep(0.0005)

    def frames(self) -> list[int]:
        return [client.frames for client in self.clients]

    def tiles(self) -> list[int]:
        return [client.tiles for client in self.clients]

    def say(self, text: bytes) -> None:
        """The first client sends this."""
        self._loop.call_soon_threadsafe(self.clients[0].send, text)

    def readers(self) -> Sequence[Listener]:
        return self.clients[::SAMPLED]

    def close(self) -> None:
        for client in self.clients:
            self._loop.call_soon_threadsafe(client.transport.abort)
        time.sleep(0.2)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, coroutine: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _grow(self, size: int, at_once: int) -> None:
        gate = asyncio.Semaphore(at_once)

        async def one(number: int) -> None:
            async with gate:
                reads = number % SAMPLED == 0
                _, client = await asyncio.get_running_loop().create_connection(
                    lambda: Listener(self.request(number), reads=reads), "127.0.0.1", self.port
                )
                await client.open
                self.clients.append(client)

        await asyncio.gather(*(one(number) for number in range(len(self.clients), size)))

    def request(self, number: int) -> bytes:
        """The handshake of this client."""
        return (
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
            f"{self._headers(number)}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        ).encode()


def tiles_in(message: bytes) -> list[tuple[str, int]]:
    """(stream, seq) of each tile of a frame; none for a beat."""
    found = msgspec.json.decode(message)
    return [(tile["stream"], tile["seq"]) for tile in found.get("tiles", ())]
