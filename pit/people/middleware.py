"""Who asks: by token or by session, how long a session may stand idle, and what an unknown asker is told."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth import logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.shortcuts import resolve_url
from django.utils.deprecation import MiddlewareMixin

from pit.people import sessions, tokens
from pit.people.models import Staff
from pit.web import clock

BACKGROUND = ("/live/",)
"""Addresses that a page asks by itself: no sign of a person."""
BY_ITSELF = "X-Pitstand-By-Itself"
"""Header of a request that a page makes by itself at any other address: a sheet that follows its table, a strip that is
polled. Who sends it without need only shortens the own session."""


class TokenSignIn(MiddlewareMixin):
    """A bearer token speaks for its person. It needs no CSRF token: a foreign page cannot set the header."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        staff = tokens.staff_for(header, now=clock.now())
        if staff is None:
            return unauthorized("TOKEN_UNKNOWN", "This token is not known, has run out or was revoked.")
        request.user = staff
        request.signed_in_by_token = True  # type: ignore[attr-defined]
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]  # noqa: SLF001
        return None


class IdleSignOut(MiddlewareMixin):
    """Ends a session in which nobody has acted for the house's time, and notes that somebody does."""

    def process_request(self, request: HttpRequest) -> None:
        staff = request.user
        if not isinstance(staff, Staff) or getattr(request, "signed_in_by_token", False):
            return
        now = clock.now()
        if sessions.is_idle(staff, request.session, now=now):
            logout(request)
        elif not request.path.startswith(BACKGROUND) and BY_ITSELF not in request.headers:
            touch(request)


def touch(request: HttpRequest) -> None:
    """Notes that a person acted; at most every half minute, so that a page costs no write."""
    now = clock.now().replace(microsecond=0)
    stamp = request.session.get(sessions.ACTIVE_AT)
    if stamp is None or abs(now - now.fromisoformat(stamp)) >= sessions.STEP:
        request.session[sessions.ACTIVE_AT] = now.isoformat()


class SignInRequired(LoginRequiredMiddleware):
    """Every address asks for a sign-in unless its view says otherwise (`login_not_required`).

    A page is led to the sign-in; an htmx request is told to lead the whole page there (a sign-in form swapped into a
    tile helps nobody); a program gets 401 in JSON.
    """

    def handle_no_permission(  # type: ignore[override]
        self, request: HttpRequest, view_func: Any
    ) -> HttpResponseBase:
        if request.headers.get("HX-Request") == "true":
            response = HttpResponse(status=401)
            response["HX-Redirect"] = f"{resolve_url(self.get_login_url(view_func))}?{_next(request)}"
            return response
        if wants_json(request):
            return unauthorized("SIGN_IN_FIRST", "Sign in, or send a token.")
        return super().handle_no_permission(request, view_func)


def _next(request: HttpRequest) -> str:
    """The page that the browser shows, as `next=`: its path only, so that it leads nowhere else."""
    try:
        shown = urlsplit(request.headers.get("HX-Current-URL", "/"))
    except ValueError:  # "http://[": nobody's page
        shown = urlsplit("/")
    query = QueryDict(mutable=True)
    query["next"] = shown.path + (f"?{shown.query}" if shown.query else "")
    return query.urlencode(safe="/")


def wants_json(request: HttpRequest) -> bool:
    """Whether the asker is a program: it accepts JSON, or the address ends with .json."""
    return "application/json" in request.headers.get("Accept", "") or request.path.endswith(".json")


def unauthorized(code: str, message: str) -> JsonResponse:
    """401 in the shape of every refusal."""
    refused = {
        "code": code,
        "clause": "pitstand",
        "message": message,
        "next_step": "Sign in at /accounts/login/.",
    }
    return JsonResponse(
        {"refused": refused}, status=401, headers={"WWW-Authenticate": 'Bearer realm="Pitstand"'}
    )
