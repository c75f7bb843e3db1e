"""The rules as people read them: packs, figures, readings, and each clause with where it is used. Every role reads them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pit.floor import door
from pit.rules import load
from pit.rules.model import Pack
from pit.web.shell import shell_of
from tables.rulebook import text
from tables.rulebook.book import Book, ReadingPage, book, key_of, search, settings


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """All packs; `?q=` finds clauses by id, citation, words and use."""
    books = _books(request)
    asked = request.GET.get("q", "").strip()
    context = {"books": books, "q": asked, "found": search(books, asked), **_house(request)}
    return render(request, "tables/rules.html", context)


@require_safe
def pack(request: HttpRequest, pack: str) -> HttpResponse:
    """One pack, by its version ("ny-2016-09-14") or its place ("ny", the newest in force)."""
    one = _book(request, _pack(request, pack))
    asked = request.GET.get("q", "").strip()
    shown = [clause for _, clause in search([one], asked)] if asked else list(one.clauses)
    figures = [(key.replace("_", " "), text.value(told)) for key, told in one.parameters.items()]
    context = {"book": one, "q": asked, "clauses": shown, "figures": figures, "readings": _options(one)}
    return render(request, "tables/rule_pack.html", context)


@require_safe
def clause(request: HttpRequest, pack: str, clause: str) -> HttpResponse:
    """One clause; for htmx what stands in the dialog beside what one was doing."""
    one = _book(request, _pack(request, pack))
    found = next((each for each in one.clauses if each.id == clause), None)
    if found is None:
        raise Http404
    return _part(request, "clause", {"book": one, "clause": found})


@require_safe
def house(request: HttpRequest) -> HttpResponse:
    """What "house procedure" means, and the settings of this house."""
    return _part(request, "rules_house", _house(request))


@require_safe
def pitstand(request: HttpRequest) -> HttpResponse:
    """What a refusal under "Pitstand" means: a condition of the software itself."""
    return _part(request, "rules_pitstand", {})


def _part(request: HttpRequest, name: str, context: Mapping[str, Any]) -> HttpResponse:
    part = request.headers.get("HX-Request") == "true"
    return render(request, f"tables/_{name}.html" if part else f"tables/{name}.html", dict(context))


def _today(request: HttpRequest) -> date:
    return shell_of(request).gaming_day


def _pack(request: HttpRequest, key: str) -> Pack:
    for dated in load.packs().values():
        for one in dated:
            if key == key_of(one.version):
                return one
    try:
        return load.pack_on(key, _today(request))
    except load.UnknownRules:
        raise Http404 from None


def _books(request: HttpRequest) -> list[Book]:
    """The packs, this property's place first."""
    place = getattr(shell_of(request).property, "jurisdiction", "")
    found = [one for dated in load.packs().values() for one in dated]
    return [_book(request, one) for one in sorted(found, key=lambda one: one.jurisdiction != place)]


def _book(request: HttpRequest, pack: Pack) -> Book:
    """The pack with what this property settled, where it is the property's own."""
    place = shell_of(request).property
    mine = place is not None and place.jurisdiction == pack.jurisdiction
    return book(pack, readings=door.state(place).readings if mine else {})


def _house(request: HttpRequest) -> dict[str, Any]:
    place = shell_of(request).property
    chosen = door.state(place).house if place is not None else {}
    known = settings(load.house_settings(), chosen)
    return {"settings": [(one, _told(one.chosen), _told(one.default)) for one in known]}


def _told(value: Any) -> str:
    return text.value(value)


def _options(one: Book) -> list[tuple[ReadingPage, str, str]]:
    return [(each, _told(each.chosen), _told(each.default)) for each in one.readings]
