"""Who hears of a change: outbox rows in the command's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from pit.notices.domain import events as e
from pit.notices.domain.state import RECIPIENTS, ChangeState, Matter, NoticeRules
from pit.record.contract import Entry, Message

FLOOR = ("table_games_shift_manager", "pit_manager", "floorperson")
KEEPERS = ("compliance", "table_games_shift_manager")
NOTICE = "change_notice"
"""The notification that is the notice itself: its sending is what (t) asks for."""


def messages(state: ChangeState, entries: Sequence[Entry], rules: NoticeRules) -> tuple[Message, ...]:
    """The notice to commission staff and surveillance; word to the floor; alarms to those who can act."""
    matter = state.matter
    if matter is None:
        return ()
    return tuple(found for entry in entries for found in _of(state, matter, entry, rules))


def _of(state: ChangeState, matter: Matter, entry: Entry, rules: NoticeRules) -> Iterator[Message]:
    told = summary(matter)
    number = state.number
    match entry.event:
        case e.NoticeIssued():
            body = text(state, matter, rules)
            yield _message(NOTICE, RECIPIENTS, f"Notice {number}: {told}", body, rules)
            yield _message("change_announced", FLOOR, f"From {when(matter, rules)}: {told}", body, rules)
        case e.ChangeTookEffect(late=late):
            since = f"In force since {wall(entry.at, rules)}{', later than its time' if late else ''}."
            body = f"{text(state, matter, rules)}\n{since}"
            yield _message("change_in_force", (*RECIPIENTS, *FLOOR), f"In force: {told}", body, rules)
        case e.ChangeBlocked(why=why):
            body = f"{text(state, matter, rules)}\nNothing was switched. {why}"
            yield _message("change_blocked", KEEPERS, f"Not in force: {told}", body, rules)
        case e.ChangeWithdrawn(reason=reason) if number:
            body = f"Notice {number} is withdrawn: {reason}\n{text(state, matter, rules)}"
            yield _message("change_withdrawn", RECIPIENTS, f"Notice {number} withdrawn: {told}", body, rules)


def _message(notification: str, to: tuple[str, ...], subject: str, body: str, rules: NoticeRules) -> Message:
    return Message(notification=notification, to=to, subject=subject[:200], body=body, clause=rules.clause)


def summary(matter: Matter) -> str:
    """ "Pay table, blackjack pays: 3:2 → 6:5" """
    kind = matter.matter.replace("_", " ").capitalize()
    return f"{kind}, {matter.item.replace('_', ' ')}: {matter.was or 'not stated'} → {matter.now}"


def text(state: ChangeState, matter: Matter, rules: NoticeRules) -> str:
    """The notice in words: what, from → to, where, from when, why, who signed, under which clause."""
    lines = [
        f"Notice {state.number}" + (f", in place of notice {state.supersedes}" if state.supersedes else ""),
        summary(matter),
        f"Tables: {', '.join(matter.numbers)}",
        f"Takes effect: {when(matter, rules)}",
        f"Reason: {matter.reason}" if matter.reason.strip() else "",
        f"Written by {state.author.name}, {rules.word(state.author.role)}" if state.author else "",
        f"Approved by {state.approver.name}, {rules.word(state.approver.role)}" if state.approver else "",
        rules.cite,
    ]
    return "\n".join(line for line in lines if line)


def when(matter: Matter, rules: NoticeRules) -> str:
    """The effective time on the property's clock."""
    return wall(matter.effective_at, rules)


def wall(at: datetime, rules: NoticeRules) -> str:
    """An instant on the property's clock, with the zone's name: "1 Dec 2026 07:00:00 EST"."""
    local = at.astimezone(ZoneInfo(rules.zone))
    return f"{local.day} {local:%b %Y %H:%M:%S %Z}"
