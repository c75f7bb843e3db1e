"""A table for a case: set up, opened and brought to a stage by the decider itself, command after command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from pit.record.contract import By, Entry, Refused
from pit.rules.model import Rules
from tables.conformance.case import Malformed
from tables.domain import cutting, stages
from tables.domain.commands import COMMANDS, Command
from tables.domain.decide import decide
from tables.domain.evolve import evolve
from tables.domain.state import BatchSpec, DeviceSpec, TableState

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
DEALER = By(id=2, name="Dealer", role="dealer", badge="D2", signed=True)
MANAGER = By(id=1, name="Manager", role="table_games_shift_manager", badge="M1", signed=True, second=DEALER)
SEATS = 6
MOST_STEPS = 60


class Table:
    """One table under one set of rules. `ask` puts a command to the decider and folds what it says."""

    def __init__(
        self,
        rules: Rules,
        *,
        batches: Sequence[BatchSpec] = (),
        devices: Sequence[DeviceSpec] = (),
        deal_mode: str = "",
    ) -> None:
        self.rules = rules
        self.state = TableState()
        self.seq = 0
        mode = deal_mode or rules.game.deal_modes[0]
        decks = [one for one in rules.game.decks if mode != "hand" or one <= 2]
        self.must(
            "SetUpTable",
            number="1",
            game=rules.game.key,
            seats=SEATS,
            deal_mode=mode,
            decks=decks[-1],
            rack_decks=decks[-1],
            batches=list(batches),
            devices=list(devices),
            internal_controls_ref="IC",
        )

    def ask(self, name: str, by: By = MANAGER, **fields: Any) -> Refused | None:
        """None when the decider accepts. A field of a wrong type is refused as the door does."""
        kind = COMMANDS[name]
        known = {key: value for key, value in fields.items() if key in kind.__struct_fields__}
        try:
            command = msgspec.convert(known, kind, from_attributes=True)
        except msgspec.ValidationError as malformed:
            return Refused(code="MALFORMED", clause="pitstand", message=str(malformed), status=422)
        return self._put(command, by)

    def _put(self, command: Command, by: By) -> Refused | None:
        found = decide(self.state, command, by=by, rules=self.rules, now=NOON)
        if isinstance(found, Refused):
            return found
        for event in found:
            self.seq += 1
            entry = Entry(
                seq=self.seq,
                event=event,
                at=NOON,
                recorded_at=NOON,
                by=by,
                round=self.state.round,
                pack=self.rules.version,
            )
            self.state = evolve(self.state, entry)
        return None

    def must(self, name: str, **fields: Any) -> None:
        """A step on the way to what the case is about; that it is refused is the case's failure."""
        if refused := self.ask(name, **fields):
            raise Malformed(f"the table cannot be brought there: {name} is refused with {refused.code}")

    def bring(self, *wanted: str) -> None:
        """On to the first of these stages that is reached, by the first step that the decider accepts each time."""
        for _ in range(MOST_STEPS):
            if self.state.stage in wanted:
                return
            if not any(self.ask(name, **fields) is None for name, fields in self.steps()):
                break
        raise Malformed(
            f"the table stands at {self.state.stage} and cannot be brought to {' or '.join(wanted)}"
        )

    def steps(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Steps nearest to play first, so that nothing is done twice; but cards are only touched at an open table."""
        if not self.state.open and self.state.stage == stages.CARDS_VERIFIED:
            yield "OpenTable", {}
        for name in ("StartRound", "LoadShoe", "TakeInHand", "InsertCoverCard"):
            yield name, {}
        yield "OfferCut", {}
        asked = cutting.asked_now(self.state, self.rules) if self.state.stage in stages.STACK else None
        yield "RecordCut", {"seat": asked.seat if asked else None}
        for name in ("RemoveBatch", "CompleteShuffle", "LoadShuffler"):
            yield from ((name, {"batch": one.id}) for one in self.state.batches)
        yield "RecordShuffle", {}
        for name in ("StackCards", "RecordWash", "TurnFaceDown"):
            yield from ((name, {"batch": one.id}) for one in self.state.batches)
            yield name, {}
        yield "AffordInspection", {}
        if not self.state.players:
            yield "PlayerArrives", {"seat": 1}
        if self.state.stage in (stages.CARDS_VERIFIED, stages.IDLE_MUST_SPREAD):
            face = "up" if self.state.idle is None else (self.rules.param("idle_face") or "up")
            yield "RecordSpread", {"face": face, "batches_separate": True}
        yield "ReceiveCards", {"set_id": "CS-1"}
        yield "InspectCards", {}

    def play(self) -> None:
        """In play, a round dealt and over, the other batch shuffled and waiting in its device."""
        self.bring(stages.ACTIVE)
        self.must("EndRound")
        for one in self.state.batches:
            self.ask("LoadShuffler", batch=one.id)
            self.ask("CompleteShuffle", batch=one.id)
