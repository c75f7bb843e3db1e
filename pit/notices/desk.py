"""The `desk` stream, one a property: what surveillance remarks about entries, and every export that was taken.

Read-only desks act on nothing; these are entries of their own beside the ones they speak of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from pit.notices.domain.state import NoticeRules
from pit.notices.kind import rules as notice_rules
from pit.record import door, streams
from pit.record.contract import Answer, By, Due, Entry, Refused, StreamKind
from pit.record.models import Event

LONGEST = 2_000
REMARKERS = frozenset({"surveillance"})
EXPORTERS = frozenset({"commission_staff", "surveillance", "compliance", "administrator", "pit_manager"}) | {
    "table_games_shift_manager",
    "assistant_table_games_shift_manager",
}


class DeskState(msgspec.Struct, frozen=True, kw_only=True):
    """How many there are; the entries themselves are the matter."""

    remarks: int = 0
    exports: int = 0


class AddRemark(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """A remark about entry `seq` of `stream`, which stays as it is."""

    stream: str
    seq: int
    text: str


class RecordExport(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """An export was taken: its number, what it holds, and the digest by which it is known again."""

    number: str
    format: str
    selection: Mapping[str, str]
    entries: int
    digest: str


class Remarked(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    stream: str
    seq: int
    text: str


class Exported(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    number: str
    format: str
    selection: Mapping[str, str]
    entries: int
    digest: str


def decide(
    state: DeskState, command: Any, *, by: By, rules: NoticeRules, now: datetime
) -> Sequence[Any] | Refused:
    """Surveillance remarks; who reads the whole property exports."""
    allowed = REMARKERS if isinstance(command, AddRemark) else EXPORTERS
    if by.kind != "person" or by.role not in allowed:
        text = (
            "Remarks are surveillance's own." if isinstance(command, AddRemark) else "No exports from here."
        )
        return Refused(code="ROLE_NOT_PERMITTED", clause="house", message=text, status=403)
    if isinstance(command, RecordExport):
        return [Exported(**msgspec.structs.asdict(command))]
    if not command.text.strip() or len(command.text) > LONGEST:
        text = f"A remark has 1 to {LONGEST} characters."
        return Refused(code="MALFORMED", clause="pitstand", message=text, status=422, fields={"text": text})
    return [Remarked(stream=command.stream, seq=command.seq, text=command.text.strip())]


def evolve(state: DeskState, entry: Entry) -> DeskState:
    """The state after one entry."""
    match entry.event:
        case Remarked():
            return msgspec.structs.replace(state, remarks=state.remarks + 1)
        case Exported():
            return msgspec.structs.replace(state, exports=state.exports + 1)
        case _:
            return state


def rules(state: DeskState, property_state: Any, at: datetime) -> Any:
    """Those of the property's changes: they name the pack in force."""
    return notice_rules(state, property_state, at)  # type: ignore[arg-type]


def due_command(state: DeskState, due: Due) -> None:
    """A desk has no deadlines."""


KIND = StreamKind(
    name="desk",
    state=DeskState,
    commands={"AddRemark": AddRemark, "RecordExport": RecordExport},
    events={"Remarked": Remarked, "Exported": Exported},
    initial=DeskState,
    decide=decide,
    evolve=evolve,
    clause_of=lambda command, event, rules: "house",
    rules=rules,
    due_command=due_command,
)


def ask(property_id: int, command: Any, *, by: By, key: str, now: datetime) -> Answer:
    """One command to the desk of a property, which is opened with its first."""
    stream = f"desk:{property_id}"
    streams.create(stream, property_id=property_id, topic=f"property:{property_id}", by=by, now=now)
    return door.submit(command, stream=stream, by=by, key=key, now=now)


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """A remark as a page shows it beside its entry."""

    stream: str
    seq: int
    text: str
    who: str
    at: datetime


def remarks(property_id: int) -> list[Remark]:
    """Every remark at this property, the newest first."""
    rows = Event.objects.filter(stream=f"desk:{property_id}", kind="Remarked").order_by("-seq")
    return [_remark(row) for row in rows]


def _remark(row: Event) -> Remark:
    told = msgspec.json.decode(row.data, type=Remarked)
    return Remark(stream=told.stream, seq=told.seq, text=told.text, who=row.actor_name, at=row.at)
