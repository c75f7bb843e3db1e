"""Folds the entries of a change into its state."""

from __future__ import annotations

from msgspec.structs import replace

from pit.notices.domain import events as e
from pit.notices.domain.state import ChangeState, Signature
from pit.record.contract import Entry


def evolve(state: ChangeState, entry: Entry) -> ChangeState:
    """The state after one entry; an event of a later software version changes nothing here."""
    match entry.event:
        case e.ChangeDrafted(matter=matter, supersedes=supersedes):
            return replace(
                state,
                status="DRAFT",
                matter=matter,
                version=1,
                supersedes=supersedes,
                drafted_by=entry.by.name,
            )
        case e.ChangeEdited(matter=matter):
            return replace(
                state, status="DRAFT", matter=matter, version=state.version + 1, author=None, approver=None
            )
        case e.ChangeSigned():
            return replace(state, status="SIGNED", author=_signature(entry))
        case e.ChangeApproved():
            return replace(state, status="APPROVED", approver=_signature(entry))
        case e.NoticeIssued(number=number):
            return replace(state, status="ISSUED", number=number, issued_at=entry.at)
        case _:
            return _after_issue(state, entry)


def _after_issue(state: ChangeState, entry: Entry) -> ChangeState:
    match entry.event:
        case e.RecipientNotified(group=group, sent_at=sent_at):
            return replace(state, told={**state.told, group: sent_at})
        case e.NoticeAcknowledged(group=group):
            return replace(state, acknowledged={group: entry.at, **state.acknowledged})
        case e.ChangeTookEffect(late=late):
            return replace(state, status="EFFECTIVE", in_force_since=entry.at, late=late)
        case e.ChangeBlocked(why=why):
            return replace(state, status="BLOCKED", why=why)
        case e.ChangeWithdrawn(reason=reason):
            return replace(state, status="WITHDRAWN", why=reason)
        case e.ChangeSuperseded(number=number):
            return replace(state, status="SUPERSEDED", why=number)
        case _:
            return state


def _signature(entry: Entry) -> Signature:
    return Signature(id=entry.by.id, name=entry.by.name, role=entry.by.role, at=entry.at)
