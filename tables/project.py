"""Writes the table's row as pages query it, inside the door's transaction. The only writer of these columns."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pit.record.contract import Entry
from tables.condition import attention, glance
from tables.domain.state import TableState
from tables.models import Table


def project(stream: str, state: TableState, entries: Sequence[Entry]) -> None:
    """The projection of one table; with no entries only the counter of rounds moved."""
    row = Table.objects.filter(pk=int(stream.partition(":")[2]))
    if not entries:
        row.update(round=state.round)
        return
    row.update(
        seq=entries[-1].seq,
        stage=state.stage,
        stage_since=state.stage_since,
        condition=glance(state).condition,
        round=state.round,
        holds=msgspec.to_builtins(state.holds),
        alerts=msgspec.to_builtins(state.alerts),
        needs=attention(state),
    )
