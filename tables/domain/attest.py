"""One attestation for a run of steps: each is decided as if it were recorded alone, or nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pit.record.contract import Entry, Refused
from tables.domain import cutting, sequence, stages
from tables.domain.commands import (
    COMMANDS,
    AttestThrough,
    Command,
    PlayerArrives,
    RecordCut,
    RefuseCut,
)
from tables.domain.checks_cards import required_sources
from tables.domain.context import Context
from tables.domain.events import Event
from tables.domain.evolve import evolve
from tables.domain.state import TableState

MOST_STEPS = 60
REACHABLE = frozenset(stages.WORDS) - {
    stages.CLOSED,
    stages.CLOSING,
    stages.ACTIVE,
    stages.GAMING_CEASED,
    stages.RECUT_REQUIRED,
}
BY_PERSON = frozenset({"InspectCards", "ReceiveCards", "OpenTable", "TakeCardsAway"})
"""Never part of a run: they are signed, or open the table."""


def through(context: Context, decide: Callable[..., Sequence[Event] | Refused]) -> Sequence[Event] | Refused:
    """The events of all steps up to the stage `to`, or the refusal of the first step that does not hold."""
    command = context.command
    assert isinstance(command, AttestThrough)
    if command.to not in REACHABLE:
        return context.refuse(
            "UNKNOWN_STAGE", "pitstand", "There is no such stage to attest to.", status=422, fields={"to": "no such stage"}
        )
    state, made = context.state, list[Event]()
    for _ in range(MOST_STEPS):
        if state.stage == command.to and made:
            return made
        step = step_for(state, command, context)
        if step is None:
            return _stuck(Context(state, command, by=context.by, rules=context.rules, now=context.now))
        answer = decide(state, step, by=context.by, rules=context.rules, now=context.now)
        if isinstance(answer, Refused):
            return answer
        made.extend(answer)
        state = fold(state, answer, context)
    return _stuck(context)


def _stuck(context: Context) -> Refused:
    return context.refuse("OUT_OF_SEQUENCE", "house", "No run of steps leads there from here.")


def fold(state: TableState, events: Sequence[Event], context: Context) -> TableState:
    """The state after these events, as the door will fold them."""
    for event in events:
        clause = getattr(event, "clause", "")
        entry = Entry(
            seq=0, event=event, at=context.now, recorded_at=context.now, by=context.by, round=state.round, clause=clause
        )
        state = evolve(state, entry)
    return state


def step_for(state: TableState, command: AttestThrough, context: Context) -> Command | None:
    """The command of the next step, with what the attestation says about it."""
    row = sequence.leading(state, context.rules)
    if row is None or row.command in BY_PERSON:
        return None
    at = Context(state, command, by=context.by, rules=context.rules, now=context.now)
    if row.command == "PlayerArrives":
        return PlayerArrives(seat=command.arrival_seat) if command.arrival_seat is not None else None
    if row.command == "RecordCut":
        return _cut(state, command, context)
    fields = known_fields(row.command, at)
    if row.command == "RecordSpread" and command.face is not None:
        fields["face"] = command.face
    batch = sequence.batch_of(state, row)
    made = COMMANDS[row.command]
    if row.batch_from and "batch" in made.__struct_fields__:
        fields["batch"] = batch
    return made(**fields)


def _cut(state: TableState, command: AttestThrough, context: Context) -> Command:
    asked = cutting.asked_now(state, context.rules)
    if asked is None:
        return RecordCut(seat=None)
    if command.cut_by_dealer or (command.seat is not None and command.seat != asked.seat):
        return RefuseCut(seat=asked.seat)  # attested: those before the one who cut were asked and refused
    return RecordCut(seat=asked.seat)


def known_fields(name: str, context: Context) -> dict[str, Any]:
    """Fields of a step that follow from the table itself."""
    match name:
        case "RecordSpread":
            face = "down" if context.rules.param("idle_face") == "down" and not asked_up(context.state) else "up"
            return {"face": face, "batches_separate": len(context.state.batches) > 1}
        case "RemoveCards":
            return {"sources": tuple(sorted(required_sources(context)))}
        case _:
            return {}


def asked_up(state: TableState) -> bool:
    """Face up at an opening, and at an idle table when a player asked for it."""
    return state.idle is None or state.idle.face_up_requested


