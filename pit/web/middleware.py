"""A name for every request, in the log and in the answer, so that what a person saw can be found again."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from pit.web import errors

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="-")
_SESSION = re.compile(r"[a-z0-9]{8,40}")
_LAWFUL = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestId:
    """Takes the proxy's X-Request-ID when it is well formed, else makes one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request.id = given if _LAWFUL.fullmatch(given) else uuid.uuid4().hex  # type: ignore[attr-defined]
        token = current_request_id.set(request.id)  # type: ignore[attr-defined]
        try:
            response = self.get_response(request)
        finally:
            current_request_id.reset(token)
        response["X-Request-ID"] = request.id  # type: ignore[attr-defined]
        return response


def lawful_session(key: str) -> bool:
    """Whether a session could have this key: a cookie may hold anything, a NUL too, which no database looks for."""
    return _SESSION.fullmatch(key) is not None


class Lawful:
    """What no page of ours ever sends is answered before anybody looks: a NUL in an address, a cookie that is no key."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "%00" in request.META.get("QUERY_STRING", "") or "\0" in request.path_info:
            return errors.error(request, 400)
        if not lawful_session(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        return self.get_response(request)


class RequestIdFilter(logging.Filter):
    """Adds `request_id` to every log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        asked = getattr(record, "request", None)  # Django logs a 404 after the middleware is through
        record.request_id = current_request_id.get() if asked is None else getattr(asked, "id", "-")
        return True


class Headers:
    """Headers that Django does not set by itself. The site uses no sensor, camera or payment of the browser, and the
    state of a pit is nobody's to keep on a shared tablet after sign-out."""

    POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Permissions-Policy", self.POLICY)
        response.setdefault("Cache-Control", "no-store")
        return response
