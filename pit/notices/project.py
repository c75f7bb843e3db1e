"""Writes the change's row as pages query it, inside the door's transaction. The only writer of these columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pit.notices.domain.state import COMMISSION, SURVEILLANCE, ChangeState
from pit.notices.models import Change
from pit.record.contract import Entry


def project(stream: str, state: ChangeState, entries: Sequence[Entry]) -> None:
    """The projection of one change."""
    seq = {"seq": entries[-1].seq} if entries else {}
    Change.objects.filter(pk=_pk(stream)).update(**seq, **_columns(state))


def differs(stream: str, state: ChangeState) -> str:
    """The columns that do not say what the state says, or "" (verify_record)."""
    columns = _columns(state)
    found = Change.objects.filter(pk=_pk(stream)).values(*columns).first()
    if found is None:
        return "there is no such change"
    return ", ".join(name for name, value in columns.items() if found[name] != value)


def _pk(stream: str) -> int:
    return int(stream.partition(":")[2])


def _columns(state: ChangeState) -> dict[str, Any]:
    matter = state.matter
    return {
        "status": state.status,
        "number": state.number,
        "matter": matter.matter if matter else "",
        "item": matter.item if matter else "",
        "tables": list(matter.tables) if matter else [],
        "effective_at": matter.effective_at if matter else None,
        "issued_at": state.issued_at,
        "commission_at": state.told.get(COMMISSION),
        "surveillance_at": state.told.get(SURVEILLANCE),
        "in_force_since": state.in_force_since,
    }
