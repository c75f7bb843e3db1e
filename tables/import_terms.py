"""The terms of a [[table]]: stated where nothing stands; where something else stands the import drafts a change instead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from pit.floor.door import IMPORT
from pit.floor.importer import told
from pit.floor.source import Problem, Row
from pit.notices import service
from pit.notices.domain.commands import DraftChange
from pit.notices.domain.state import Matter
from pit.record import codec, door
from pit.record.models import Stream
from tables.domain.commands import RecordTerms
from tables.domain.state import TableState, TermSpec
from tables.models import Table
from tables.terms import in_force

AHEAD = timedelta(days=1)
"""When a drafted change would take effect; whoever signs it says when."""


def import_terms(row: Row[Any], table: Table, *, now: datetime) -> list[Problem]:
    """Makes the file's terms true, or drafts what only a notice may make true; gives what was refused."""
    wanted, stands = row.data.terms, _stands(table.stream)
    new = tuple(one for one in wanted if not stands.get((one.matter, one.item)))
    problems = _state(row, table, new, now) if new else []
    for one in wanted:
        was = stands.get((one.matter, one.item))
        if was and was != one.value:
            problems += _draft(row, table, one, was, now)
    return problems


def told_terms(wanted: Sequence[TermSpec], stream: str) -> str:
    """What the plan shows of it."""
    stands = _stands(stream) if wanted else {}
    differ = [one for one in wanted if stands.get((one.matter, one.item), "") != one.value]
    return ", ".join(
        f"{one.item} {stands.get((one.matter, one.item)) or 'not stated'} → {one.value}"
        + (" (a change is drafted)" if stands.get((one.matter, one.item)) else "")
        for one in differ
    )


def _stands(stream: str) -> dict[tuple[str, str], str]:
    text = Stream.objects.filter(name=stream).values_list("state", flat=True).first()
    return in_force(codec.loads(text, TableState)) if text else {}


def _state(row: Row[Any], table: Table, terms: tuple[TermSpec, ...], now: datetime) -> list[Problem]:
    command = RecordTerms(terms=terms)
    answer = door.submit(command, stream=table.stream, by=IMPORT, key=uuid4().hex, now=now)
    if answer.refused is None:
        return []
    return [row.problem("terms", text) for _, text in told(answer.refused, "terms")]


def _draft(row: Row[Any], table: Table, term: TermSpec, was: str, now: datetime) -> list[Problem]:
    matter = Matter(
        matter=term.matter,
        item=term.item,
        was=was,
        now=term.value,
        tables=(table.stream,),
        numbers=(table.number,),
        effective_at=now + AHEAD,
        reason="From the floor file",
    )
    if service.twin(table.property, matter) is not None:
        return []  # the same file once more
    _, answer = service.draft(table.property, DraftChange(matter=matter), by=IMPORT, key=uuid4().hex, now=now)
    if answer.refused is None:
        return []
    return [row.problem("terms", text) for _, text in told(answer.refused, "terms")]
