"""An irregularity, guided: what happened → facts → what the text states, silence as silence → recorded (press by press).

Nothing is offered but the entries of the rule pack; what follows is `irregular.foresee`, which the decider uses too.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from pit.record.contract import Refused
from tables import forms, held
from tables.domain import irregular
from tables.domain.irregular import Choice
from tables.domain.offer import Ask
from tables.models import Table
from tables.reading import Reading

COMMAND = "RecordIrregularity"
GROUPS: Mapping[str, str] = {
    "cards": "Cards and hands",
    "hole_card": "Hole card",
    "shoe": "Shoe and stacks",
    "dice": "Dice and shaker",
    "shuffler": "Shuffler",
}


def ask(
    request: HttpRequest,
    table: Table,
    found: Reading,
    given: Mapping[str, Any],
    refused: Refused | None,
) -> HttpResponse:
    """The choices; with `kind` its facts and what follows from them; with `part` only what follows."""
    known = irregular.choices(found.state, found.rules)
    choice = next((one for one in known if one.kind == given.get("kind")), None)
    part = request.headers.get("HX-Request") == "true"
    context: dict[str, Any] = {"table": table, "refused": refused, "rules": found.rules}
    if choice is None:
        context["groups"] = _grouped(known, found)
        return render(request, f"tables/{'_' if part else ''}irregularities.html", context)
    facts = _facts(given.get("facts"))
    context |= _chosen(choice, facts, found, refused)
    if given.get("part"):
        return render(request, "tables/_ruling.html", context)
    status = refused.status if refused and request.method == "POST" else 200
    return render(request, f"tables/{'_' if part else ''}irregularity.html", context, status=status)


def _grouped(known: tuple[Choice, ...], found: Reading) -> list[tuple[str, list[tuple[Choice, str]]]]:
    """The choices under the thing they are about, each with where its clauses stand."""
    order = list(GROUPS)
    ranked = sorted(known, key=lambda one: order.index(one.group) if one.group in order else len(order))
    return [
        (GROUPS.get(name, name), [(one, _cites(one, found)) for one in ones])
        for name, ones in groupby(ranked, key=lambda one: one.group)
    ]


def _cites(choice: Choice, found: Reading) -> str:
    return ", ".join(dict.fromkeys(found.rules.cite(clause) for clause in choice.clauses))


def _facts(given: Any) -> dict[str, Any]:
    return {str(name): value for name, value in given.items()} if isinstance(given, Mapping) else {}


def _chosen(
    choice: Choice, facts: Mapping[str, Any], found: Reading, refused: Refused | None
) -> dict[str, Any]:
    """The form of one choice: its facts, and what follows as soon as they are told."""
    asks = tuple(_inside(ask) for ask in choice.asks)
    given = {f"facts.{name}": value for name, value in facts.items()}
    missing = [ask.label for ask in choice.asks if not ask.optional and not facts.get(ask.name)]
    ruling = None if missing else irregular.foresee(found.state, found.rules, choice.kind, facts)
    wrong = ruling if isinstance(ruling, Refused) else None
    return {
        "choice": choice,
        "asks": forms.fields_of(asks, given=given, wrong=dict(refused.fields) if refused else {}),
        "missing": missing,
        "more": any(ask.optional for ask in choice.asks),
        "more_told": any(ask.optional and facts.get(ask.name) for ask in choice.asks),
        "wrong": wrong,
        "ruling": held.foreseen(choice.kind, ruling, found.rules) if ruling and wrong is None else None,
        "key": uuid.uuid4().hex,
        "seen": found.seq,
    }


def _inside(ask: Ask) -> Ask:
    """The field as the form sends it: one of the facts."""
    return Ask(
        name=f"facts.{ask.name}", kind=ask.kind, label=ask.label, options=ask.options, optional=ask.optional
    )
