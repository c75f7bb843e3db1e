"""The Record on the screen: every role of the property reads it, refusals included; nothing here can change it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from pit.notices.desk import EXPORTERS
from pit.people import authority
from pit.web.shell import shell_of, staff_of
from tables import history
from tables.domain import dice
from tables.domain.wrong import Wrong

TEXTS = tuple(name for name in history.FIELDS if name not in ("since", "until"))
ORDERS = [("", "When it happened"), ("written", "When it was written")]
KINDS = [
    ("", "Everything"),
    ("changes", "Changes"),
    ("refused", "Refusals"),
    ("late", "Late entries"),
    ("signed", "Signed"),
]


@require_safe
def record(request: HttpRequest) -> HttpResponse:
    """`?table=BJ-01&until=2026-11-30T02:14&who=214&clause=b-11&only=refused`; all optional, the newest first."""
    shell = shell_of(request)
    place = staff_of(request).property_id
    if place is not None and not authority.may_see(staff_of(request), property_id=place):
        raise PermissionDenied
    zone = ZoneInfo(shell.property.zone if shell.property else "UTC")
    search, wrong = search_of(request.GET, zone)
    lines, more = ([], None) if wrong else history.find(place, search)
    asked = {name: request.GET.get(name, "") for name in history.FIELDS}
    return render(
        request,
        "tables/record.html",
        {
            "lines": lines,
            "asked": asked,
            "kinds": KINDS,
            "orders": ORDERS,
            "wrong": wrong,
            "may_export": staff_of(request).role in EXPORTERS and place is not None,
            "more": _onwards(asked, more),
        },
    )


def _onwards(asked: dict[str, str], before: int | None) -> str:
    """The query of the next page, empty on the last."""
    told = {name: value for name, value in asked.items() if value}
    return urlencode({**told, "before": str(before)}) if before else ""


def search_of(given: QueryDict, zone: ZoneInfo) -> tuple[history.Search, str]:
    """What a form asks the Record for, or what is wrong with it."""
    since, until = (moment_of(given.get(name, ""), zone, fold) for name, fold in (("since", 0), ("until", 1)))
    if isinstance(since, str) or isinstance(until, str):
        return history.Search(), since if isinstance(since, str) else str(until)
    before = given.get("before", "")
    return (
        history.Search(
            **{name: given.get(name, "")[:60] for name in TEXTS},
            since=since,
            until=until,
            before=int(before) if before.isdecimal() and len(before) < 19 else None,
        ),
        "",
    )


def moment_of(text: str, zone: ZoneInfo, fold: int) -> datetime | str | None:
    """A local time of the property; of a doubled hour the pass that shows more."""
    if not text:
        return None
    try:
        found = dice.instant(datetime.fromisoformat(text), zone=zone, fold=fold)
    except ValueError:
        return "This is no time: give date and time of day."
    return (
        "This time does not exist on that night: the clocks went forward."
        if isinstance(found, Wrong)
        else found
    )
