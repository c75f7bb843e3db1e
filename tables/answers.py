"""What programs get: the shapes of docs/json.md. The words in them are those of the screen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.http import HttpResponse

from pit.record.contract import Answer, Refused
from tables.condition import glance
from tables.domain import holding
from tables.domain.deadlines import deadlines
from tables.domain.offer import Offer
from tables.models import Table
from tables.reading import Reading


def json(content: Any, *, status: int = 200) -> HttpResponse:
    """A JSON answer; instants are UTC with a Z."""
    return HttpResponse(msgspec.json.encode(content), content_type="application/json", status=status)


def answer(said: Answer) -> dict[str, Any]:
    """`{"seq", "stage", "holds"}`, or `{"refused": …}` with `errors` by field when something was malformed."""
    if said.refused is not None:
        told: dict[str, Any] = {"refused": refused(said.refused)}
        return told | {"errors": dict(said.refused.fields)} if said.refused.fields else told
    return {"seq": said.seq, "stage": said.state.stage, "holds": list(said.state.holds)}


def refused(reason: Refused) -> dict[str, Any]:
    """A refusal: code, clause, what was found, and the next lawful step; `also` has the further reasons."""
    return {
        "code": reason.code,
        "clause": reason.clause,
        "cite": reason.cite,
        "message": reason.message,
        "next_step": reason.next_step,
        "also": [refused(one) for one in reason.also],
    }


def table(row: Table, found: Reading, made: Sequence[Offer], *, now: datetime) -> dict[str, Any]:
    """The whole table. Its holds are those of this moment: dice over their time are found by the clock."""
    holds = holding.at(found.state, found.rules, now=now)
    return {
        **_identity(row),
        "seq": found.seq,
        "stage": found.state.stage,
        "condition": glance(found.state, holds=holds).condition,
        "pack": found.rules.version,
        "governed": found.rules.governed,
        "state": found.state,
        "holds": list(holds),
        "alerts": list(found.state.alerts),
        "deadlines": [
            {"kind": due.kind, "due_at": due.due_at, "clause": due.clause, "overdue": due.due_at < now}
            for due in deadlines(found.state, found.rules)
        ],
        "offers": [offer(one) for one in made],
    }


def offer(one: Offer) -> dict[str, Any]:
    """One command with whether it is lawful now."""
    told: dict[str, Any] = msgspec.to_builtins(one)
    return told | {"refused": refused(one.refused) if one.refused else None}


def summary(row: Table) -> dict[str, Any]:
    """A table in a list of its pit."""
    return {
        **_identity(row),
        "seq": row.seq,
        "stage": row.stage,
        "stage_since": row.stage_since,
        "condition": row.condition,
        "round": row.round,
        "holds": row.holds,
        "alerts": row.alerts,
        "needs": row.needs,
    }


def _identity(row: Table) -> dict[str, Any]:
    return {"id": row.pk, "number": row.number, "game": row.game, "pit": row.pit_id, "seats": row.seats}
