"""Everything that is asked of a change, through the door; what the streams of others say against it is found here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from pit.floor.models import Property
from pit.notices import numbers
from pit.notices.domain import commands as c
from pit.notices.domain.messages import summary
from pit.notices.domain.state import BEFORE_ISSUE, OPEN, ChangeState, Matter
from pit.notices.models import Change
from pit.notices.registry import floor
from pit.record import codec, door, streams
from pit.record.contract import Answer, By, Refused
from pit.record.models import Stream
from pit.rules.notice import KINDS

SYSTEM = By(kind="system", name="notices", role="system")


def state_of(change: Change) -> ChangeState:
    """What the change's stream says."""
    text = Stream.objects.values_list("state", flat=True).get(name=change.stream)
    found: ChangeState = codec.loads(text, ChangeState)
    return found


def draft(
    place: Property,
    command: c.DraftChange,
    *,
    by: By,
    key: str,
    now: datetime,
    wrong: Sequence[Refused] = (),
) -> tuple[Change, Answer]:
    """A new change with its stream. One that is refused stays in the Record with what was asked, and in no list."""
    against = (*wrong, *objections(place, command.matter, besides=_superseded(place, command.supersedes)))
    with transaction.atomic():
        change = Change.objects.create(property=place, created_at=now)
        streams.create(change.stream, property_id=place.pk, topic=place.stream, by=by, now=now)
        answer = door.submit(command, stream=change.stream, by=by, key=key, now=now, wrong=against)
    return change, answer


def edit(
    change: Change, matter: Matter, *, by: By, key: str, now: datetime, wrong: Sequence[Refused] = ()
) -> Answer:
    """The draft says something else. After the issue the door's own answer is the only one."""
    state = state_of(change)
    besides = {change.pk} | _superseded(change.property, state.supersedes)
    found = objections(change.property, matter, besides=besides) if state.status in BEFORE_ISSUE else []
    against = (*wrong, *found)
    return ask(change, c.EditChange(matter=matter), by=by, key=key, now=now, wrong=against)


def ask(
    change: Change,
    command: Any,
    *,
    by: By,
    key: str,
    now: datetime,
    seen: int | None = None,
    wrong: Sequence[Refused] = (),
) -> Answer:
    """One command to one change."""
    return door.submit(command, stream=change.stream, by=by, key=key, now=now, seen=seen, wrong=wrong)


def issue(
    change: Change, *, by: By, key: str, now: datetime, seen: int | None = None, wrong: Sequence[Refused] = ()
) -> Answer:
    """The notice goes out under the next number; refused, the number stays free. A superseded notice ends with it."""
    with transaction.atomic():
        state = state_of(change)
        if state.number:  # the same press again, or one too many: the door says which
            command = c.IssueNotice(number=state.number)
            return ask(change, command, by=by, key=key, now=now, seen=seen, wrong=wrong)
        other = _issued(change.property, state.supersedes)
        door.hold([change.stream, *([other.stream] if other else [])])
        what = summary(state.matter) if state.matter else ""
        taken = numbers.take(change.property, "notice", what=what, stream=change.stream, by=by.name, now=now)
        command = c.IssueNotice(number=taken.number)
        answer = ask(change, command, by=by, key=key, now=now, seen=seen, wrong=wrong)
        if answer.refused is not None:
            taken.delete()
        elif other is not None:
            command_ = c.RecordSuperseded(number=taken.number)
            ask(other, command_, by=SYSTEM, key=f"superseded:{taken.number}", now=now)
            numbers.void(other.stream, "notice", reason=f"superseded by {taken.number}", now=now)
    return answer


def withdraw(
    change: Change,
    command: c.WithdrawChange,
    *,
    by: By,
    key: str,
    now: datetime,
    seen: int | None = None,
    wrong: Sequence[Refused] = (),
) -> Answer:
    """Given up; a number that was taken stays, as void."""
    with transaction.atomic():
        answer = ask(change, command, by=by, key=key, now=now, seen=seen, wrong=wrong)
        if answer.refused is None:
            numbers.void(change.stream, "notice", reason=f"withdrawn: {command.reason}", now=now)
    return answer


def objections(place: Property, matter: Matter, *, besides: set[int]) -> list[Refused]:
    """What the tables and the other changes say against it: unknown tables, another value in force, said twice."""
    if matter.matter not in KINDS or not matter.item.strip():
        return []  # the decider says so
    here = {one.stream: one for one in floor().places(place.pk)}
    found = [
        _refused("UNKNOWN_TABLE", f"There is no {stream} here.", field="tables", status=422)
        for stream in matter.tables
        if stream not in here
    ]
    for stream in matter.tables:
        stands = here[stream].terms.get((matter.matter, matter.item), "") if stream in here else matter.was
        if stands != matter.was:
            text = (
                f"At {here[stream].number} {stands or 'nothing'} is in force, not {matter.was or 'nothing'}."
            )
            found.append(_refused("OTHER_IN_FORCE", text, field="was"))
    other = twin(place, matter, besides=besides)
    if other is not None:
        text = f"{other.number or 'A draft'} changes the same at one of these tables already."
        found.append(_refused("SAME_CHANGE_OPEN", text, step="Withdraw it, or write a notice in its place"))
    return found


def twin(place: Property, matter: Matter, *, besides: Collection[int] = ()) -> Change | None:
    """An open change of the same at one of these tables."""
    rows = Change.objects.filter(
        property=place, status__in=OPEN, matter=matter.matter, item=matter.item
    ).exclude(pk__in=besides)
    wanted = set(matter.tables)
    return next((one for one in rows if wanted.intersection(one.tables)), None)


def _issued(place: Property, number: str) -> Change | None:
    """The notice of that number that has not taken effect."""
    rows = Change.objects.filter(property=place, number=number, status__in=("ISSUED", "BLOCKED"))
    return rows.first() if number else None


def _superseded(place: Property, number: str) -> set[int]:
    other = _issued(place, number)
    return {other.pk} if other else set()


def _refused(code: str, message: str, *, field: str = "", status: Any = 409, step: str = "") -> Refused:
    fields = {field: message} if field else {}
    return Refused(code=code, clause="house", message=message, status=status, fields=fields, next_step=step)
