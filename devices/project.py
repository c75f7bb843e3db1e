"""Writes the device's row as pages query it, inside the door's transaction. The only writer of these columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from devices.domain.state import DeviceState
from devices.models import Device
from pit.record.contract import Entry

COLUMNS = ("key", "kind", "serial", "maker", "model", "approval_ref", "seal", "firmware", "status", "since")


def project(stream: str, state: DeviceState, entries: Sequence[Entry]) -> None:
    """`device:<id>` as pages read it."""
    Device.objects.filter(pk=_id(stream)).update(**_columns(state))


def differs(stream: str, state: DeviceState) -> str:
    """What the row has other than the Record, in words, or ""."""
    row = Device.objects.filter(pk=_id(stream)).values(*_columns(state)).first()
    if row is None:
        return "there is no row"
    return ", ".join(name for name, value in _columns(state).items() if row[name] != value)


def _columns(state: DeviceState) -> dict[str, Any]:
    told = {name: getattr(state, name) for name in COLUMNS}
    return told | {"table_id": state.table, "open_faults": list(msgspec.to_builtins(state.faults))}


def _id(stream: str) -> int:
    return int(stream.partition(":")[2])
