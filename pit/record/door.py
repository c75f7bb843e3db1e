"""The one door: every change of regulated state comes through `submit` and is written here and nowhere else.

Order: row lock of the stream → receipt → place, time, stale view → read the command → rules in force → decide → append
→ fold → project → deadlines → outbox → receipt → commit → after-commit hooks. A refusal is recorded too.

What the database raises (`django.db.OperationalError` when it is away) goes through untouched: the outcome is then
unknown, and a second press with the same key gives the one answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import IntegrityError, transaction

from pit.deadlines.models import Deadline
from pit.outbox.models import Message
from pit.record import codec, registry
from pit.record.contract import Answer, By, Refused
from pit.record.judge import Outcome, judge, refuse
from pit.record.press import Press, Raw, key_reused, own, usable_key
from pit.record.registry import Change
from pit.record.rows import Locked, ReceiptRow, lock, write

__all__ = ["Raw", "hold", "submit", "submit_all"]

_STREAM = re.compile(r"[a-z_]{1,32}:[A-Za-z0-9_-]{1,31}")


def submit(
    command: Any,
    *,
    stream: str,
    by: By,
    key: str,
    now: datetime,
    at: datetime | None = None,
    seen: int | None = None,
    wrong: Sequence[Refused] = (),
) -> Answer:
    """One command to one stream. The answer is an `Answer`, also for a refusal; 404 when there is no such stream.

    `wrong` is what the edge already found (a wrong PIN, a local time that does not exist): it refuses the press and is
    recorded like any other reason, and leaves the key free for the same press put right. So does a refusal for a
    signature or a second person that is missing.
    """
    press = Press(
        stream=stream, command=command, by=by, key=key, now=now, at=at, seen=seen, wrong=tuple(wrong)
    )
    return _submit([press])[0]


def submit_all(
    presses: Sequence[tuple[str, Any]],
    *,
    by: By,
    key: str,
    now: datetime,
    at: datetime | None = None,
    seen: Mapping[str, int] | None = None,
) -> tuple[Answer, ...]:
    """Commands to several streams, locked in sorted order: all of them or none. Answers in the order given.

    When one is refused nothing is changed; its refusal is recorded, and OTHER_PART_REFUSED at the streams that would
    have accepted. A stream may stand in it once: ValueError.
    """
    if len({stream for stream, _ in presses}) != len(presses):
        raise ValueError("A stream stands twice in one submit_all")
    seen = seen or {}
    answers = _submit(
        [
            Press(stream=stream, command=command, by=by, key=key, now=now, at=at, seen=seen.get(stream))
            for stream, command in presses
        ]
    )
    return tuple(answers)


def hold(streams: Iterable[str]) -> None:
    """Locks streams until the end of the caller's transaction, sorted as everywhere: for several presses in one.

    `submit` may be called within `transaction.atomic()`; what it wrote stands or falls with that, and the hooks hear of
    it after its commit. Whoever presses at more than one stream there holds them all first, or two such callers could
    wait for each other. Streams that are not there are passed over.
    """
    for stream in sorted(set(streams)):
        lock(stream, "")


def _submit(presses: Sequence[Press]) -> list[Answer]:
    for press in presses:
        _aware(press)
    try:
        return _attempt(presses)
    except IntegrityError:
        # Two presses of one key at the same instant: the other was first, and now its receipt can be read.
        return _attempt(presses)


def _attempt(presses: Sequence[Press]) -> list[Answer]:
    with transaction.atomic():
        locked = {press.stream: _lock(press) for press in sorted(presses, key=lambda press: press.stream)}
        met = [locked[press.stream] for press in presses]
        if any(row is None for row in met):
            return [_unknown(press) for press in presses]
        answers = [_receipt(press, row) for press, row in zip(presses, met, strict=True) if row]
        if all(answers):
            return [answer for answer in answers if answer]
        outcomes = [_outcome(press, row) for press, row in zip(presses, met, strict=True) if row]
        return _write(outcomes if len(outcomes) == 1 else _all_or_none(outcomes))


def _lock(press: Press) -> Locked | None:
    if not _STREAM.fullmatch(press.stream) or registry.kind_of(press.stream) is None:
        return None
    return lock(press.stream, press.key if usable_key(press.key) else "")


def _receipt(press: Press, locked: Locked) -> Answer | None:
    """The answer that this very press got before."""
    if locked.answer is None or locked.fingerprint != press.fingerprint:
        return None
    return codec.kept_answer(locked.answer, registry.must(locked.kind))


def _outcome(press: Press, locked: Locked) -> Outcome:
    kind = registry.must(locked.kind)
    if locked.answer is not None:
        state = codec.loads(locked.state, kind.state)
        return refuse(press, locked, kind, state=state, refused=key_reused(), bind=False)
    return judge(press, locked, kind)


def _all_or_none(outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """When one part is refused the others are refused with it; where one leaves the key free, all do."""
    if all(outcome.answer.refused is None for outcome in outcomes):
        return outcomes
    bind = all(outcome.keep_receipt for outcome in outcomes)
    other = own("OTHER_PART_REFUSED", "Another part of this command was refused; nothing was changed.")
    return [
        msgspec.structs.replace(outcome, keep_receipt=bind)
        if outcome.answer.refused
        else refuse(
            outcome.press,
            outcome.locked,
            outcome.kind,
            state=codec.loads(outcome.locked.state, outcome.kind.state),
            refused=other,
            bind=bind,
        )
        for outcome in outcomes
    ]


def _write(outcomes: Sequence[Outcome]) -> list[Answer]:
    changes = [_store(outcome) for outcome in outcomes]
    real = [change for change in changes if change is not None]
    if real:

        def announce() -> None:  # a function and no partial: Django 5.2 cannot name a partial that fails
            registry.announce(real)

        transaction.on_commit(announce, robust=True)
    return [outcome.answer for outcome in outcomes]


def _store(outcome: Outcome) -> Change | None:
    """Writes everything of one stream; gives the change to announce after the commit."""
    write(outcome.head, outcome.rows, _receipt_row(outcome))
    if not outcome.changed:
        return None
    locked, head = outcome.locked, outcome.head
    if locked.dues != head.dues:
        Deadline.objects.change(
            locked.stream,
            property_id=locked.property_id,
            topic=locked.topic,
            before=outcome.dues_before,
            after=outcome.dues_after,
        )
    messages = (
        Message.objects.post(
            outcome.messages,
            stream=locked.stream,
            seq=head.seq,
            property_id=locked.property_id,
            now=outcome.press.now,
        )
        if outcome.messages
        else ()
    )
    outcome.kind.project(locked.stream, outcome.answer.state, outcome.entries)
    return Change(
        stream=locked.stream,
        property_id=locked.property_id,
        topic=locked.topic,
        changed_seq=head.changed_seq,
        state=outcome.answer.state,
        entries=outcome.entries,
        messages=messages,
    )


def _receipt_row(outcome: Outcome) -> ReceiptRow | None:
    if not outcome.keep_receipt:
        return None
    press = outcome.press
    return ReceiptRow(
        stream=press.stream,
        key=press.key,
        fingerprint=press.fingerprint,
        answer=codec.keep(outcome.answer, state=outcome.head.state),
        created_at=press.now,
    )


def _unknown(press: Press) -> Answer:
    """No such stream: there is no chain to record it in, so this refusal alone leaves no entry."""
    refused = own("UNKNOWN_STREAM", f"There is no {press.stream[:64]!r} here.", status=404)
    return Answer(status=404, seq=0, state=None, refused=refused)


def _aware(press: Press) -> None:
    if any(moment.tzinfo is None for moment in (press.now, press.moment)):
        raise ValueError("`now` and `at` are instants with a zone")
