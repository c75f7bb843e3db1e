"""Real receivers for the outbox: an SMTP server and an HTTP receiver in threads, each of which can be made to misbehave."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller


class Postbox:
    """What an SMTP server took. `answer(recipient)` gives a reply instead of "250 OK"; `hang` seconds before DATA ends."""

    def __init__(self) -> None:
        self.mails: list[Message] = []
        self.recipients: list[str] = []
        self.answer: Callable[[str], str | None] = lambda recipient: None
        self.refuse_data: str = ""
        self.hang = 0.0
        self.sessions = 0
        self.port = 0

    async def handle_EHLO(  # noqa: N802 - the name that aiosmtpd calls
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: Any
    ) -> Any:
        self.sessions += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if refused := self.answer(address):
            return refused
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.hang:
            await asyncio.sleep(self.hang)
        if self.refuse_data:
            return self.refuse_data
        self.mails.append(message_from_bytes(envelope.content))
        self.recipients += envelope.rcpt_tos
        return "250 taken"


@contextmanager
def smtp_server() -> Iterator[Postbox]:
    """A running SMTP server on a free port."""
    box = Postbox()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        box.port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=box.port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


class Hook:
    """What an HTTP receiver got. `status`, `headers` and `slow` say how it answers."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.slow = 0.0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


@contextmanager
def http_receiver() -> Iterator[Hook]:
    """A running HTTP receiver on a free port."""
    hook = Hook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            hook.got.append((dict(self.headers), body))
            time.sleep(hook.slow)
            self.send_response(hook.status)
            for name, value in {"Content-Length": "0", **hook.headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hook.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
