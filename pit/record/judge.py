"""What a press comes to, before anything is written: the decider's answer, folded, hashed and ready to store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from pit.record import codec
from pit.record import rules as rulebook
from pit.record.chain import Row
from pit.record.contract import (
    Answer,
    Due,
    Entry,
    Message,
    Refused,
    StreamKind,
    lacks_signature,
    refusal,
)
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


class Writing:
    """A stream being written on: entries are numbered, hashed and folded one after the other."""

    def __init__(self, press: Press, locked: Locked, kind: StreamKind, *, state: Any, rules: Any) -> None:
        self.press = press
        self.locked = locked
        self.kind = kind
        self.state = state
        self.pack = rulebook.version(rules)
        self.by = codec.as_recorded(press.by)
        self.seq = locked.seq
        self.hash = locked.hash
        self.rows: list[Row] = []
        self.entries: list[Entry] = []

    def add(self, event: Any, *, clause: str) -> None:
        """One event of the decider: folded, and written unless it only counts rounds."""
        entry = self._entry(event, clause=clause, at=self.press.moment)
        before, self.state = self.state, self.kind.evolve(self.state, entry)
        if getattr(event, "counted", False):
            _only_rounds(before, self.state, event)
            return
        self._write(entry, late=self.press.late)
        self.entries.append(entry)

    def refuse(self, event: RefusalRecorded) -> None:
        """A refusal happens now, whatever time the press spoke of; it is not folded."""
        self._write(self._entry(event, clause=event.refused.clause, at=self.press.now), late=False)

    def head(self, **changed: Any) -> Head:
        """What the stream's row becomes."""
        kept = Head(
            stream=self.locked.stream,
            seq=self.seq,
            changed_seq=self.entries[-1].seq if self.entries else self.locked.changed_seq,
            round=round_of(self.state, self.locked.round),
            hash=self.hash,
            state=self.locked.state,
            dues=self.locked.dues,
            rules_seq=self.locked.rules_seq,
        )
        return kept._replace(**changed)

    def _entry(self, event: Any, *, clause: str, at: datetime) -> Entry:
        return Entry(
            seq=self.seq + 1,
            event=event,
            at=at,
            recorded_at=self.press.now,
            by=self.by,
            round=round_of(self.state, self.locked.round),
            clause=clause,
            pack=self.pack,
        )

    def _write(self, entry: Entry, *, late: bool) -> None:
        key = self.press.key if usable_key(self.press.key) else ""
        row = codec.row_of(entry, stream=self.locked.stream, key=key, late=late, prev_hash=self.hash)
        self.seq, self.hash = row.seq, row.hash
        self.rows.append(row)


def judge(press: Press, locked: Locked, kind: StreamKind) -> Outcome:
    """The whole decision, without touching the database (but to read the property's settings when they moved)."""
    state = codec.loads(locked.state, kind.state)
    rules = _rules(locked, kind, state, at=press.now)
    command = command_of(kind, press.command)
    found = [*press.wrong, *objections(press, locked, house=rulebook.house(rules))]
    if isinstance(command, Refused):
        found.append(command)
    if found:
        bind = not press.wrong
        return refuse(press, locked, kind, state=state, refused=refusal(found), rules=rules, bind=bind)
    if press.moment != press.now:  # only now: for an absurd time there may be no rules at all
        rules = _rules(locked, kind, state, at=press.moment)
    verdict = kind.decide(state, command, by=press.by, rules=rules, now=press.moment)
    if isinstance(verdict, Refused):
        bind = not lacks_signature(verdict)
        return refuse(press, locked, kind, state=state, refused=verdict, rules=rules, bind=bind)
    return accept(press, locked, kind, state=state, events=verdict, command=command, rules=rules)


def _rules(locked: Locked, kind: StreamKind, state: Any, *, at: datetime) -> Any:
    return rulebook.in_force(
        kind, state, property_id=locked.property_id, property_hash=locked.property_hash, at=at
    )


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
    """The refusal as an entry of the chain; the state stays.

    `bind` False: the key keeps its older answer, or stays free for the same press put right.
    """
    writing = Writing(press, locked, kind, state=state, rules=rules)
    writing.refuse(
        RefusalRecorded(
            command=clean(press.name)[:64], fields=kept_fields(press), at=press.at, refused=refused
        )
    )
    return Outcome(
        press=press,
        locked=locked,
        kind=kind,
        answer=Answer(status=refused.status, seq=locked.changed_seq, state=state, refused=refused),
        head=writing.head(),
        rows=tuple(writing.rows),
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
    writing = Writing(press, locked, kind, state=state, rules=rules)
    for event in events:
        writing.add(event, clause=kind.clause_of(command, event, rules))
    head = writing.head(
        state=codec.dumps(writing.state),
        dues=codec.dues_text(kind.deadlines(writing.state, rules)),
        rules_seq=locked.property_seq or 0,
    )
    entries = tuple(writing.entries)
    return Outcome(
        press=press,
        locked=locked,
        kind=kind,
        answer=Answer(status=200, seq=head.changed_seq, state=writing.state, events=tuple(events)),
        head=head,
        rows=tuple(writing.rows),
        entries=entries,
        messages=kind.messages(writing.state, entries, rules) if entries else (),
        changed=bool(entries) or writing.state != state,
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
