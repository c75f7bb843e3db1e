"""What became of a line, and where that is not what the line expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pit.record.contract import Message, Refused
from pit.rules.model import Rules
from tables.domain import holding
from tables.domain.offers import needs
from tables.domain.sequence import leading
from tables.domain.state import TableState
from tables.play.scenario import Line


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """A line played. `dues` were said by the clock before it; `clauses` stand beside the events."""

    line: Line
    state: TableState
    rules: Rules
    refused: Refused | None = None
    events: tuple[Any, ...] = ()
    clauses: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    dues: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.refused is None

    @property
    def codes(self) -> list[str]:
        """All codes of a refusal."""
        return [] if self.refused is None else [self.refused.code, *(one.code for one in self.refused.also)]

    @property
    def clause(self) -> str:
        """Under which clause it was accepted or refused."""
        if self.refused is not None:
            return self.refused.clause
        return self.clauses[-1] if self.clauses else ""

    @property
    def holds(self) -> list[str]:
        """Kinds of the holds that stand at this moment, dice over their time among them."""
        return [one.kind for one in holding.at(self.state, self.rules, now=self.line.at)]

    @property
    def exposure(self) -> Any | None:
        """The exposure window that an event of this line bears."""
        found = (getattr(event, "exposure", None) for event in self.events)
        return next((one for one in found if one is not None), None)

    @property
    def next(self) -> str:
        """The command that the procedure asks for."""
        row = leading(self.state, self.rules)
        return row.command if row else ""

    def told(self) -> dict[str, Any]:
        """Everything that a line may expect."""
        return {
            "accepted": self.accepted,
            "code": self.codes[0] if self.codes else None,
            "codes": self.codes,
            "clause": self.clause,
            "stage": self.state.stage,
            "holds": self.holds,
            "alerts": [one.kind for one in self.state.alerts],
            "events": [type(event).__name__ for event in self.events],
            "exposure": exposure_told(self.exposure),
            "messages": [one.notification for one in self.messages],
            "dues": list(self.dues),
            "next": self.next,
            "round": self.state.round,
            "needs": [one.kind for one in needs(self.state, self.rules)],
        }


def exposure_told(window: Any | None) -> Any:
    """An exposure window as plain values, None for none."""
    return None if window is None else msgspec.json.decode(msgspec.json.encode(window))


IN_ANY_ORDER = frozenset({"codes", "holds", "alerts", "messages", "dues", "needs"})


def differences(outcome: Outcome, *, strict: bool = False) -> Iterator[str]:
    """Where the outcome is not what the line expects; `strict` also says a refusal that the line did not foresee."""
    expect, told = outcome.line.expect, outcome.told()
    for key, value in expect.items():
        if not _same(key, value, told[key]):
            yield f"{key}: expected {value!r}, got {told[key]!r}"
    foreseen = {"accepted", "code", "codes"} & set(expect)
    if strict and outcome.refused is not None and not foreseen:
        yield f"refused with {outcome.refused.code}: {outcome.refused.message}"


def _same(key: str, expected: Any, got: Any) -> bool:
    if key in IN_ANY_ORDER and isinstance(expected, Sequence):
        return sorted(expected) == sorted(got)
    if key == "exposure" and isinstance(expected, Mapping):
        return isinstance(got, Mapping) and all(got.get(name) == value for name, value in expected.items())
    return bool(expected == got)
