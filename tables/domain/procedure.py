"""The procedure of a table as a track: what is done, where it stands, what is left."""

from __future__ import annotations

from pit.rules.model import Rules, Step
from tables.domain import sequence, stages
from tables.domain.offer import TrackStep
from tables.domain.state import TableState

_CHAINS: dict[str, tuple[str, ...]] = {
    "opening": (
        stages.CLOSED,
        stages.CARDS_RECEIVED,
        stages.CARDS_VERIFIED,
        stages.SPREAD,
        stages.AWAIT_INSPECTION,
    ),
    "idle": (stages.IDLE_MUST_CLEAR, stages.IDLE_MUST_SPREAD, stages.IDLE_SPREAD, stages.AWAIT_INSPECTION),
    "reshuffle": (stages.SHUFFLE_DUE,),
    "requested": (stages.REQUESTED_MUST_SPREAD, stages.REQUESTED_MUST_RESHUFFLE),
}
_LATER = (
    stages.INSPECTED,
    stages.FACE_DOWN,
    stages.WASHED,
    stages.STACKED,
    stages.LOADED,
    stages.SHUFFLED,
    stages.CUT,
    stages.COVERED,
    stages.READY,
)


def track(state: TableState, rules: Rules) -> tuple[TrackStep, ...]:
    """The stages of this table's own way to play in order; empty for a game without cards."""
    if not sequence.has_cards(state, rules):
        return ()
    path = _path(state, rules)
    here = _where(state.stage)
    at = path.index(here) if here in path else len(path) - 1
    return tuple(_step(state, rules, stage, nth, at) for nth, stage in enumerate(path))


def _where(stage: str) -> str:
    """Where the track shows a stage that only accompanies another."""
    return {
        stages.CUT_OFFERED: stages.SHUFFLED,
        stages.RECUT_REQUIRED: stages.SHUFFLED,
        stages.ACTIVE: stages.READY,
        stages.IDLE_NO_SPREAD_DUTY: stages.READY,
    }.get(stage, stage)


def _path(state: TableState, rules: Rules) -> list[str]:
    chain = _chain(state)
    landed = {
        step.to
        for name in sequence.tracks(state, rules)
        for step in rules.steps(name)
        if step.command in sequence.LEADING and not step.optional
    }
    looked = chain in ("opening", "idle")
    later = [
        one
        for one in _LATER
        if (one in landed or one == stages.SHUFFLED)
        and (looked or _LATER.index(one) >= _LATER.index(stages.SHUFFLED))
    ]
    if sequence.shuffling(state, rules) in ("continuous", "counting"):
        later = [one for one in later if one not in (stages.SHUFFLED, stages.CUT, stages.COVERED)]
    path = [*_CHAINS[chain], *later]
    return path if _where(state.stage) in path else [_where(state.stage), *path]


def _chain(state: TableState) -> str:
    if state.stage in _CHAINS["requested"]:
        return "requested"
    if state.idle is not None:
        return "idle"
    return "opening" if state.shuffled_at is None or state.shuffle_cause == "game_beginning" else "reshuffle"


def _step(state: TableState, rules: Rules, stage: str, nth: int, at: int) -> TrackStep:
    row = _row_to(state, rules, stage)
    clause = rules.under(row.clause) if row else ""
    return TrackStep(
        stage=stage,
        words=stages.WORDS[stage],
        state="done" if nth < at else "current" if nth == at else "left",
        command=row.command if row else "",
        clause=clause,
        cite=rules.cite(clause) if clause else "",
    )


def _row_to(state: TableState, rules: Rules, stage: str) -> Step | None:
    for name in reversed(sequence.tracks(state, rules)):
        for step in rules.steps(name):
            if step.to == stage and step.command in sequence.LEADING:
                return step
    return None
