"""What a device says in its own code, as the command that it gives to its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Fields = Mapping[str, Any]


class Unknown(ValueError):
    """No reading has that code."""


ROUTINE: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "CYCLE_DONE": ("CompleteShuffle", {}),
    "ROUND_DEALT": ("AdvanceRounds", {}),
    "COVER_CARD_OUT": ("RecordCoverCardOut", {"on": "unknown"}),
    "RNG_NUMBER": ("RecordRngNumber", {}),
    "LOCKED_OUT": ("RecordLockOut", {}),
    "WAGERS_ACCEPTED": ("RecordAcceptedWagers", {}),
    "BATCH_LOADED": ("LoadShuffler", {}),
    "BATCH_OUT": ("RemoveBatch", {}),
    "COUNT": ("RecordCount", {"by_device": True}),
}
"""Codes of what goes right; every other code is a fault."""
NAMES_ITS_DEVICE = frozenset({"RecordRngNumber", "RecordLockOut", "RecordAcceptedWagers", "RecordCount"})


def command_of(code: str, fields: Fields, *, device: str, cleared: bool) -> tuple[str, Fields]:
    """The command and its fields. Raises Unknown without a device."""
    if not device:
        raise Unknown(f"{code} comes from a device: device")
    if code in ROUTINE:
        command, known = ROUTINE[code]
        named = {"device": device} if command in NAMES_ITS_DEVICE else {}
        return command, {**known, **named, **fields}
    fault = {"device": device, "code": code, **fields}
    if cleared:
        return "ClearFault", {name: fault[name] for name in ("device", "code", "seat") if name in fault}
    return "ReportFault", fault
