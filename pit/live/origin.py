"""Which pages may open a socket: those of this very site.

A browser sends cookies with a socket from any page, so the origin must be our own host, or one that
PITSTAND_ORIGINS names. A program without Origin speaks by token alone: its cookies are not looked at.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host


class SameOrigin:
    """Wraps the socket routes; anything else is refused before the handshake (HTTP 403)."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if allowed(scope["headers"]):
            await self._application(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 4403})


def allowed(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether a handshake with these headers may go on."""
    found = {name: value.decode("latin-1") for name, value in headers}
    host = found.get(b"host", "").lower()
    if not _ours(host):
        return False
    origin = found.get(b"origin", "").lower()
    if not origin:
        return found.get(b"authorization", "").lower().startswith("bearer ")
    return origin in settings.CSRF_TRUSTED_ORIGINS or _place(origin) == host


def _place(origin: str) -> str:
    """Host and port of an origin; "" for what is none ("http://[")."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _ours(host: str) -> bool:
    domain, _port = split_domain_port(host)
    allowed_hosts = settings.ALLOWED_HOSTS or (["localhost", "127.0.0.1", "[::1]"] if settings.DEBUG else [])
    return bool(domain) and validate_host(domain, allowed_hosts)
