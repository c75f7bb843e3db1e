"""The site in a Uvicorn process of its own, as in production, and real WebSocket clients."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection
from websockets.asyncio.client import ClientConnection, connect

from tests.services import stop_process, wait_until

APPLICATION = "tests.live.lamps_asgi:application"


class Site:
    """A running server process."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port = port
        self.process = process

    def listen(self, path: str, cookie: str, **more: Any) -> connect:
        """A browser's socket; use it as `async with`."""
        return connect(
            f"ws://127.0.0.1:{self.port}{path}",
            origin=f"http://127.0.0.1:{self.port}",
            additional_headers={"Cookie": cookie},
            compression=None,
            **more,
        )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running_site(*, port: int = 0, application: str = APPLICATION) -> Iterator[Site]:
    """A Uvicorn process on the database of this test and the Valkey of its settings."""
    port = port or free_port()
    command = [
        *(sys.executable, "-m", "uvicorn", application, "--host", "127.0.0.1", "--port", str(port)),
        *("--loop", "uvloop", "--http", "httptools", "--ws-per-message-deflate", "false"),
        *("--log-level", "warning", "--no-access-log", "--timeout-graceful-shutdown", "3"),
    ]
    process = subprocess.Popen(command, env=os.environ | environment())
    try:
        wait_until(lambda: answers(port), "Uvicorn")
        yield Site(port, process)
    finally:
        stop_process(process)


def environment() -> dict[str, str]:
    """What makes a child process see the test's own database and Valkey."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        url = f"sqlite:///{name}"
    else:
        found = connection.settings_dict
        url = f"postgres://{found['USER']}@/{found['HOST']}/{name}"
    return {"DATABASE_URL": url, "REDIS_URL": settings.REDIS_URL, "DJANGO_SETTINGS_MODULE": "tests.settings"}


async def hear(there: ClientConnection, kind: str, *, patience: float = 15) -> dict[str, Any]:
    """The next message of that kind."""
    async with asyncio.timeout(patience):
        while True:
            message = msgspec.json.decode(await there.recv())
            if message["type"] == kind:
                return dict(message)


async def hear_version(there: ClientConnection, stream: str, seq: int, *, patience: float = 15) -> str:
    """Waits until this version of the stream is told, by a tile ("tiles") or by the heads ("beat")."""
    async with asyncio.timeout(patience):
        while True:
            message = msgspec.json.decode(await there.recv())
            heads = message.get("heads") or {tile["stream"]: tile["seq"] for tile in message["tiles"]}
            if heads.get(stream, 0) >= seq:
                return str(message["type"])
