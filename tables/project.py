"""Writes the table's row as pages query it, inside the door's transaction. The only writer of these columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pit.record.contract import Entry
from pit.record.rows import execute
from tables.condition import attention, glance
from tables.domain.state import TableState
from tables.models import Table


def project(stream: str, state: TableState, entries: Sequence[Entry]) -> None:
    """The projection of one table; with no entries only the counter of rounds moved."""
    columns = {"seq": entries[-1].seq, **_columns(state)} if entries else {"round": state.round}
    names = ", ".join(f"{name} = %s" for name in columns)
    values = [*map(_kept, columns.values()), int(stream.partition(":")[2])]
    execute(f"UPDATE tables_table SET {names} WHERE id = %s", values)  # noqa: S608 - names of our own


def differs(stream: str, state: TableState) -> str:
    """The columns that do not say what the state says, or "" (verify_record)."""
    columns = _columns(state)
    found = Table.objects.filter(pk=int(stream.partition(":")[2])).values(*columns).first()
    if found is None:
        return "there is no such table"
    return ", ".join(name for name, value in columns.items() if _plain(found[name]) != _plain(value))


def _kept(value: Any) -> Any:
    """As a statement takes it: a word without its enumeration, a list as JSON."""
    if isinstance(value, list | tuple):
        return msgspec.json.encode(value).decode()
    return str(value) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """As JSON has it: a column gives lists where the state has tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _columns(state: TableState) -> dict[str, Any]:
    return {
        "stage": state.stage,
        "stage_since": state.stage_since,
        "condition": glance(state).condition,
        "round": state.round,
        "holds": msgspec.to_builtins(state.holds),
        "alerts": msgspec.to_builtins(state.alerts),
        "needs": attention(state),
    }
