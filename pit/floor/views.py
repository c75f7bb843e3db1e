"""House settings and readings: everybody of the property reads them, compliance and administrators change them, signed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast
from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from pit.floor import door
from pit.floor.domain.commands import ChangeHouseSetting, SettleReading
from pit.floor.forms import value_from
from pit.floor.models import Property
from pit.floor.selectors import house_choices
from pit.people.authority import by_for, may_see
from pit.people.middleware import wants_json
from pit.people.models import Staff
from pit.people.roles import rights_of
from pit.record.contract import By, Refused
from pit.web import clock


@require_safe
@never_cache
def my_house(request: HttpRequest) -> HttpResponse:
    """The house settings of one's own property; an installation-wide account chooses."""
    staff = cast("Staff", request.user)
    if staff.property_id is not None:
        return _page(request, staff, staff.property_id)
    properties = list(Property.objects.all())
    if len(properties) == 1:
        return _page(request, staff, properties[0].pk)
    return render(request, "floor/properties.html", {"properties": properties})


@require_safe
@never_cache
def house(request: HttpRequest, pk: int) -> HttpResponse:
    """The house settings of one property."""
    return _page(request, cast("Staff", request.user), pk)


@sensitive_post_parameters("pin")
@require_POST
def change(request: HttpRequest, pk: int, command: str) -> HttpResponse:
    """One signed command to the property: ChangeHouseSetting (setting, value) or SettleReading (reading, choice)."""
    staff = cast("Staff", request.user)
    place = _seen(staff, pk)
    now = clock.now()
    asked = _command(place, command, request)
    by, wrong = _signed(request, staff, now=now)
    answer = door.ask(place, asked, now=now, by=by, key=request.POST.get("key", ""), wrong=wrong)
    return _answer(request, staff, pk, refused=answer.refused, seq=answer.seq)


def _signed(request: HttpRequest, staff: Staff, *, now: datetime) -> tuple[By, tuple[Refused, ...]]:
    """Who acts, with the signature; a wrong PIN goes to the door with the press, so that it is recorded."""
    by = by_for(staff, now=now, pin=request.POST.get("pin"), address=request.META.get("REMOTE_ADDR", ""))
    if isinstance(by, By):
        return by, ()
    unsigned = By(
        id=staff.pk, name=staff.name, role=staff.role, badge=staff.badge, property_id=staff.property_id
    )
    return unsigned, (by,)


def _command(place: Property, name: str, request: HttpRequest) -> Any:
    """The command of the form; an empty value goes back to the default."""
    rules = door.rules_for(place, now=clock.now())
    field = {"ChangeHouseSetting": "setting", "SettleReading": "reading"}.get(name)
    if field is None:
        raise Http404(name)
    key = request.POST.get(field, "")
    known: Any = rules.settings.get(key) if field == "setting" else rules.readings.get(key)
    text = request.POST.get("value", request.POST.get("choice", ""))
    value = value_from(text, known.default if known else "") if text.strip() else None
    if field == "setting":
        return ChangeHouseSetting(setting=key, value=value)
    return SettleReading(reading=key, choice=value)


def _seen(staff: Staff, pk: int) -> Property:
    """A property that this person may not see is not there."""
    if not may_see(staff, property_id=pk):
        raise Http404
    return get_object_or_404(Property, pk=pk)


def _page(request: HttpRequest, staff: Staff, pk: int, *, refused: Refused | None = None) -> HttpResponse:
    place = _seen(staff, pk)
    settings, readings = house_choices(place, now=clock.now())
    context = {
        "property": place,
        "settings": settings,
        "readings": readings,
        "may_change": rights_of(staff.role).settings,
        "refused": refused,
        "press": uuid4().hex,
    }
    return render(request, "floor/house.html", context, status=refused.status if refused else 200)


def _answer(
    request: HttpRequest, staff: Staff, pk: int, *, refused: Refused | None, seq: int = 0
) -> HttpResponse:
    if wants_json(request):
        if refused is None:
            return JsonResponse({"seq": seq})
        fields = ("code", "clause", "message", "next_step")
        return JsonResponse(
            {"refused": {name: getattr(refused, name) for name in fields}}, status=refused.status
        )
    return _page(request, staff, pk, refused=refused) if refused else redirect("floor:house", pk=pk)
