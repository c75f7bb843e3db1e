"""One press as it comes to the door, and the conditions that the software itself puts to it (clause "pitstand")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Literal

import msgspec

from pit.record.codec import UNREADABLE, dumps, tag_of
from pit.record.contract import By, Refused
from pit.record.rows import Locked

CLAUSE = "pitstand"
SECRET = frozenset({"pin", "second_pin", "password", "csrfmiddlewaretoken"})
"""Fields that must never come into a record that nobody can change."""
LONGEST_KEPT = 4_000
"""Characters of a refused command's fields that are kept; beyond it only their digest."""

_KEY = re.compile(r"[0-9A-Za-z][!-~]{0,63}")
"""It begins plainly: an export is opened as a spreadsheet too, and "=…" would be a formula there."""


class Raw(msgspec.Struct, frozen=True):
    """A command as it came from outside, still to be read: its name and its fields (text as from a form, or JSON)."""

    name: str
    fields: Mapping[str, Any] = {}


class Press(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one call of the door was given."""

    stream: str
    command: Any
    by: By
    key: str
    now: datetime
    at: datetime | None = None
    seen: int | None = None
    wrong: tuple[Refused, ...] = ()
    """What the edge found before the door was asked."""

    @property
    def moment(self) -> datetime:
        """When the act took place."""
        return self.now if self.at is None else self.at

    @property
    def late(self) -> bool:
        """A person wrote it down after the fact. A deadline or a device reading has its own time by nature."""
        return self.by.kind == "person" and self.moment < self.now

    @property
    def name(self) -> str:
        return self.command.name if isinstance(self.command, Raw) else tag_of(type(self.command))

    @property
    def fields(self) -> Any:
        """The command's fields as they may be recorded."""
        if not isinstance(self.command, Raw):
            return msgspec.to_builtins(self.command)
        return {str(name): value for name, value in self.command.fields.items() if name not in SECRET}

    @property
    def fingerprint(self) -> str:
        """What makes two presses the same: who, what, and for when."""
        who = f"{self.by.kind}:{self.by.id}"
        when = self.at.isoformat() if self.at else ""
        parts = (who, when, self.name, readable(self.fields))
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def readable(fields: Any) -> str:
    """JSON text of whatever came, or its repr when JSON cannot hold it."""
    try:
        return dumps(fields)
    except UNREADABLE:
        pass
    try:
        return repr(fields)
    except (RecursionError, ValueError):  # nested without end, or a number of thousands of digits
        return f"a {type(fields).__name__} that cannot be written down"


def kept_fields(press: Press) -> Any:
    """The fields as a refusal records them: themselves, or the digest of what is too long or cannot be kept."""
    text = readable(press.fields)
    try:
        if len(text) <= LONGEST_KEPT:
            return msgspec.json.decode(dumps(press.fields))
    except UNREADABLE:
        pass
    return {"left_out": len(text), "sha256": sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}


def clean(text: str) -> str:
    """A short text from outside that UTF-8 can hold."""
    return text[:200].encode("utf-8", "replace").decode()


def usable_key(key: str) -> bool:
    """1–64 printable ASCII characters without blanks, the first a letter or digit."""
    return _KEY.fullmatch(key) is not None


def objections(press: Press, locked: Locked, *, house: Mapping[str, Any]) -> list[Refused]:
    """What stands against the press whatever the command says: key, place, time, stale view."""
    found = [
        _key(press),
        _place(press.by, property_id=locked.property_id, topic=locked.topic),
        _future(press),
        _too_late(press, house.get("late_entry_minutes")),
        _stale(press, locked.changed_seq),
    ]
    return [one for one in found if one is not None]


def own(code: str, message: str, *, status: Literal[403, 404, 409, 422] = 409, **more: Any) -> Refused:
    """A refusal by the software's own conditions."""
    return Refused(code=code, clause=CLAUSE, cite="Pitstand", message=message, status=status, **more)


def key_reused() -> Refused:
    text = "This key was used for another command."
    return own("KEY_REUSED", text, status=422, next_step="Press again.", fields={"key": text})


def _key(press: Press) -> Refused | None:
    if usable_key(press.key):
        return None
    text = (
        "An idempotency key is 1 to 64 printable characters without blanks and begins with a letter or digit."
    )
    return own("MALFORMED", text, status=422, fields={"key": text})


def _place(by: By, *, property_id: int, topic: str) -> Refused | None:
    if by.property_id is not None and by.property_id != property_id:
        return own("OTHER_PROPERTY", "This belongs to another property.", status=403)
    if by.topics is not None and topic not in by.topics:
        text = "You are on duty in another pit."
        return own("OTHER_PIT", text, status=403, next_step="Ask the floorperson of this pit.")
    return None


def _future(press: Press) -> Refused | None:
    if press.moment <= press.now:
        return None
    text = "The time given is in the future."
    return own("IN_THE_FUTURE", text, status=422, fields={"at": text})


def _too_late(press: Press, minutes: int | None) -> Refused | None:
    if not press.late or minutes is None or press.now - press.moment <= timedelta(minutes=minutes):
        return None
    text = f"A late entry is taken up to {minutes} minutes after the act."
    step = "Record it as it is now and note the time in a comment."
    return Refused(
        code="TOO_LATE_TO_ENTER", clause="house", cite="house setting", message=text, next_step=step
    )


def _stale(press: Press, changed_seq: int) -> Refused | None:
    if press.seen is None or press.seen == changed_seq:
        return None
    return own("STALE_VIEW", "The table has changed since you looked.", next_step="Look again, then press.")
