"""Changes on the screen: everybody of the property reads them; compliance and shift managers write, sign and issue."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pit.floor.models import Property
from pit.notices import forms, selectors, service, slip
from pit.notices.domain import commands as c
from pit.notices.domain.decide import KEEPERS
from pit.notices.domain.messages import summary
from pit.notices.domain.state import BEFORE_ISSUE, OPEN, ChangeState
from pit.notices.models import Change, Numbered
from pit.notices.registry import floor
from pit.people.authority import by_for, may_see
from pit.people.models import Staff
from pit.record.contract import Answer, By, Refused
from pit.rules.notice import KINDS
from pit.web import clock
from pit.web.shell import staff_of

PAGE = 40
SIGNED = {"SignChange": c.SignChange, "ApproveChange": c.ApproveChange, "WithdrawChange": c.WithdrawChange}


@require_safe
@never_cache
def notices(request: HttpRequest) -> HttpResponse:
    """Open changes, the nearest first; then what was, by number."""
    place = _place(request)
    past = selectors.changes(place.pk).exclude(status__in=OPEN)
    page = Paginator(past, PAGE).get_page(request.GET.get("page"))
    context = {
        "place": place,
        "open": selectors.open_changes(place.pk),
        "page": page,
        "numbers": Numbered.objects.filter(property=place, kind="notice").exclude(void_at=None),
        "may_write": _may_write(request),
    }
    return render(request, "notices/notices.html", context)


@require_safe
@never_cache
def strip(request: HttpRequest) -> HttpResponse:
    """The notices strip of the boards; asked for by the page itself."""
    return render(request, "notices/_strip.html", {"strip": selectors.strip(_place(request).pk)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new(request: HttpRequest) -> HttpResponseBase:
    """A change is written down. `?supersedes=N-0007`: in the place of an issued notice."""
    place = _place(request)
    if not _may_write(request):
        raise Http404
    supersedes = (request.POST or request.GET).get("supersedes", "")[:20]
    if request.method != "POST":
        return _form(request, place, {"matter": "pay_table"}, supersedes=supersedes)
    told = forms.asked(request, floor().places(place.pk), zone=ZoneInfo(place.zone))
    command = c.DraftChange(matter=told.matter, supersedes=supersedes)
    change, answer = service.draft(
        place, command, by=_unsigned(request), key=_key(request), now=clock.now(), wrong=told.wrong
    )
    if answer.refused is not None:
        return _form(request, place, told.shown, refused=answer.refused, supersedes=supersedes)
    return redirect("notice", pk=change.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def edit(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The draft is written otherwise; after the issue there is no such page."""
    change = _change(request, pk)
    state = service.state_of(change)
    place = change.property
    if not _may_write(request) or (request.method != "POST" and state.status not in BEFORE_ISSUE):
        raise Http404
    if request.method != "POST":
        return _form(request, place, forms.shown(state, zone=ZoneInfo(place.zone)), change=change)
    told = forms.asked(request, floor().places(place.pk), zone=ZoneInfo(place.zone))
    answer = service.edit(
        change, told.matter, by=_unsigned(request), key=_key(request), now=clock.now(), wrong=told.wrong
    )
    if answer.refused is not None:
        return _form(request, place, told.shown, refused=answer.refused, change=change)
    return redirect("notice", pk=change.pk)


@require_safe
@never_cache
def notice(request: HttpRequest, pk: int) -> HttpResponse:
    """One change: from → to, where, when, who signed, who was told and what became of every message."""
    return _page(request, _change(request, pk))


@sensitive_post_parameters("pin")
@require_POST
def act(request: HttpRequest, pk: int, command: str) -> HttpResponseBase:
    """SignChange, ApproveChange, IssueNotice or WithdrawChange (reason), with the PIN of the one who is signed in."""
    change = _change(request, pk)
    if command not in {*SIGNED, "IssueNotice"}:
        raise Http404(command)
    by, wrong = _signed(request, now=clock.now())
    told = {"by": by, "key": _key(request), "now": clock.now(), "seen": _seen(request), "wrong": wrong}
    answer = _act(change, command, request.POST.get("reason", ""), told)
    if answer.refused is not None:
        return _page(request, change, refused=answer.refused)
    return redirect("notice", pk=change.pk)


def _act(change: Change, command: str, reason: str, told: dict[str, Any]) -> Answer:
    if command == "IssueNotice":
        return service.issue(change, **told)
    if command == "WithdrawChange":
        return service.withdraw(change, c.WithdrawChange(reason=reason[:2_000]), **told)
    return service.ask(change, SIGNED[command](), **told)


@require_safe
def print_slip(request: HttpRequest, pk: int) -> HttpResponse:
    """The notice as a printed slip with signature lines (PDF)."""
    change = _change(request, pk)
    state = service.state_of(change)
    if not state.number:
        raise Http404
    told = slip.pdf(change, state, now=clock.now(), by=staff_of(request).name)
    answer = HttpResponse(told, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{state.number}.pdf"'
    return answer


@require_POST
def hand_over(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A slip was handed over to somebody of a recipient group: from now on this group was notified."""
    change = _change(request, pk)
    if not _may_write(request):
        raise Http404
    group, who = request.POST.get("group", ""), request.POST.get("who", "").strip()[:100]
    wrong = slip.hand_over(change, group=group, who=who, by=staff_of(request).name, now=clock.now())
    if wrong is not None:
        return _page(request, change, refused=wrong)
    return redirect("notice", pk=change.pk)


def _page(request: HttpRequest, change: Change, *, refused: Refused | None = None) -> HttpResponse:
    change.refresh_from_db()
    state = service.state_of(change)
    context = {
        "change": change,
        "state": state,
        "matter": state.matter,
        "summary": summary(state.matter) if state.matter else "",
        "steps": selectors.steps(state),
        "told": selectors.told_of(change),
        "tries": selectors.tries(change),
        "refused": refused,
        "next": _next(state, request),
        "may_write": _may_write(request),
        "may_withdraw": state.status in OPEN,
        "may_edit": state.status in BEFORE_ISSUE,
        "press": uuid4().hex,
    }
    return render(request, "notices/notice.html", context, status=refused.status if refused else 200)


def _next(state: ChangeState, request: HttpRequest) -> tuple[str, str, str] | None:
    """(command, button, what it means) of the step that the one who is signed in can take now."""
    if not _may_write(request):
        return None
    mine = state.author is not None and state.author.id == staff_of(request).pk
    match state.status:
        case "DRAFT":
            return "SignChange", "Sign as author", "What is written here is signed with your PIN."
        case "SIGNED" if not mine:
            return "ApproveChange", "Approve", "You are the second person: your PIN approves it."
        case "APPROVED":
            return (
                "IssueNotice",
                "Issue the notice",
                "Commission staff and surveillance are notified at once.",
            )
        case _:
            return None


def _form(
    request: HttpRequest,
    place: Property,
    shown: dict[str, Any],
    *,
    refused: Refused | None = None,
    change: Change | None = None,
    supersedes: str = "",
) -> HttpResponse:
    places = floor().places(place.pk)
    keys = {key for one in places for key in one.terms}
    also = (refused, *refused.also) if refused else ()
    context = {
        "place": place,
        "places": places,
        "matters": forms.MATTERS,
        "items": sorted({item for matter, item in keys if matter in KINDS}),
        "shown": shown,
        "refused": refused,
        "ambiguous": any(one.code == "AMBIGUOUS_LOCAL_TIME" for one in also),
        "change": change,
        "supersedes": supersedes,
        "press": uuid4().hex,
    }
    return render(request, "notices/form.html", context, status=refused.status if refused else 200)


def _place(request: HttpRequest) -> Property:
    """One's own property; an installation-wide account names it by `?property=`."""
    staff = staff_of(request)
    pk = staff.property_id or request.GET.get("property") or request.POST.get("property") or ""
    found = Property.objects.filter(pk=pk).first() if str(pk).isdecimal() and len(str(pk)) < 19 else None
    if found is None:
        found = Property.objects.first() if staff.property_id is None else None
    if found is None or not may_see(staff, property_id=found.pk):
        raise Http404
    return found


def _change(request: HttpRequest, pk: int) -> Change:
    """A change of a property that this person may not see is not there."""
    change = get_object_or_404(Change.objects.select_related("property"), pk=pk)
    if not may_see(staff_of(request), property_id=change.property_id):
        raise Http404
    return change


def _may_write(request: HttpRequest) -> bool:
    return staff_of(request).role in KEEPERS


def _unsigned(request: HttpRequest) -> By:
    found = by_for(staff_of(request), now=clock.now())
    return found if isinstance(found, By) else _nobody(staff_of(request))


def _signed(request: HttpRequest, *, now: datetime) -> tuple[By, tuple[Refused, ...]]:
    """Who acts, with the signature; a wrong PIN goes to the door with the press, so that it is recorded."""
    staff = staff_of(request)
    by = by_for(staff, now=now, pin=request.POST.get("pin"), address=request.META.get("REMOTE_ADDR", ""))
    return (by, ()) if isinstance(by, By) else (_nobody(staff), (by,))


def _nobody(staff: Staff) -> By:
    return By(id=staff.pk, name=staff.name, role=staff.role, badge=staff.badge, property_id=staff.property_id)


def _key(request: HttpRequest) -> str:
    return cast("str", request.POST.get("key", ""))


def _seen(request: HttpRequest) -> int | None:
    text = request.POST.get("seen", "")
    return int(text) if text.isdecimal() and len(text) < 19 else None
