"""The `notice` stream as the door serves it: one stream a change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pit.notices import project
from pit.notices.domain.commands import COMMANDS
from pit.notices.domain.decide import decide
from pit.notices.domain.events import EVENTS
from pit.notices.domain.evolve import evolve
from pit.notices.domain.messages import messages
from pit.notices.domain.state import ChangeState, NoticeRules
from pit.record.contract import Due, StreamKind
from pit.rules import load
from pit.rules.model import HOUSE

EFFECTIVE = "change_effective"
"""The deadline of an issued notice. `pit.notices.switch` makes it true: it concerns several streams."""


def rules(state: ChangeState, property_state: Any, at: datetime) -> NoticeRules:
    """Whether a text asks for notice here, or a house setting does, and on whose clock."""
    place = property_state.jurisdiction if property_state is not None else ""
    held = property_state.house if property_state is not None else {}
    house = {key: held.get(key, one.default) for key, one in load.house_settings().items()}
    pack = load.pack_on(place, at.date())
    clause = pack.commands["PutInForce"].clause
    return NoticeRules(
        version=pack.version,
        house=house,
        clause=clause,
        cite=pack.clauses[clause].cite if clause in pack.clauses else "House procedure",
        required=clause != HOUSE or bool(house["change_notice_required"]),
        zone=property_state.zone if property_state is not None else "UTC",
        words=pack.words,
    )


def clause_of(command: Any, event: Any, rules: NoticeRules) -> str:
    """Everything about a change stands under the clause that asks for its notice."""
    return rules.clause


def deadlines(state: ChangeState, rules: NoticeRules) -> Sequence[Due]:
    """When an issued notice takes effect."""
    if state.status != "ISSUED" or state.matter is None:
        return ()
    return (Due(kind=EFFECTIVE, due_at=state.matter.effective_at, clause=rules.clause),)


def due_command(state: ChangeState, due: Due) -> None:
    """Nothing to say: the switch itself says it, in this stream and at the tables."""


KIND = StreamKind(
    name="notice",
    state=ChangeState,
    commands=COMMANDS,
    events=EVENTS,
    initial=ChangeState,
    decide=decide,
    evolve=evolve,
    clause_of=clause_of,
    rules=rules,
    due_command=due_command,
    deadlines=deadlines,
    messages=messages,
    project=project.project,
    differs=project.differs,
)
