"""One attestation for a run of steps: each is decided as if it were recorded alone, or nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pit.record.contract import Entry, Refused
from pit.rules.model import Rules
from tables.domain import cutting, sequence, stages
from tables.domain.checks_cards import required_sources
from tables.domain.commands import (
    COMMANDS,
    AttestThrough,
    Command,
    PlayerArrives,
    RecordCut,
    RefuseCut,
)
from tables.domain.context import Context, Ground
from tables.domain.events import Event
from tables.domain.evolve import evolve
from tables.domain.state import TableState

Answer = Callable[[Context], Sequence[Event] | Refused]
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


def through(context: Context, answer: Answer) -> Sequence[Event] | Refused:
    """The events of all steps up to the stage `to`, or the refusal of the first step that does not hold."""
    command = context.command
    assert isinstance(command, AttestThrough)
    if command.to not in REACHABLE:
        return context.refuse(
            "UNKNOWN_STAGE",
            "pitstand",
            "There is no such stage to attest to.",
            status=422,
            fields={"to": "no such stage"},
        )
    made = list[Event]()
    for events, stage in _run(context, command, answer):
        if isinstance(events, Refused):
            return events
        made.extend(events)
        if stage == command.to:
            return made
    return context.refuse("OUT_OF_SEQUENCE", "house", "No run of steps leads there from here.")


def furthest(context: Context, command: AttestThrough, answer: Answer) -> tuple[str, int]:
    """The furthest stage that a run of steps reaches from here, and how many steps lead there."""
    reached, steps = context.state.stage, 0
    for events, stage in _run(context, command, answer):
        if isinstance(events, Refused):
            break
        reached, steps = stage, steps + 1
    return reached, steps


def _run(
    context: Context, command: AttestThrough, answer: Answer
) -> Iterator[tuple[Sequence[Event] | Refused, str]]:
    """Step after step as each would be decided alone: its events and the stage after it, or its refusal."""
    state, rules = context.state, context.rules
    for _ in range(MOST_STEPS):
        step = step_for(state, command, rules)
        if step is None:
            return
        found = answer(Context(Ground(state, rules), step, by=context.by, now=context.now))
        if not isinstance(found, Refused):
            state = fold(state, found, context)
        yield found, state.stage
        if isinstance(found, Refused):
            return


def fold(state: TableState, events: Sequence[Event], context: Context) -> TableState:
    """The state after these events, as the door will fold them."""
    for event in events:
        clause = getattr(event, "clause", "")
        entry = Entry(
            seq=0,
            event=event,
            at=context.now,
            recorded_at=context.now,
            by=context.by,
            round=state.round,
            clause=clause,
        )
        state = evolve(state, entry)
    return state


def step_for(state: TableState, command: AttestThrough, rules: Rules) -> Command | None:
    """The command of the next step, with what the attestation says about it."""
    row = sequence.leading(state, rules)
    if row is None or row.command in BY_PERSON:
        return None
    if row.command == "PlayerArrives":
        return PlayerArrives(seat=command.arrival_seat) if command.arrival_seat is not None else None
    if row.command == "RecordCut":
        return _cut(state, command, rules)
    fields = known_fields(row.command, state, rules)
    if row.command == "RecordSpread" and command.face is not None:
        fields["face"] = command.face
    return COMMANDS[row.command](**fields)


def _cut(state: TableState, command: AttestThrough, rules: Rules) -> Command:
    asked = cutting.asked_now(state, rules)
    if asked is None:
        return RecordCut(seat=None)
    if command.cut_by_dealer or (command.seat is not None and command.seat != asked.seat):
        return RefuseCut(seat=asked.seat)  # attested: those before the one who cut were asked and refused
    return RecordCut(seat=asked.seat)


def known_fields(name: str, state: TableState, rules: Rules) -> dict[str, Any]:
    """Fields of a step that follow from the table itself."""
    fields: dict[str, Any] = {}
    if "batch" in COMMANDS[name].__struct_fields__ and name != "StartRound":
        row = sequence.find(state, rules, name)
        if row is not None and row.batch_from:
            fields["batch"] = sequence.batch_of(state, row)
    if name == "RecordSpread":
        face = "down" if rules.param("idle_face") == "down" and not asked_up(state) else "up"
        fields |= {"face": face, "batches_separate": len(state.batches) > 1}
    if name == "RemoveCards":
        fields["sources"] = tuple(sorted(required_sources(state, rules)))
    return fields


def asked_up(state: TableState) -> bool:
    """Face up at an opening, and at an idle table when a player asked for it."""
    return state.idle is None or state.idle.face_up_requested
