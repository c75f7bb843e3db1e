"""The overview of a property and the board of one pit."""

from __future__ import annotations

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from pit.floor.models import Pit
from pit.live import fragments
from pit.people import authority
from pit.people.roles import rights_of
from pit.web import clock
from pit.web.shell import shell_of, staff_of
from tables import answers, selectors
from tables import day as days
from tables.models import Condition

DESK = frozenset({"commission_staff", "surveillance"})
"""Who begins at a desk of their own; the live boards are one tap away."""
LEGEND = [
    (condition.value, condition.label)
    for condition in (
        Condition.IN_PLAY,
        Condition.PREPARING,
        Condition.DEAD_GAME,
        Condition.DUE,
        Condition.HOLD,
        Condition.CLOSED,
    )
]


@require_safe
def home(request: HttpRequest) -> HttpResponseBase:
    """A person with a section goes to its pit; who looks after more sees all pits at a glance."""
    staff = staff_of(request)
    if staff.property_id is None:
        return render(request, "tables/properties.html", {"pits": authority.pits_seen(staff)})
    if staff.role in DESK:
        return redirect("desk")
    if rights_of(staff.role).acts == "duty":
        mine = authority.my_pits(staff, now=clock.now())
        if mine:
            return redirect("board", pk=mine[0].pk)
    return overview(request)


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Every pit of the property with the sign of each of its tables, and what needs somebody, the nearest first."""
    shell, staff = shell_of(request), staff_of(request)
    place = staff.property_id
    if place is None or not authority.may_see(staff, property_id=place):
        raise Http404
    tables = selectors.by_pit(place)
    return render(
        request,
        "tables/overview.html",
        {
            "pits": [(pit, tables.get(pit.pk, [])) for pit in shell.tabs],
            "fragments": fragments.board(f"property:{place}"),
            "figures": selectors.figures(tables, property_id=place, now=shell.now),
            "readonly": not authority.may_act(staff),
            "listens": True,
            "conditions": LEGEND,
        },
    )


@require_safe
def board(request: HttpRequest, pk: int) -> HttpResponse:
    """One pit: its tables as they stand on the floor, and *Needs you now*. Ready tiles only; six queries."""
    shell = shell_of(request)
    pit = _pit(request, pk)
    section = authority.my_section(staff_of(request), pit, now=shell.now)
    acts = rights_of(staff_of(request).role).acts
    return render(
        request,
        "tables/board.html",
        {
            "pit": pit,
            "fragments": fragments.board(pit.topic),
            "section": sorted(section or ()),
            "readonly": acts == "none",
            "listens": True,
            "conditions": LEGEND,
        },
    )


@require_safe
def tabs(request: HttpRequest) -> HttpResponse:
    """What the badges of the bar say now: `{"tabs": {"<pit>": [tables that need somebody, tables on hold]}}`."""
    shell = shell_of(request)
    return answers.json({"tabs": {str(tab.pk): [tab.attention, tab.on_hold] for tab in shell.tabs}})


@require_safe
def day(request: HttpRequest, pk: int) -> HttpResponse:
    """The gaming day of each table of a pit, drawn; the overview brings it after itself and again every minute."""
    pit = _pit(request, pk)
    return render(request, "tables/_day.html", {"day": days.of_pit(pit, now=clock.now())})


def _pit(request: HttpRequest, pk: int) -> Pit:
    """The pit, from the bar's own list when it is there; 404 for a pit of a property that one may not see."""
    for tab in shell_of(request).tabs:
        if tab.pk == pk and authority.may_see(staff_of(request), property_id=tab.property_id):
            return cast("Pit", tab)
    for pit in authority.pits_seen(staff_of(request)):
        if pit.pk == pk:
            return pit
    raise Http404


@require_safe
def state(request: HttpRequest, pk: int) -> HttpResponse:
    """The pit as JSON: its tables in short, in order of number."""
    pit = _pit(request, pk)
    tables = [answers.summary(table) for table in pit.tables.order_by("number")]
    return answers.json({"id": pit.pk, "name": pit.name, "property": pit.property_id, "tables": tables})
