"""Which sequences a table follows, which row of them a command takes, and what the next step is.

The rows are data of the pack; nothing here knows a place.
"""

from __future__ import annotations

from collections.abc import Iterator

from pit.rules.model import Rules, Step
from tables.domain import stages
from tables.domain.labels import label
from tables.domain.state import Batch, TableState

LEADING = (
    "ReceiveCards",
    "InspectCards",
    "OpenTable",
    "RemoveCards",
    "RecordSpread",
    "PlayerArrives",
    "AffordInspection",
    "CompleteShuffle",
    "RemoveBatch",
    "LoadShuffler",
    "RecordShuffle",
    "StackCards",
    "RecordWash",
    "TurnFaceDown",
    "RecordCut",
    "InsertCoverCard",
    "LoadShoe",
    "TakeInHand",
    "ContinueRound",
    "TakeCardsAway",
)
"""Commands that bring a table on, the one nearest to play first: a batch is finished before the next is begun."""
WAITED_FOR = frozenset({stages.INSPECTED, stages.LOADED, stages.SHUFFLE_DUE})
"""Where the table waits for its shuffler; elsewhere a shuffle goes on in the background."""


def has_cards(state: TableState, rules: Rules) -> bool:
    """True when cards are dealt at this table."""
    return state.config is not None and rules.game.has_cards


def tracks(state: TableState, rules: Rules) -> tuple[str, ...]:
    """The sequences this table follows now: "any", its way of shuffling, its way of dealing; or "no_cards"."""
    if state.config is None:
        return ("any",)
    if not rules.game.has_cards:
        return ("no_cards",)
    if state.refill is not None:
        return ("any", "refill")
    return ("any", shuffling(state, rules), state.config.deal_mode or "shoe")


def shuffling(state: TableState, rules: Rules) -> str:
    """By hand when there is no shuffler or it is out of order; PA (h) and A-09 need their approval."""
    device = state.shuffler
    if device is None or device.failed:
        return "manual"
    if device.kind == "counting" and rules.param("counting_device_exempt"):
        return "counting" if device.approval_ref and device.reshuffles and device.counts else "automated"
    if device.kind == "continuous" and device.approval_ref and rules.reading("A-09") == "with_approval":
        return "continuous"
    return "automated"


def rows(state: TableState, rules: Rules, command: str) -> Iterator[Step]:
    """All rows of a command on the table's sequences, its special ones before those of every table."""
    for track in reversed(tracks(state, rules)):
        yield from rules.steps_of(track, command)


def find(state: TableState, rules: Rules, command: str, batch: str = "") -> Step | None:
    """The row that this command takes now, None when it is out of sequence."""
    for step in rows(state, rules, command):
        if state.stage in step.from_ and (not step.batch_from or batch_at(state, step, batch) is not None):
            return step
    return None


def anywhere(state: TableState, rules: Rules, command: str) -> Step | None:
    """The first row of a command whatever the stage: for house procedure that is only recorded."""
    return next(rows(state, rules, command), None)


def batch_at(state: TableState, step: Step, wanted: str = "") -> Batch | None:
    """The batch that this row speaks of: the wanted one if it stands where the row begins, else the first that does.

    Of several in the shuffler the one that was shuffled before the other went in comes first (PA (g)(2)).
    """
    standing = [one for one in state.batches if one.progress in step.batch_from]
    if wanted:
        return next((one for one in standing if one.id == wanted), None)
    return standing[0] if standing else None


def batch_of(state: TableState, step: Step, wanted: str = "") -> str:
    """Id of the batch of a step: named, standing where the row begins, or the one whose stack it is."""
    if step.batch_from:
        found = batch_at(state, step, wanted)
        return found.id if found else wanted
    return wanted or state.next_batch or (state.batches[0].id if state.batches else "")


def lands(state: TableState, step: Step) -> str:
    """The stage a row leads to."""
    return state.stage if step.to == "=" else step.to


def leading(state: TableState, rules: Rules) -> Step | None:
    """The row of the one step that comes next on the way to play; None in play or when nothing is to do."""
    filling = state.refill is not None and state.stage == stages.READY
    if state.config is None or (state.stage in stages.IN_PLAY and not filling):
        return None
    if filling and state.refill is not None and not state.refill.burned:
        return find(state, rules, "RecordBurn")
    for command in LEADING:
        step = find(state, rules, command)
        if step is not None and not step.optional and _comes_next(state, rules, step):
            return step
    return None


def _comes_next(state: TableState, rules: Rules, step: Step) -> bool:
    match step.command:
        case "OpenTable":
            return not state.open and (state.stage != stages.CARDS_RECEIVED or _preshuffled(state))
        case "InspectCards":
            return not _preshuffled(state)
        case "RecordSpread":
            return state.open and state.stage not in (stages.IDLE_SPREAD, stages.AWAIT_INSPECTION)
        case "CompleteShuffle":
            return state.stage in WAITED_FOR and not _another_is_ready(state, rules)
        case "LoadShuffler":
            return state.stage not in (stages.SHUFFLE_DUE, *stages.IN_PLAY) or not _another_is_ready(
                state, rules
            )
        case "TakeCardsAway":
            return state.stage == stages.CLOSING
        case "PlayerArrives":
            return not state.players
        case _:
            return True


def _preshuffled(state: TableState) -> bool:
    return state.card_set is not None and state.card_set.preshuffled


def _another_is_ready(state: TableState, rules: Rules) -> bool:
    """A shuffled batch can be taken out now."""
    return find(state, rules, "RemoveBatch") is not None


def next_words(state: TableState, rules: Rules) -> str:
    """The next lawful step as a person reads it; empty when there is none."""
    if state.config is None:
        return label("SetUpTable", rules)
    step = leading(state, rules)
    if step is not None:
        return label(step.command, rules)
    return "Deal" if state.stage in stages.IN_PLAY else ""


def steps_left(state: TableState, rules: Rules) -> dict[str, int]:
    """Steps from each stage to a table that is ready; a stage from which no way leads there is not in it.

    Measures a correction, which may only go back.
    """
    before: dict[str, set[str]] = {}
    for track in tracks(state, rules):
        for step in rules.steps(track):
            if step.command in LEADING and not step.optional:
                for start in step.from_:
                    before.setdefault(_reaches(step, start), set()).add(start)
    left = dict.fromkeys(stages.IN_PLAY, 0)
    front, steps = set(stages.IN_PLAY), 0
    while front:
        steps += 1
        front = {start for one in front for start in before.get(one, ())} - set(left)
        left |= dict.fromkeys(front, steps)
    return left


def _reaches(step: Step, start: str) -> str:
    if step.to != "=":
        return step.to
    if step.command == "OpenTable":
        return stages.SHUFFLED if start == stages.CARDS_RECEIVED else start
    return stages.SHUFFLED if start == stages.INSPECTED and step.command == "RemoveBatch" else start
