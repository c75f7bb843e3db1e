"""Catching up over HTTP: the beat of a topic for pages without a socket, and the tiles that were missed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pit.floor.models import Pit, Property
from pit.live import fragments, heads, wire
from pit.live.store import store
from pit.people.authority import may_see
from pit.web import clock
from pit.web.shell import staff_of


@require_safe
@never_cache
def pit_heads(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The beat of one board, as its socket would carry it; 403 without the right to see the property."""
    pit = get_object_or_404(Pit, pk=pk)
    return _beat(request, topic=pit.topic, property_id=pit.property_id)


@require_safe
@never_cache
def property_heads(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The beat of a whole property."""
    place = get_object_or_404(Property, pk=pk)
    return _beat(request, topic=f"property:{place.pk}", property_id=place.pk)


@require_safe
@never_cache
def missed(request: HttpRequest) -> HttpResponseBase:
    """`?stream=table:1&stream=table:2`: their tiles now. Streams of a property that one may not see are left out."""
    asked = request.GET.getlist("stream")
    if not asked or len(asked) > fragments.AT_ONCE:
        return _refused(422, "STREAMS_MISSING", f"Name 1 to {fragments.AT_ONCE} streams.")
    staff = staff_of(request)
    if staff.property_id is not None and not may_see(staff, property_id=staff.property_id):
        return _refused(403, "NO_RIGHT_HERE", "This role sees no tables.")
    return _json(fragments.frame(fragments.some(asked, property_id=staff.property_id)))


def _beat(request: HttpRequest, *, topic: str, property_id: int) -> HttpResponse:
    if not may_see(staff_of(request), property_id=property_id):
        return _refused(403, "NO_RIGHT_HERE", "You may not see this property.")
    beats = heads.beats([topic], now=clock.now(), redis=store().breaker.closed)
    return _json(wire.encode(beats[topic]))


def _refused(status: int, code: str, message: str) -> HttpResponse:
    refused = {"code": code, "clause": "pitstand", "message": message, "next_step": ""}
    return _json(wire.encode({"refused": refused}), status=status)


def _json(content: bytes | str, *, status: int = 200) -> HttpResponse:
    return HttpResponse(content, content_type="application/json", status=status)
