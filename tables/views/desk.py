"""The desks of commission staff and surveillance: what they were told, the past minute of a table, the Record taken along.

Read-only by construction: nothing here reaches a table. Remarks and exports are entries of the desk's own stream.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from pit.floor.models import Property
from pit.notices import desk as desks
from pit.notices import numbers
from pit.notices.selectors import strip
from pit.outbox.selectors import inbox
from pit.people import authority
from pit.record.chain import instant
from pit.record.contract import By
from pit.record.models import Event
from pit.web import clock
from pit.web.shell import shell_of, staff_of
from tables import exports, history, moment
from tables.models import Table
from tables.sheet import game_name
from tables.terms import versions
from tables.views.record import search_of

RECENT = 12
VERIFIER = Path(settings.BASE_DIR) / "deploy" / "verify.py"


@require_safe
@never_cache
def desk(request: HttpRequest) -> HttpResponse:
    """What is open in the inbox, which changes are ahead, the last refusals and integrity events, and the ways from here."""
    place = _place(request)
    waiting = inbox(request.user).filter(acknowledged_at=None)
    refused, _ = history.find(place.pk, history.Search(only="refused"))
    context = {
        "place": place,
        "waiting": list(waiting[:RECENT]),
        "strip": strip(place.pk),
        "refused": refused[:RECENT],
        "tables": _tables(place),
        "remarks": desks.remarks(place.pk)[:RECENT],
        "may_remark": staff_of(request).role in desks.REMARKERS,
    }
    return render(request, "desk/desk.html", context)


@require_safe
@never_cache
def past(request: HttpRequest) -> HttpResponse:
    """`?table=BJ-01&at=2026-11-30T02:14`: state, configuration in force and who was on, as the Record tells it."""
    place = _place(request)
    asked = {name: request.GET.get(name, "").strip()[:40] for name in ("table", "at")}
    context: dict[str, Any] = {"place": place, "asked": asked, "tables": _tables(place)}
    if not (asked["table"] and asked["at"]):
        return render(request, "desk/moment.html", context)
    table = Table.objects.filter(property=place, number__iexact=asked["table"]).select_related("pit").first()
    at = _moment(asked["at"], place)
    if table is None or isinstance(at, str):
        context["wrong"] = at if isinstance(at, str) else f"There is no table {asked['table']} here."
        return render(request, "desk/moment.html", context, status=422)
    found = moment.at(table, at)
    remarks = [one for one in desks.remarks(place.pk) if one.stream == table.stream and one.seq <= found.seq]
    context |= {
        "table": table,
        "found": found,
        "game": game_name(table.game),
        "stage": history.words.stage(found.state.stage),
        "beside": moment.clock_words(found.state),
        "versions": versions(table.stream),
        "remarks": remarks,
        "may_remark": staff_of(request).role in desks.REMARKERS,
        "press": uuid4().hex,
    }
    return render(request, "desk/moment.html", context)


def _moment(text: str, place: Property) -> datetime | str:
    from tables.views.record import moment_of

    found = moment_of(text, ZoneInfo(place.zone), 1)
    if found is None or isinstance(found, str):
        return found or "Give date and time of day."
    return "This time has not come yet." if found > clock.now() else found


@require_POST
def remark(request: HttpRequest) -> HttpResponseBase:
    """Surveillance remarks on an entry; the entry stays as it is."""
    place = _place(request)
    stream, seq = request.POST.get("stream", ""), request.POST.get("seq", "")
    here = Event.objects.filter(stream=stream, seq=int(seq) if seq.isdecimal() and len(seq) < 19 else None)
    if not here.exists() or not _is_here(stream, place):
        raise Http404
    command = desks.AddRemark(stream=stream, seq=int(seq), text=request.POST.get("text", ""))
    answer = desks.ask(place.pk, command, by=_by(request), key=request.POST.get("key", ""), now=clock.now())
    if answer.refused is not None:
        return render(request, "desk/refused.html", {"refused": answer.refused}, status=answer.refused.status)
    back = request.POST.get("back", "")
    return redirect(back if back.startswith("/desk/") else "/desk/")


def _is_here(stream: str, place: Property) -> bool:
    from pit.record.models import Stream

    return Stream.objects.filter(name=stream, property_id=place.pk).exists()


@require_POST
def export(request: HttpRequest, kind: str) -> HttpResponse:
    """The entries of a search as a file that proves itself. The export has a number, and is an entry of its own."""
    place = _place(request)
    if kind not in exports.FORMATS or staff_of(request).role not in desks.EXPORTERS:
        raise PermissionDenied
    search, wrong = search_of(request.POST, ZoneInfo(place.zone))
    if wrong:
        return _refused(request, wrong)
    try:
        selection = exports.select(history.matching(place.pk, search))
    except exports.TooMuch as too_much:
        return _refused(request, str(too_much))
    asked = {name: request.POST.get(name, "")[:60] for name in history.FIELDS if request.POST.get(name)}
    number, told = _numbered(request, place, kind, selection, asked)
    answer = HttpResponse(told, content_type=exports.FORMATS[kind][1])
    answer["Content-Disposition"] = f'attachment; filename="{number}.{kind}"'
    return answer


def _numbered(
    request: HttpRequest, place: Property, kind: str, selection: exports.Selection, asked: dict[str, str]
) -> tuple[str, bytes]:
    """Number, file and entry together: none without the others."""
    now, by = clock.now(), _by(request)
    make, _ = exports.FORMATS[kind]
    with transaction.atomic():
        taken = numbers.take(place, "export", what=str(asked), stream=f"desk:{place.pk}", by=by.name, now=now)
        about = {
            "number": taken.number,
            "property": place.name,
            "exported_at": instant(now),
            "by": f"{by.name} {by.badge}".strip(),
            "selection": asked,
        }
        told, digest = make(selection, about)
        command = desks.RecordExport(
            number=taken.number, format=kind, selection=asked, entries=len(selection.chosen), digest=digest
        )
        answer = desks.ask(place.pk, command, by=by, key=uuid4().hex, now=now)
        if answer.refused is not None:
            raise PermissionDenied
    return taken.number, told


def _refused(request: HttpRequest, text: str) -> HttpResponse:
    messages.error(request, text)
    return render(request, "desk/refused.html", {"text": text}, status=422)


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """The stand-alone verifier, to be taken along with an export."""
    answer = HttpResponse(VERIFIER.read_text(encoding="utf-8"), content_type="text/x-python; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="verify.py"'
    return answer


def _by(request: HttpRequest) -> By:
    """Who reads at this desk: their remark or export concerns the whole property."""
    staff = staff_of(request)
    return By(id=staff.pk, name=staff.name, role=staff.role, badge=staff.badge, property_id=staff.property_id)


def _tables(place: Property) -> list[str]:
    return list(
        Table.objects.filter(property=place).order_by("pit_id", "number").values_list("number", flat=True)
    )


def _place(request: HttpRequest) -> Property:
    """One's own property; an installation-wide account names it by `?property=`, or there is but one."""
    staff = staff_of(request)
    pk = staff.property_id or request.GET.get("property") or request.POST.get("property") or ""
    named = str(pk).isdecimal() and len(str(pk)) < 19
    rows = Property.objects.filter(pk=int(pk)) if named else Property.objects.all()[:1]
    found = rows.first() if named or staff.property_id is None else None
    if found is None or not authority.may_see(staff, property_id=found.pk):
        raise Http404
    shell_of(request)
    return found
