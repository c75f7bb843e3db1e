"""The window of exposure: since when cards may have been wrong, and for how many rounds. Pure, no clock.

It begins where the cards were last known good (a finished shuffle, a right count, an inspection that was verified) and
ends with the finding.
"""

from __future__ import annotations

from datetime import datetime

from tables.domain.integrity import Exposure, Good, Stint
from tables.domain.state import TableState


def exposure(state: TableState, *, batch: str = "", now: datetime) -> Exposure:
    """The window of that batch; without one, of the batch in play, else of the whole set."""
    good = last_good(state, batch)
    if good is None:
        return Exposure(batch=batch or state.next_batch, until=now, people=people(state.dealers, None, now))
    return Exposure(
        batch=batch or state.next_batch,
        since=good.at,
        by=good.by,
        until=now,
        minutes=max(0, int((now - good.at).total_seconds() // 60)),
        rounds=max(0, state.round - good.round),
        people=people(state.dealers, good.at, now),
    )


def last_good(state: TableState, batch: str = "") -> Good | None:
    """When these cards were last known good; None when never at this table."""
    found = state.batch(batch or state.next_batch)
    if found is not None:
        return found.good
    known = [one.good for one in state.batches if one.good is not None]
    if known:
        return min(known, key=lambda one: one.at)
    if state.shuffled_at is not None:
        return Good(at=state.shuffled_at, round=state.shuffled_round, by="shuffle")
    held = state.card_set
    return Good(at=held.verified_at, by="verification") if held and held.verified_at else None


def people(dealers: tuple[Stint, ...], since: datetime | None, until: datetime) -> tuple[str, ...]:
    """The dealers who stood at the table in that time, in their order, each once."""
    found: dict[str, None] = {}
    for nth, one in enumerate(dealers):
        left = dealers[nth + 1].since if nth + 1 < len(dealers) else None
        if one.name and one.since <= until and (since is None or left is None or left > since):
            found[one.name] = None
    return tuple(found)
