"""The inbox: messages to this person, newest first; reading and acknowledging are two different times."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from pit.outbox import selectors
from pit.outbox.models import Delivery
from pit.people.roles import rights_of
from pit.web import clock

PAGE = 50
LOOK_BACK = timedelta(days=7)
"""How long a message that reached nobody is shown."""


@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """Shows the messages; what had not been read is read from now on, and shown as new this once."""
    page = Paginator(selectors.inbox(request.user), PAGE).get_page(request.GET.get("page"))
    told = {"page": page, "deliveries": list(page), "undelivered": _undelivered(request.user)}
    rendered = render(request, "outbox/inbox.html", told)
    selectors.mark_read(request.user, now=clock.now())
    return rendered


def _undelivered(staff: Any) -> Sequence[Delivery]:
    """What reached nobody of late, for those who can put that right: never silence."""
    rights = rights_of(staff.role)
    if not (rights.settings or rights.acts == "property"):
        return ()
    return list(selectors.undelivered(staff.property_id, since=clock.now() - LOOK_BACK)[:PAGE])


@require_POST
def acknowledge(request: HttpRequest, pk: int) -> HttpResponseBase:
    """This person takes note. A message of somebody else, or one acknowledged before, stays as it is."""
    selectors.acknowledge(request.user, pk, now=clock.now())
    return redirect("/desk/" if request.POST.get("back") == "/desk/" else "inbox")
