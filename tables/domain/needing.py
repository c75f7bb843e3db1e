"""What needs somebody at a table now: the entries of *Needs you now*, most of them with their one button."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pit.rules.model import Rules
from tables.domain import attest, needing_more, sequence, stages
from tables.domain.deadlines import deadlines
from tables.domain.labels import label
from tables.domain.offer import Need
from tables.domain.state import TableState

_WAITING = frozenset({stages.SPREAD, stages.IDLE_SPREAD, stages.INSPECTED})
"""Nobody is waited for but a player, or the dealer is at work."""
_TITLES = {
    stages.CARDS_RECEIVED: "Cards to be inspected and verified",
    stages.CARDS_VERIFIED: "Table to be opened",
    stages.AWAIT_INSPECTION: "A {player} is to be given the look",
    stages.SHUFFLE_DUE: "Shuffle due",
    stages.RECUT_REQUIRED: "Recut ordered",
    stages.IDLE_MUST_CLEAR: "Dead game: all cards come out",
    stages.IDLE_MUST_SPREAD: "Dead game: cards to be spread",
    stages.REQUESTED_MUST_SPREAD: "A {player} asked: spread the cards",
    stages.REQUESTED_MUST_RESHUFFLE: "A {player} asked: shuffle the cards",
    stages.CLOSING: "Closing: the cards are to be taken away",
    stages.GAMING_CEASED: "Gaming has ceased",
}


def needs(state: TableState, rules: Rules) -> tuple[Need, ...]:
    """Steps that a stage asks for, holds, a dead game with its reminder, dice that a warning was said of, and alerts.

    Whether something is overdue is the reader's to judge, by `due_at` and the clock.
    """
    if state.config is None:
        return ()
    return (
        *_stage(state, rules),
        *_holds(state, rules),
        *needing_more.needs(state, rules, _need),
        *_dice(state, rules),
        *_idle(state, rules),
        *_alerts(state, rules),
    )


def _need(rules: Rules, *, kind: str, title: str, command: str = "", clause: str = "", **more: Any) -> Need:
    bound = rules.under(clause) if clause else ""
    rank = rules.command(command).rank if command else "floorperson"
    return Need(
        kind=kind,
        title=title[:1].upper() + title[1:],
        clause=bound,
        cite=rules.cite(bound) if bound else "",
        rank=rank,
        command=command,
        label=label(command, rules) if command else "",
        **more,
    )


def _stage(state: TableState, rules: Rules) -> Iterator[Need]:
    title = (
        "Cards to be spread"
        if state.open and state.stage == stages.CARDS_VERIFIED
        else _TITLES.get(state.stage)
    )
    if title is None or state.stage in _WAITING:
        return
    row = sequence.leading(state, rules)
    hold = next((one for one in state.holds if one.kind in ("shuffle_due", "idle_reinspection")), None)
    yield _need(
        rules,
        kind=f"stage_{state.stage.lower()}",
        title=title.format(player=rules.word("player")),
        command=row.command if row else "",
        clause=row.clause if row else (hold.clause if hold else ""),
        since=state.stage_since,
        due_at=_signatures_due(state, rules),
        blocks=hold is not None or state.stage == stages.GAMING_CEASED,
        fields=attest.known_fields(row.command, state, rules) if row else {},
    )


def _signatures_due(state: TableState, rules: Rules) -> datetime | None:
    found = (one.due_at for one in deadlines(state, rules) if one.kind == "signature_due")
    return next(found, None) if state.stage == stages.CARDS_RECEIVED else None


def _holds(state: TableState, rules: Rules) -> Iterator[Need]:
    for hold in state.holds:
        if hold.kind == "cover_or_sign":
            yield _need(
                rules,
                kind=f"cover_or_sign:{hold.detail}",
                title=f"{hold.detail}: cover it or put the sign on",
                command="CoverDevice",
                clause=hold.clause,
                since=hold.since,
                blocks=True,
                fields={"device": hold.detail},
            )
        elif hold.kind == "deck_to_be_removed":
            yield _need(
                rules,
                kind="deck_to_be_removed",
                title="Wrong count: the deck leaves the table",
                command="ReplaceDeck",
                clause=hold.clause,
                since=hold.since,
                blocks=True,
                exposure=hold.exposure,
            )


def _dice(state: TableState, rules: Rules) -> Iterator[Need]:
    over = {
        due.kind.partition(":")[2]: due
        for due in deadlines(state, rules)
        if due.kind.startswith("dice_over:")
    }
    for one in state.dice:
        due = over.get(one.id)
        if due is None or not any(alert.detail == one.id for alert in state.alerts):
            continue
        said_over = any(alert.kind == "dice_over" and alert.detail == one.id for alert in state.alerts)
        yield _need(
            rules,
            kind=f"dice:{one.id}",
            title=f"Dice {one.id}: " + ("time is up" if said_over else "to be removed in time"),
            command="RemoveDice",
            clause=due.clause,
            since=one.placed_at,
            due_at=due.due_at,
            blocks=said_over,
            fields={"set_id": one.id},
        )


def _idle(state: TableState, rules: Rules) -> Iterator[Need]:
    due = next((one for one in deadlines(state, rules) if one.kind == "idle_reminder"), None)
    if due is None:
        return
    yield _need(
        rules,
        kind="dead_game",
        title="Dead game",
        command="RecordNoGamingActivity"
        if sequence.find(state, rules, "RecordNoGamingActivity")
        else "CloseTable",
        clause=rules.command("RecordNoGamingActivity").clause,
        since=state.empty_since,
        due_at=due.due_at,
    )


def _alerts(state: TableState, rules: Rules) -> Iterator[Need]:
    for alert in state.alerts:
        if alert.kind == "card_set_life":
            yield _need(
                rules,
                kind="card_set_life",
                title="Card change is due",
                clause=alert.clause,
                since=alert.since,
            )
