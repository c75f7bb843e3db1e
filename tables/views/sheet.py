"""The sheet of one table, a seat of it, and one command: asked for (GET) and recorded (POST), as HTML and as JSON."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from pit.live import fragments
from pit.people import authority
from pit.people.roles import ROLE_WORDS
from pit.record.contract import Answer, By, Refused
from pit.record.door import Raw, submit
from pit.web import clock
from pit.web.errors import wants_json
from pit.web.shell import staff_of
from tables import answers, forms, held, history, lots, reading
from tables import sheet as sheets
from tables.domain.commands import COMMANDS
from tables.domain.labels import label
from tables.domain.offer import Ask, Offer
from tables.domain.offers import offers
from tables.models import Table
from tables.views import irregularity


@require_safe
def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """The sheet: a page of its own, or for htmx what stands in the dialog beside the board."""
    table = _seen(request, pk)
    return _sheet(request, table, now=clock.now())


@require_safe
def state(request: HttpRequest, pk: int) -> HttpResponse:
    """The table as JSON: state, deadlines, holds, offers."""
    table, now = _seen(request, pk), clock.now()
    found = _read(table, now)
    made = offers(found.state, found.rules, by=_by(request, now), now=now)
    return answers.json(answers.table(table, found, made, now=now))


@require_safe
def seat(request: HttpRequest, pk: int, seat: int) -> HttpResponse:
    """What may be recorded at one seat."""
    table, now = _seen(request, pk), clock.now()
    found = _read(table, now)
    made = offers(found.state, found.rules, by=_by(request, now), now=now)
    steps, blocked = sheets.at_seat(table.pk, made, seat)
    page = "tables/_seat.html" if _is_part(request) else "tables/seat.html"
    context = {"table": table, "seat": seat, "steps": steps, "blocked": blocked, "sheet": found}
    return render(request, page, context)


@method_decorator(sensitive_post_parameters("pin", "second_pin"), name="dispatch")
class Command(View):
    """`/tables/<id>/<Command>`: GET asks what only a person knows, POST records it by the one door."""

    def get(self, request: HttpRequest, pk: int, command: str) -> HttpResponse:
        table = _seen(request, pk)
        if command not in COMMANDS:
            raise Http404
        given = forms.from_form(request.GET)
        return self.ask(request, table, command, given, now=clock.now())

    def post(self, request: HttpRequest, pk: int, command: str) -> HttpResponseBase:
        table, now = _known(request, pk), clock.now()
        press = forms.asked(request, zone=ZoneInfo(table.property.zone), now=now)
        by, wrong = _signed(request, press, now)
        answer = submit(
            Raw(name=command, fields=lots.with_facts(command, press.fields, table)),
            stream=table.stream,
            by=by,
            key=press.key,
            now=now,
            at=press.at,
            seen=press.seen,
            wrong=(*press.wrong, *wrong),
        )
        if wants_json(request):
            return answers.json(answers.answer(answer), status=answer.status)
        return self.said(request, table, command, answer, now=now)

    def said(
        self, request: HttpRequest, table: Table, command: str, answer: Answer, *, now: datetime
    ) -> HttpResponseBase:
        """The answer as HTML: the fresh sheet and tile, or the refusal where the press was made."""
        came_from = request.POST.get("from", "")
        if answer.refused is not None and came_from == "ask" and command in COMMANDS:
            given = forms.from_form(request.POST)
            return self.ask(request, table, command, given, refused=answer.refused, now=now)
        if not _is_part(request) and answer.refused is None:
            return redirect("sheet", pk=table.pk)
        if not authority.may_see(staff_of(request), property_id=table.property_id):
            raise Http404
        if answer.refused is None and came_from == "need":
            response = render(request, "tables/_fresh.html", {"fragments": _fresh(table)})
        else:
            response = _sheet(request, table, refused=answer.refused, now=now, fresh_tile=True)
        response.status_code = answer.status
        if answer.refused is None:
            _recorded(response, came_from)
        return response

    def ask(
        self,
        request: HttpRequest,
        table: Table,
        command: str,
        given: Mapping[str, Any],
        *,
        now: datetime,
        refused: Refused | None = None,
    ) -> HttpResponse:
        """The form of one command, with what is known filled in; after a refusal with what was wrong."""
        found = _read(table, now)
        if command == irregularity.COMMAND:
            return irregularity.ask(request, table, found, given, refused)
        by = _by(request, now)
        offer = sheets.find(offers(found.state, found.rules, by=by, now=now), command, given)
        if offer is None:
            offer = Offer(command=command, label=label(command, found.rules), lawful=False)
        wrong = dict(refused.fields) if refused else {}
        if refused is not None and wrong:
            refused = _by_its_fields(refused, offer.label)
        if offer.refused and refused is None:
            refused = offer.refused
        rule = found.rules.command(command)
        context = {
            "table": table,
            "step": sheets.step(table.pk, sheets.without(offer, given), found.rules),
            "asks": forms.fields_of(
                _with_entries(offer, table), given={**_assumed(offer), **given}, wrong=wrong
            ),
            "refused": refused,
            "wrong": wrong,
            "given": {name: str(given.get(name, "")) for name in ("at", "second_badge")},
            "fold": refused is not None and refused.code == "AMBIGUOUS_LOCAL_TIME",
            "signs": bool(offer.needs),
            "second": found.rules.word(rule.second) if "second" in offer.needs else "",
            "role_word": found.rules.word(staff_of(request).role)
            if staff_of(request).role in ROLE_WORDS
            else "",
            "late_minutes": found.rules.house.get("late_entry_minutes"),
            "key": uuid.uuid4().hex,
            "seen": found.seq,
            "ruled": held.open_one(found.state, found.rules, given.get("irregularity")),
        }
        page = "tables/_ask.html" if _is_part(request) else "tables/ask.html"
        return render(
            request, page, context, status=refused.status if refused and request.method == "POST" else 200
        )


# ---- shared


def _with_entries(offer: Offer, table: Table) -> Sequence[Ask]:
    """What the form asks; an entry to be corrected is chosen from the last ones, nobody knows its number by heart."""
    if offer.command != "CorrectEntry":
        return offer.asks
    zone = ZoneInfo(table.property.zone)
    last = [one for one in history.of_table(table, limit=40) if not one.refused]
    told = tuple((str(one.seq), f"{one.at.astimezone(zone):%H:%M:%S} {one.words}") for one in last)
    return [
        msgspec.structs.replace(ask, kind="choice", label="Which entry", options=told)
        if ask.name == "of" and told
        else ask
        for ask in offer.asks
    ]


def _assumed(offer: Offer) -> Mapping[str, Any]:
    """What the form shows as chosen; which entry was wrong only the one who signs can say."""
    return {} if offer.command == "CorrectEntry" else offer.fields


def _by_its_fields(refused: Refused, what: str) -> Refused:
    """A refusal of an incomplete form: what comes next is to complete it, whatever the table would do else."""
    told = f"“{what}” is not complete." if refused.code == "MALFORMED" else refused.message
    return msgspec.structs.replace(refused, message=told, next_step="Fill in what is marked below.")


def _known(request: HttpRequest, pk: int) -> Table:
    """The table with its property and pit: one query; 404 when there is none."""
    table = Table.objects.select_related("property", "pit").filter(pk=pk).first()
    if table is None:
        raise Http404
    return table


def _seen(request: HttpRequest, pk: int) -> Table:
    """The table if this person may look at it; a table of another property is not there for them."""
    table = _known(request, pk)
    if not authority.may_see(staff_of(request), property_id=table.property_id):
        raise Http404
    return table


def _read(table: Table, now: datetime) -> reading.Reading:
    found = reading.read(table.stream, now=now)
    if found is None:
        raise Http404
    return found


def _is_part(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _by(request: HttpRequest, now: datetime) -> By:
    """Who looks, for `offers`: taken to be willing to sign, since the form asks for the PIN only when it is pressed."""
    by = authority.by_for(staff_of(request), now=now)
    return by if isinstance(by, By) else By(role=staff_of(request).role)


def _signed(request: HttpRequest, press: forms.Asked, now: datetime) -> tuple[By, tuple[Refused, ...]]:
    """Who acts, with their signature; a wrong PIN goes to the door as a reason to refuse, so that it is recorded."""
    by = authority.by_for(
        staff_of(request),
        now=now,
        pin=press.pin or None,
        second_badge=press.second_badge or None,
        second_pin=press.second_pin or None,
        address=request.META.get("REMOTE_ADDR", ""),
    )
    return (by, ()) if isinstance(by, By) else (_by(request, now), (by,))


def _sheet(
    request: HttpRequest,
    table: Table,
    *,
    now: datetime,
    refused: Refused | None = None,
    fresh_tile: bool = False,
) -> HttpResponse:
    found = _read(table, now)
    part = _is_part(request)
    context = {
        "table": table,
        "pit": table.pit,
        "sheet": sheets.sheet(table, found, by=_by(request, now), now=now, entries=history.of_table(table)),
        "refused": refused,
        "readonly": not authority.may_act(staff_of(request)),
        "dialog": part and "/tables/" not in request.headers.get("HX-Current-URL", ""),
        "listens": True,
    }
    if fresh_tile and part:
        context["fragments"] = _fresh(table)
    return render(request, "tables/_answer.html" if part else "tables/sheet.html", context)


def _fresh(table: Table) -> list[Any]:
    """The tile as it is now, for the one who acted: theirs also while nothing can be pushed."""
    return fragments.some([table.stream], property_id=table.property_id)


def _recorded(response: HttpResponse, came_from: str) -> None:
    """Tells the page where the sheet goes and that the form may close."""
    response["HX-Trigger"] = msgspec.json.encode({"pitstand:recorded": {}}).decode()
    if came_from == "ask":
        response["HX-Retarget"] = "#sheet"
        response["HX-Reswap"] = "innerHTML"
    if came_from == "need":
        response["HX-Reswap"] = "none"
