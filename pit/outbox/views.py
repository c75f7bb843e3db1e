"""The inbox: messages to this person, newest first; reading and acknowledging are two different times."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from pit.outbox import selectors
from pit.web import clock

PAGE = 50


@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """Shows the messages; what had not been read is read from now on, and shown as new this once."""
    page = Paginator(selectors.inbox(request.user), PAGE).get_page(request.GET.get("page"))
    rendered = render(request, "outbox/inbox.html", {"page": page, "deliveries": list(page)})
    selectors.mark_read(request.user, now=clock.now())
    return rendered


@require_POST
def acknowledge(request: HttpRequest, pk: int) -> HttpResponseBase:
    """This person takes note. A message of somebody else, or one acknowledged before, stays as it is."""
    selectors.acknowledge(request.user, pk, now=clock.now())
    return redirect("inbox")
