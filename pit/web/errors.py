"""Answers when something goes wrong: a page for people, JSON for programs, and always what became of the press.

A database that is away is 503 with Retry-After: nothing was written, and the same press (same key) may be sent again.
"""

from __future__ import annotations

import sys
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

RETRY_AFTER_SECONDS = 5
KEPT = "Nothing was recorded by this press, and nothing is lost: press again, the same press is never counted twice."

WORDS = {
    400: ("BAD_REQUEST", "That request could not be read", "Go back and try again."),
    403: ("FORBIDDEN", "This is not yours to open", "Ask a person whose section or rank this is."),
    404: ("NOT_FOUND", "There is nothing at this address", "Go back to the board."),
    500: ("SERVER_ERROR", "Something broke here", "It has been logged. Go back to the board and try again."),
    503: ("UNAVAILABLE", "The database does not answer", KEPT),
}


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: by Accept, or by an address that ends in .json."""
    best = request.get_preferred_type(["text/html", "application/json"])
    return best == "application/json" or request.path.endswith(".json")


def error(request: HttpRequest, status: int) -> HttpResponse:
    """The answer for a status: JSON `{"error": {"code", "message", "next_step"}}` or a page that needs no database."""
    code, message, next_step = WORDS[status]
    said: dict[str, Any] = {"code": code, "message": message, "next_step": next_step}
    if wants_json(request):
        response: HttpResponse = JsonResponse({"error": said}, status=status)
    else:
        page = render_to_string("web/error.html", {**said, "status": status, "request_id": _id_of(request)})
        response = HttpResponse(page, status=status)
    if status == 503:
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def _id_of(request: HttpRequest) -> str:
    return getattr(request, "id", "")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 403)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A press whose form came from an older session: the page has to be loaded anew."""
    return error(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Last resort. Called while the exception is being handled, so it can be told what broke."""
    return error(request, 503 if database_is_away(sys.exc_info()[1]) else 500)


def database_is_away(reason: BaseException | None) -> bool:
    """Whether this is about reaching the database, not about what was asked of it."""
    return isinstance(reason, OperationalError | InterfaceError) or type(reason).__name__ == "PoolTimeout"
