"""What a check and a handler see of one decision, and how a refusal is said."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from pit.record.contract import By, Refused
from pit.rules.model import HOUSE, Game, Rules, Step
from tables.domain import sequence
from tables.domain.commands import Command
from tables.domain.state import Config, TableState
from tables.domain.wrong import Wrong

MALFORMED = frozenset(
    {
        "ONE_BATCH_AT_A_TIME",
        "SEAT_OUT_OF_RANGE",
        "COVER_SEAT_OUT_OF_RANGE",
        "NOT_AN_INTEGER",
        "OUT_OF_RANGE",
        "STACK_TOO_SMALL_FOR_ANY_CUT",
        "TOO_CLOSE_TO_TOP",
        "TOO_CLOSE_TO_BOTTOM",
        "TOO_CLOSE_TO_BACK",
        "TOO_FEW_FROM_TOP",
        "NO_CARDS_REMAIN_TO_PLACE_ON_TOP",
        "NO_VALID_POSITION",
        "NOT_IN_THE_STACK",
        "DETERMINATION_REQUIRED",
        "RECUT_OPTION_REQUIRED",
        "TIP_BOX_SIDE",
        "THREE_DICE_REQUIRED",
        "HAND_DEAL_MAX_TWO_DECKS",
        "BATCH_COLORS_MUST_DIFFER",
        "TWO_BATCHES_REQUIRED",
        "SINGLE_STACK",
        "STACK_SIZE_MUST_BE_3",
        "COUNTING_DEVICE_NOT_APPROVED",
        "NOT_A_COUNTING_SHUFFLER",
        "COUNT_OUT_OF_RANGE",
        "ARRIVAL_ORDER_REQUIRED",
        "UNKNOWN_BATCH",
        "UNKNOWN_DEVICE",
        "UNKNOWN_DICE",
        "UNKNOWN_GAME",
        "UNKNOWN_STAGE",
        "UNKNOWN_PLAYER",
        "SAME_PERSON_TWICE",
        "TEXT_REQUIRED",
        "NUMBER_OUT_OF_RANGE",
        "AT_LEAST_THREE_SHAKES",
        "DIE_FACE_OUT_OF_RANGE",
        "TOTAL_OUT_OF_RANGE",
        "ANNOUNCED_TOTAL_MISMATCH",
        "PROGRESSIVE_DEVICE_MISSING",
        "LOCKOUT_MISSING",
        "PROCEDURES_MISSING",
        "UNKNOWN_FAULT",
        "UNKNOWN_CAUSE",
    }
)
"""Codes of malformed input (422); all others that a rule gives are 409."""


class Ground:
    """A state under its rules, and what follows from both alone; shared when many commands are tried on one state."""

    def __init__(self, state: TableState, rules: Rules) -> None:
        self.state, self.rules = state, rules

    @cached_property
    def next_words(self) -> str:
        """The next lawful step as a person reads it."""
        return sequence.next_words(self.state, self.rules)


class Context:
    """One decision: where the table is, what is asked, by whom, under which rules, at which moment."""

    def __init__(self, ground: Ground, command: Command, *, by: By, now: datetime) -> None:
        self.ground, self.command, self.by, self.now = ground, command, by, now
        self.state, self.rules = ground.state, ground.rules

    @property
    def name(self) -> str:
        """Tag of the command."""
        return type(self.command).__name__

    @property
    def config(self) -> Config:
        """The set-up of the table; decisions other than SetUpTable are only made where there is one."""
        assert self.state.config is not None
        return self.state.config

    @property
    def game(self) -> Game:
        """The game of the table."""
        return self.rules.game

    def get(self, field: str, default: Any = None) -> Any:
        """A field of the command, or the default where this command has none such."""
        return getattr(self.command, field, default)

    @cached_property
    def step(self) -> Step | None:
        """The row that the command takes now; any row of it where house procedure is only recorded."""
        found = sequence.find(self.state, self.rules, self.name, self.get("batch", ""))
        if found is None and self.only_recorded:
            return sequence.anywhere(self.state, self.rules, self.name)
        return found

    @property
    def only_recorded(self) -> bool:
        """The text does not govern this step and the house does not have its order refused (A-53)."""
        if self.rules.house.get("house_procedure_binds", True):
            return False
        return not self.rules.governed or self.rules.command(self.name).not_governed

    @property
    def row(self) -> Step:
        """The row; only where `in_sequence` was among the guards."""
        assert self.step is not None
        return self.step

    @cached_property
    def batch(self) -> str:
        """Id of the batch that the command speaks of."""
        wanted = self.get("batch", "")
        return sequence.batch_of(self.state, self.step, wanted) if self.step else wanted

    def staged(self) -> dict[str, str]:
        """`stage` and `clause` of the event of this row."""
        return {"stage": sequence.lands(self.state, self.row), "clause": self.binding(self.row.clause)}

    def binding(self, clause: str) -> str:
        """The clause, or "house" where it speaks only of a table without gaming activity and this one is opening."""
        only_idle = self.rules.param("idle_only_clauses") or ()
        return HOUSE if clause in only_idle and self.state.idle is None else clause

    def refuse(
        self,
        code: str,
        clause: str,
        message: str,
        *,
        status: Literal[403, 404, 409, 422] | None = None,
        next_step: str = "",
        fields: Mapping[str, str] = {},
    ) -> Refused:
        """A refusal in the words of the place, with where the clause stands and the next lawful step."""
        bound = clause if clause == "pitstand" else self.rules.under(self.binding(clause) or HOUSE)
        return Refused(
            code=code,
            clause=bound,
            cite=self.rules.cite(bound),
            message=message,
            next_step=next_step or self.ground.next_words,
            status=status or (422 if code in MALFORMED else 409),
            fields=fields,
        )

    def wrong(self, found: Wrong | object, clause: str, message: str, *, field: str = "") -> Refused | None:
        """A calculator's answer as a refusal; None when it is a good one."""
        if not isinstance(found, Wrong) or found.code == "NOT_GOVERNED_BY_RULE":
            return None
        told = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in found.figures.items())
        text = f"{message} ({told})." if told else f"{message}."
        return self.refuse(found.code, clause, text, fields={field: text} if field else {})
