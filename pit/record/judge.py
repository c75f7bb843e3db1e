"""What a press comes to, before anything is written: the decider's answer, folded, hashed and ready to store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pit.record import codec
from pit.record import rules as rulebook
from pit.record.chain import Row
from pit.record.contract import Answer, Due, Entry, Message, Refused, StreamKind, refusal
from pit.record.entries import RefusalRecorded
from pit.record.press import Press, clean, kept_fields, objections, usable_key
from pit.record.reading import command_of
from pit.record.rows import Head, Locked


class CountedEventChangedMore(Exception):
    """A counted event changed more than the counter of rounds: a replay could not find that again."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one press leads to. `keep_receipt` is False where the key cannot be bound to this answer."""

    press: Press
    locked: Locked
    kind: StreamKind
    answer: Answer
    head: Head
    rows: tuple[Row, ...] = ()
    entries: tuple[Entry, ...] = ()
    messages: Sequence[Message] = ()
    keep_receipt: bool = True
    changed: bool = False

    @property
    def dues_before(self) -> dict[str, Due]:
        return codec.dues_by_kind(self.locked.dues)

    @property
    def dues_after(self) -> dict[str, Due]:
        return codec.dues_by_kind(self.head.dues)


def judge(press: Press, locked: Locked, kind: StreamKind) -> Outcome:
    """The whole decision, without touching the database (but to read the property's settings when they moved)."""
    state = codec.loads(locked.state, kind.state)
    rules = rulebook.in_force(
        kind,
        state,
        property_id=locked.property_id,
        property_hash=locked.property_hash,
        at=press.moment,
    )
    found = objections(
        press,
        property_id=locked.property_id,
        topic=locked.topic,
        changed_seq=locked.changed_seq,
        house=rulebook.house(rules),
    )
    command = command_of(kind, press.command)
    if isinstance(command, Refused):
        found.append(command)
    found = [*press.wrong, *found]
    if found:
        bind = not press.wrong
        return refuse(press, locked, kind, state=state, refused=refusal(found), rules=rules, bind=bind)
    verdict = kind.decide(state, command, by=press.by, rules=rules, now=press.moment)
    if isinstance(verdict, Refused):
        return refuse(press, locked, kind, state=state, refused=verdict, rules=rules)
    return accept(press, locked, kind, state=state, events=verdict, command=command, rules=rules)


def refuse(
    press: Press,
    locked: Locked,
    kind: StreamKind,
    *,
    state: Any,
    refused: Refused,
    rules: Any = None,
    bind: bool = True,
) -> Outcome:
    """The refusal as an entry of the chain; the state stays. `bind` False: the key keeps its older answer."""
    event = RefusalRecorded(command=clean(press.name)[:64], fields=kept_fields(press), refused=refused)
    seq = locked.seq + 1
    row = _row(
        press,
        locked,
        event,
        seq=seq,
        round_=locked.round,
        clause=refused.clause,
        pack=rulebook.version(rules),
        prev_hash=locked.hash,
    )
    answer = Answer(status=refused.status, seq=locked.changed_seq, state=state, refused=refused)
    return Outcome(
        press=press,
        locked=locked,
        kind=kind,
        answer=answer,
        head=_head(locked, seq=seq, hash=row.hash),
        rows=(row,),
        keep_receipt=bind and usable_key(press.key),
    )


def accept(
    press: Press,
    locked: Locked,
    kind: StreamKind,
    *,
    state: Any,
    events: Sequence[Any],
    command: Any,
    rules: Any,
) -> Outcome:
    """The events appended and folded."""
    rows: list[Row] = []
    entries: list[Entry] = []
    seq, last_hash, pack = locked.seq, locked.hash, rulebook.version(rules)
    by = codec.as_recorded(press.by)
    before = state
    for event in events:
        entry = Entry(
            seq=seq + 1,
            event=event,
            at=press.moment,
            recorded_at=press.now,
            by=by,
            round=round_of(state, locked.round),
            clause=kind.clause_of(command, event, rules),
            pack=pack,
        )
        after = kind.evolve(state, entry)
        if getattr(event, "counted", False):
            _only_rounds(state, after, event)
        else:
            row = _row(
                press,
                locked,
                event,
                seq=entry.seq,
                round_=entry.round,
                clause=entry.clause,
                pack=pack,
                prev_hash=last_hash,
            )
            seq, last_hash = row.seq, row.hash
            rows.append(row)
            entries.append(entry)
        state = after
    text = codec.dumps(state)
    head = _head(
        locked,
        seq=seq,
        hash=last_hash,
        changed_seq=seq if rows else locked.changed_seq,
        round=round_of(state, locked.round),
        state=text,
        dues=codec.dues_text(kind.deadlines(state, rules)),
        rules_seq=locked.property_seq or 0,
    )
    return Outcome(
        press=press,
        locked=locked,
        kind=kind,
        answer=Answer(status=200, seq=head.changed_seq, state=state, events=tuple(events)),
        head=head,
        rows=tuple(rows),
        entries=tuple(entries),
        messages=kind.messages(state, entries, rules) if entries else (),
        changed=bool(rows) or state != before,
    )


def round_of(state: Any, otherwise: int) -> int:
    """The round of play a state stands at; kinds without rounds keep the stream's."""
    return int(getattr(state, "round", otherwise))


def at_round(state: Any, number: int) -> Any:
    """The state with its counter of rounds set, where it has one."""
    if getattr(state, "round", number) == number:
        return state
    return msgspec.structs.replace(state, round=number)


def _only_rounds(before: Any, after: Any, event: Any) -> None:
    if at_round(after, round_of(before, 0)) != before:
        raise CountedEventChangedMore(f"{codec.tag_of(type(event))} changed more than the round")


def _head(locked: Locked, **changed: Any) -> Head:
    kept = Head(
        stream=locked.stream,
        seq=locked.seq,
        changed_seq=locked.changed_seq,
        round=locked.round,
        hash=locked.hash,
        state=locked.state,
        dues=locked.dues,
        rules_seq=locked.rules_seq,
    )
    return kept._replace(**changed)


def _row(
    press: Press, locked: Locked, event: Any, *, seq: int, round_: int, clause: str, pack: str, prev_hash: str
) -> Row:
    return codec.row_of(
        event,
        stream=locked.stream,
        seq=seq,
        by=press.by,
        at=press.moment,
        recorded_at=press.now,
        prev_hash=prev_hash,
        round_=round_,
        clause=clause,
        pack=pack,
        key=press.key if usable_key(press.key) else "",
        late=press.late,
    )
