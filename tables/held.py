"""What stands in the way at a table, for the sheet: holds with their window of exposure, open irregularities with what the
text states. Nothing is decided here: all of it stands in the state, the packs and the offers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from pit.rules.model import Rules
from tables import words
from tables.condition import ROUTINE
from tables.domain import irregular
from tables.domain.evolve_round import held_as
from tables.domain.integrity import Exposure
from tables.domain.offer import Offer
from tables.domain.round_facts import Irregularity
from tables.domain.rulings import Ruling
from tables.domain.state import Hold, TableState
from tables.rulebook.consequences import silent, stated

Cited = tuple[str, str]
"""A clause and where it stands."""


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A hold. `window`: its exposure in words, empty where it has none."""

    title: str
    detail: str
    clause: str
    cite: str
    paraphrase: str
    since: datetime
    blocks: str
    window: str
    people: str


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity whose ruling or steps are still to be recorded, or one that is foreseen."""

    id: int
    words: str
    since: datetime | None
    clauses: tuple[Cited, ...]
    stated: tuple[str, ...]
    silent: tuple[str, ...]
    window: str
    steps: tuple[str, ...]
    prompts: tuple[str, ...]
    needs: tuple[str, ...] = ()


BLOCKS: Mapping[str, str] = {
    "dealing": "No dealing until it is lifted",
    "other_method": "No other way of shuffling until it is lifted",
    "dice": "These dice are not used",
    "next_round": "No further round until it is lifted",
    "collecting": "That hand is not collected",
    "closing": "The table is not closed until it is lifted",
    "everything": "Nothing goes on until it is lifted",
}
NEEDS: Mapping[str, str] = {
    "floorperson": "the {floorperson}'s instruction",
    "settlement": "the settlement of the wagers",
    "choice": "the player's choice",
    "ruling": "the {floorperson}'s ruling",
}
GOOD: Mapping[str, str] = {
    "shuffle": "the last finished shuffle",
    "count": "the last right count",
    "verification": "their verification",
}


def held(holds: Sequence[Hold], rules: Rules) -> tuple[Held, ...]:
    """The holds that are not part of the ordinary way, the oldest first. An open irregularity has its own place."""
    grave = sorted(
        (one for one in holds if one.kind not in ROUTINE | {IRREGULARITY}), key=lambda one: one.since
    )
    return tuple(_held(one, rules) for one in grave)


def _held(hold: Hold, rules: Rules) -> Held:
    return Held(
        title=words.hold(hold.kind),
        detail=hold.detail,
        clause=hold.clause,
        cite=rules.cite(hold.clause) if hold.clause else "",
        paraphrase=rules.paraphrase(hold.clause),
        since=hold.since,
        blocks=BLOCKS.get(hold.blocks, ""),
        window=window(hold.exposure) if hold.exposure else "",
        people=", ".join(hold.exposure.people) if hold.exposure else "",
    )


def window(exposure: Exposure) -> str:
    """A window of exposure in words: "Exposed for 58 min and 25 rounds, since the last finished shuffle"."""
    if exposure.since is None:
        return "Exposed from the beginning: these cards were never known good at this table"
    hours, minutes = divmod(exposure.minutes, 60)
    length = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    rounds = f"{exposure.rounds} round{'' if exposure.rounds == 1 else 's'}"
    return f"Exposed for {length} and {rounds}, since {GOOD.get(exposure.by, 'they were last known good')}"


IRREGULARITY = "irregularity"
"""The kind of hold of an open irregularity."""


def open_ones(state: TableState, rules: Rules) -> tuple[Open, ...]:
    """The irregularities of a table that are still open, each with the window of its hold."""
    windows = {one.detail: one.exposure for one in state.holds if one.kind == IRREGULARITY}
    return tuple(
        _open(
            one,
            rules,
            words_=one.words,
            needs=one.needs,
            id_=one.id,
            since=one.since,
            exposure=windows.get(held_as(one)),
        )
        for one in state.irregularities
    )


def open_one(state: TableState, rules: Rules, id_: Any) -> Open | None:
    """The open irregularity that a form speaks of; None when it speaks of none."""
    return next((one for one in open_ones(state, rules) if str(one.id) == str(id_)), None)


def foreseen(kind: str, ruling: Ruling, rules: Rules) -> Open:
    """What would be recorded, before it is confirmed."""
    return _open(ruling, rules, words_=irregular.words_of(kind, ruling, rules), needs=irregular.needs(ruling))


def _open(
    one: Irregularity | Ruling,
    rules: Rules,
    *,
    words_: str,
    needs: Sequence[str],
    id_: int = 0,
    since: datetime | None = None,
    exposure: Exposure | None = None,
) -> Open:
    floorperson = rules.word("floorperson")
    return Open(
        id=id_,
        words=words_,
        since=since,
        clauses=tuple((clause, rules.cite(clause)) for clause in one.clauses),
        stated=tuple(stated(one.consequences, rules.pack.words)),
        silent=tuple(silent(one.consequences)),
        window=window(exposure) if exposure else "",
        steps=one.steps,
        prompts=one.prompts,
        needs=tuple(NEEDS.get(need, need).format(floorperson=floorperson) for need in needs),
    )


def about(offers: Sequence[Offer], id_: int) -> list[Offer]:
    """The lawful offers that answer this irregularity."""
    return [one for one in offers if one.lawful and _speaks_of(one.fields, id_)]


def _speaks_of(fields: Mapping[str, Any], id_: int) -> bool:
    return fields.get("irregularity") == id_
