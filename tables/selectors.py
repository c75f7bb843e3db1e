"""What pages read about tables. Queries only; what it means is said by the domain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
from django.db.models import Count, Q

from pit.deadlines.models import Deadline
from pit.floor.models import Pit
from tables.models import Condition, Table


def tabs(property_id: int) -> Sequence[Pit]:
    """The pits of a property in order, the property joined, with `attention`, `on_hold`, `open` and `total` counted."""
    counted = Pit.objects.filter(property_id=property_id).select_related("property").order_by("number")
    return list(
        counted.annotate(
            total=Count("tables"),
            open=Count("tables", filter=~Q(tables__condition=Condition.CLOSED)),
            attention=Count("tables", filter=Q(tables__needs__gt=0)),
            on_hold=Count("tables", filter=Q(tables__condition=Condition.HOLD)),
        )
    )


def by_pit(property_id: int) -> dict[int, list[Table]]:
    """Every table of a property, grouped by pit, in order of number: one query."""
    groups: dict[int, list[Table]] = {}
    for table in sorted(Table.objects.filter(property_id=property_id), key=natural):
        groups.setdefault(table.pit_id, []).append(table)
    return groups


def natural(table: Table) -> tuple[int, int, str]:
    """Pit, then the number within the name: BJ-02 before 3CP-10."""
    digits = re.findall(r"\d+", table.number)
    return table.pit_id, int(digits[-1]) if digits else 0, table.number


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What the overview says in digits. Overdue is a fact of the clock, so it is counted when one looks."""

    total: int
    open: int
    on_hold: int
    due_soon: int
    overdue: int
    preparing: int


SOON = timedelta(minutes=10)


def figures(tables: Mapping[int, Sequence[Table]], *, property_id: int, now: datetime) -> Figures:
    """Counts over the tables of a property. A warning is no deadline: what it warns of is."""
    every = [table for group in tables.values() for table in group]
    stored = Deadline.objects.filter(property_id=property_id).exclude(kind__startswith="dice_warning")
    dues = list(stored.values_list("due_at", flat=True))
    return Figures(
        total=len(every),
        open=sum(table.condition != Condition.CLOSED for table in every),
        on_hold=sum(table.condition == Condition.HOLD for table in every),
        due_soon=sum(now <= due <= now + SOON for due in dues),
        overdue=sum(due < now for due in dues),
        preparing=sum(table.condition == Condition.PREPARING for table in every),
    )
