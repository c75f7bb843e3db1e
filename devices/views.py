"""Pages of gateways and devices: everybody of the property reads them, technicians and administrators keep them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import msgspec
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from devices import pages, registry, selectors
from devices.domain.canon import WORDS
from devices.domain.commands import RecordService, RetireDevice
from devices.forms import DeviceForm, GatewayForm
from devices.gateways.check import check
from devices.models import Device, Gateway
from pit.floor.models import Property
from pit.people.authority import by_for, may_see
from pit.people.middleware import wants_json
from pit.people.models import Staff
from pit.people.roles import rights_of
from pit.record import door
from pit.record.contract import Answer, By, Refused
from pit.web import clock
from tables.models import Table


@require_safe
@never_cache
def devices(request: HttpRequest) -> HttpResponse:
    """`/devices/`: the gateways, and every device with how it is; `?q=` searches; `.json` the same for programs."""
    staff, now = _staff(request), clock.now()
    text = request.GET.get("q", "").strip()[:60]
    rows = selectors.rows(staff.property_id, text=text, retired=bool(request.GET.get("retired")))
    found = selectors.lines(rows, now=now)
    gateways = selectors.gateways(staff.property_id, now=now)
    if wants_json(request):
        return _json({"gateways": gateways, "devices": found})
    context = {"devices": found, "gateways": gateways, "q": text, "may_keep": _may_keep(staff), "now": now}
    return render(request, "devices/devices.html", context)


@require_safe
@never_cache
def strip(request: HttpRequest) -> HttpResponse:
    """`/devices/strip`: the gateway strip alone, as boards and the shift's page take it in and renew it."""
    staff = _staff(request)
    return render(
        request,
        "devices/_gateways.html",
        {"gateways": selectors.gateways(staff.property_id, now=clock.now())},
    )


@require_safe
@never_cache
def at_table(request: HttpRequest, pk: int) -> HttpResponse:
    """`/devices/at/<table>`: the devices of a table, for its sheet."""
    table = get_object_or_404(Table, pk=pk)
    if not may_see(_staff(request), property_id=table.property_id):
        raise Http404
    return render(request, "devices/_at_table.html", {"devices": selectors.at_table(pk, now=clock.now())})


@require_safe
@never_cache
def device(request: HttpRequest, pk: int) -> HttpResponse:
    """`/devices/<id>/`."""
    found = _device(request, pk)
    if wants_json(request):
        return _json(selectors.device_line(found, now=clock.now()))
    return _device_page(request, found)


def _device_page(
    request: HttpRequest, found: Device, *, refused: Refused | None = None, form: DeviceForm | None = None
) -> HttpResponse:
    now, staff = clock.now(), _staff(request)
    blocks, well = pages.strip(found, now=now)
    keeps = _may_keep(staff)
    context = {
        "device": found,
        "line": selectors.device_line(found, now=now),
        "blocks": blocks,
        "well": round(well * 100, 1),
        "history": pages.history(found),
        "way_back": pages.way_back(found, now=now),
        "journal": pages.journal(found),
        "words": WORDS,
        "may_keep": keeps,
        "form": (form or _form_of(found)) if keeps else None,
        "tables": Table.objects.filter(property_id=found.property_id).order_by("number") if keeps else (),
        "refused": refused,
        "press": uuid4().hex,
        "now": now,
    }
    return render(request, "devices/device.html", context, status=refused.status if refused else 200)


def _form_of(found: Device, data: Any = None) -> DeviceForm:
    names = ("key", "kind", "serial", "maker", "model", "approval_ref", "seal", "firmware")
    initial = {name: getattr(found, name) for name in names}
    initial["gateway"] = found.gateway.name if found.gateway else ""
    return DeviceForm(data, initial=initial, property_id=found.property_id, fixed_key=True)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_device(request: HttpRequest) -> HttpResponse:
    """`/devices/new`: registers one. What the door refuses leaves nothing behind."""
    staff = _keeper(request)
    house = _house(request, staff)
    initial = {name: request.GET.get(name, "") for name in ("key", "serial", "gateway", "kind")}
    form = DeviceForm(request.POST or None, initial=initial, property_id=house.pk)
    if request.method != "POST" or not form.is_valid():
        return render(request, "devices/new_device.html", {"form": form, "press": uuid4().hex})
    key, refused = form.cleaned_data["key"], None
    if Device.objects.filter(property=house, key=key).exists():
        form.add_error("key", "There is a device of this name already.")
    else:
        made, refused = _register(
            house, form.cleaned_data, by=_by(request, staff), key=request.POST.get("key_", "")
        )
        if made is not None:
            return redirect("devices:device", made.pk)
    context = {"form": form, "refused": refused, "press": uuid4().hex}
    return render(request, "devices/new_device.html", context, status=refused.status if refused else 422)


def _register(
    house: Property, fields: dict[str, Any], *, by: By, key: str
) -> tuple[Device | None, Refused | None]:
    now = clock.now()
    with transaction.atomic():
        made = registry.create(house, fields["key"], by=by, now=now)
        answer = registry.describe(made, fields, by=by, now=now, key=key or uuid4().hex)
        if answer.refused is not None:
            transaction.set_rollback(True)
            return None, answer.refused
    return made, None


@require_POST
def command(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """`/devices/<id>/<command>`: describe, move, retire, service."""
    staff, found = _keeper(request), _device(request, pk)
    by, now, key = _by(request, staff), clock.now(), request.POST.get("key_", "") or uuid4().hex
    answer: Answer | Refused | None
    match name:
        case "describe":
            form = _form_of(found, request.POST)
            if not form.is_valid():
                return _device_page(request, found, form=form)
            answer = registry.describe(
                found, {**form.cleaned_data, "key": found.key}, by=by, now=now, key=key
            )
        case "move":
            answer = registry.move(found, _table(request, found), by=by, now=now, key=key)
        case "retire":
            retire = RetireDevice(reason=request.POST.get("reason", ""))
            answer = door.submit(retire, stream=found.stream, by=by, key=key, now=now)
        case "service":
            fields = {one: request.POST.get(one, "") for one in ("work", "seal", "firmware")}
            answer = door.submit(RecordService(**fields), stream=found.stream, by=by, key=key, now=now)
        case _:
            raise Http404
    refused = answer.refused if isinstance(answer, Answer) else answer
    if wants_json(request):
        return _json(
            {"refused": refused} if refused else {"done": True}, status=refused.status if refused else 200
        )
    if refused is not None:
        return _device_page(request, _device(request, pk), refused=refused)
    return redirect("devices:device", pk)


def _table(request: HttpRequest, found: Device) -> Table | None:
    number = request.POST.get("table", "").strip()
    return get_object_or_404(Table, property_id=found.property_id, number=number) if number else None


@require_safe
@never_cache
def gateway(request: HttpRequest, pk: int) -> HttpResponse:
    """`/gateways/<id>/`."""
    return _gateway_page(request, _gateway(request, pk))


def _gateway_page(request: HttpRequest, found: Gateway, **more: Any) -> HttpResponse:
    staff, now = _staff(request), clock.now()
    keeps = _may_keep(staff)
    context = {
        "gateway": found,
        "line": selectors.gateway_line(found, now=now),
        "devices": selectors.lines(selectors.rows(found.property_id).filter(gateway=found), now=now),
        "entries": found.entries.select_related("device")[:40],
        "quarantined": found.quarantined.all()[:20],
        "words": WORDS,
        "may_keep": keeps,
        "form": GatewayForm(instance=found) if keeps else None,
    }
    return render(request, "devices/gateway.html", context | more)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_gateway(request: HttpRequest) -> HttpResponse:
    """`/gateways/new`."""
    staff = _keeper(request)
    house = _house(request, staff)
    form = GatewayForm(request.POST or None)
    form.instance.property = house
    if request.method == "POST" and form.is_valid():
        if not Gateway.objects.filter(property=house, name=form.cleaned_data["name"]).exists():
            return redirect("devices:gateway", form.save().pk)
        form.add_error("name", "There is a gateway of this name already.")
    status = 422 if form.errors else 200
    return render(request, "devices/new_gateway.html", {"form": form}, status=status)


@require_POST
def gateway_command(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """`/gateways/<id>/<command>`: change, check (against the contract), reread (its journal from the beginning)."""
    _keeper(request)
    found = _gateway(request, pk)
    match name:
        case "change":
            form = GatewayForm(request.POST, instance=Gateway.objects.get(pk=pk))
            if not form.is_valid():
                return _gateway_page(request, found, form=form)
            form.instance.save(update_fields=list(form.fields))
            Gateway.objects.filter(pk=pk).update(next_at=None, etag="", failures=0)
        case "check":
            return _gateway_page(request, found, checked=_checked(found))
        case "reread":
            # What was applied already is known by its number and not applied again.
            Gateway.objects.filter(pk=pk).update(cursor=0, etag="", next_at=None)
        case _:
            raise Http404
    return redirect("devices:gateway", pk)


def _checked(found: Gateway) -> Any:
    return asyncio.run(
        check(
            found.url,
            name=found.name,
            credential=found.credential,
            now=clock.now,
            secrets=Path(settings.GATEWAY_SECRETS),
        )
    )


def _staff(request: HttpRequest) -> Staff:
    return cast("Staff", request.user)


def _may_keep(staff: Staff) -> bool:
    return rights_of(staff.role).devices


def _keeper(request: HttpRequest) -> Staff:
    staff = _staff(request)
    if not _may_keep(staff):
        raise PermissionDenied
    return staff


def _house(request: HttpRequest, staff: Staff) -> Property:
    """The keeper's own property; an installation-wide account names it."""
    if staff.property_id is not None:
        return get_object_or_404(Property, pk=staff.property_id)
    asked = request.POST.get("property") or request.GET.get("property")
    return get_object_or_404(Property, pk=asked) if asked else cast("Property", Property.objects.first())


def _by(request: HttpRequest, staff: Staff) -> By:
    """A technician acts on devices in the whole property, wherever they stand."""
    by = by_for(staff, now=clock.now(), address=request.META.get("REMOTE_ADDR", ""))
    assert isinstance(by, By)
    return msgspec.structs.replace(by, topics=None)


def _device(request: HttpRequest, pk: int) -> Device:
    found = get_object_or_404(Device.objects.select_related("gateway", "table__pit", "property"), pk=pk)
    if not may_see(_staff(request), property_id=found.property_id):
        raise Http404
    return found


def _gateway(request: HttpRequest, pk: int) -> Gateway:
    found = get_object_or_404(Gateway, pk=pk)
    if not may_see(_staff(request), property_id=found.property_id):
        raise Http404
    return found


def _json(content: Any, *, status: int = 200) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(content), content_type="application/json", status=status)
