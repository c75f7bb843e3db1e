"""Plays a scenario and tells each line as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tables import words
from tables.domain import stages
from tables.held import window
from tables.play.floor import Floor
from tables.play.outcome import Outcome, differences
from tables.play.scenario import Line
from tables.rulebook.consequences import silent, stated


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A line with what became of it and where it is not as expected."""

    outcome: Outcome
    wrong: tuple[str, ...]


def play(lines: Sequence[Line], floor: Floor, *, strict: bool = False) -> Iterator[Played]:
    """Line by line. Raises scenario.Malformed for what cannot be played at all."""
    for line in lines:
        if line.place is not None:
            floor.set_up(line.table, line.place, at=line.at)
        if not line.table:
            continue
        dues = floor.says(line)
        outcome = floor.play(line, dues) if line.command else floor.look(line, dues)
        yield Played(outcome=outcome, wrong=tuple(differences(outcome, strict=strict)))


def told(played: Played) -> Iterator[str]:
    """A line for the terminal: note, what fell due, who did what, accepted or refused and why, how the table stands."""
    outcome = played.outcome
    line = outcome.line
    if line.note:
        yield f"-- {line.note}"
    for kind in outcome.dues:
        yield f"   fell due: {kind.replace('_', ' ')}"
    if line.command:
        yield f"{line.at.astimezone(line.zone):%a %H:%M:%S}  {line.table}  {_who(line)}: {line.command}{_fields(line)}"
        yield from _answer(outcome)
    yield f"   {_stands(outcome)}"
    yield from (f"   {text}" for text in _consequences(outcome))
    yield from (f"   NOT AS EXPECTED {text}" for text in played.wrong)


def _who(line: Line) -> str:
    by = line.by
    if by is None:
        return ""
    name = by.role if by.name == by.role else f"{by.role} {by.name}"
    return f"{name} with {by.second.name}" if by.second else name


def _fields(line: Line) -> str:
    if line.place is not None:
        return ""
    return "".join(f" {key}={_short(value)}" for key, value in line.fields.items())


def _short(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _answer(outcome: Outcome) -> Iterator[str]:
    refused = outcome.refused
    if refused is None:
        yield f"   accepted  {outcome.rules.cite(outcome.clause)}"
        return
    for one in (refused, *refused.also):
        yield f"   refused   {one.code}  {one.cite or one.clause}  {one.message}"
    if refused.next_step:
        yield f"             next: {refused.next_step}"


def _stands(outcome: Outcome) -> str:
    stage = outcome.state.stage
    text = f"stage {stage} ({stages.WORDS.get(stage, words.stage(stage))})"
    if outcome.state.round:
        text += f", round {outcome.state.round}"
    return f"{text}; holds: {', '.join(outcome.holds)}" if outcome.holds else text


def _consequences(outcome: Outcome) -> Iterator[str]:
    for event in outcome.events:
        if consequences := getattr(event, "consequences", None):
            yield f"the text states: {'; '.join(stated(consequences, outcome.rules.pack.words)) or 'nothing'}"
            if matters := silent(consequences):
                yield f"the text is silent on {' and '.join(matters)}"
    if (found := outcome.exposure) is not None:
        people = f"; dealers: {', '.join(found.people)}" if found.people else ""
        yield f"batch {found.batch or '–'}: {window(found)}{people}"
    if outcome.messages:
        yield f"told: {', '.join(f'{one.notification} to {_and(one.to)}' for one in outcome.messages)}"


def _and(names: Sequence[str]) -> str:
    return " and ".join(name.replace("_", " ") for name in names)
