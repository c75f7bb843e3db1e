"""The form of a change. Nothing is judged here but the local time; the door answers for everything else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from django.http import HttpRequest

from pit.notices.domain.state import ChangeState, Matter
from pit.notices.local import instant
from pit.notices.registry import Place
from pit.record.contract import Refused

MATTERS = (
    ("pay_table", "Pay table"),
    ("procedure", "Procedure"),
    ("vigorish_percentage", "Vigorish percentage"),
    ("rake_percentage", "Rake percentage"),
)
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands in a change whose effective time could not be read; the press is refused with why."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the form brought: the change, what is wrong already, and the texts to show again."""

    matter: Matter
    wrong: tuple[Refused, ...]
    shown: dict[str, Any]


def asked(request: HttpRequest, places: Sequence[Place], *, zone: ZoneInfo) -> Asked:
    """The change that the form speaks of. From is what stands at the first of the tables; the others must have it too."""
    told = {name: request.POST.get(name, "").strip() for name in ("matter", "item", "now", "reason")}
    chosen = request.POST.getlist("tables")
    numbers = {one.stream: one.number for one in places}
    first = next((one for one in places if one.stream in chosen), None)
    was = first.terms.get((told["matter"], told["item"]), "") if first else ""
    text, fold = request.POST.get("effective_at", ""), request.POST.get("fold", "")
    at = instant(text, zone=zone, fold=fold)
    matter = Matter(
        **told,
        was=was,
        tables=tuple(chosen),
        numbers=tuple(numbers.get(one, one) for one in chosen),
        effective_at=NO_TIME if isinstance(at, Refused) else at,
    )
    shown = {**told, "tables": chosen, "effective_at": text, "fold": fold}
    return Asked(matter=matter, wrong=(at,) if isinstance(at, Refused) else (), shown=shown)


def shown(state: ChangeState, *, zone: ZoneInfo) -> dict[str, Any]:
    """A change as its form shows it."""
    matter = state.matter
    if matter is None:
        return {}
    local = matter.effective_at.astimezone(zone).replace(tzinfo=None)
    return {
        "matter": matter.matter,
        "item": matter.item,
        "now": matter.now,
        "reason": matter.reason,
        "tables": list(matter.tables),
        "effective_at": local.isoformat(timespec="minutes"),
        "fold": "",
    }
