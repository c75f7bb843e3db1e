"""What happened to a change. Kept for ever: add versions, never edit."""

from __future__ import annotations

from datetime import datetime

import msgspec

from pit.notices.domain.state import Matter


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all events; the tag is the class name."""


class ChangeDrafted(Event, tag=True, kw_only=True):
    matter: Matter
    supersedes: str = ""


class ChangeEdited(Event, tag=True, kw_only=True):
    matter: Matter


class ChangeSigned(Event, tag=True, kw_only=True):
    """By its author."""


class ChangeApproved(Event, tag=True, kw_only=True):
    """By another person."""


class NoticeIssued(Event, tag=True, kw_only=True):
    number: str


class RecipientNotified(Event, tag=True, kw_only=True):
    """`sent_at` is what counts (A-29); that it was read or acknowledged are other times."""

    group: str
    sent_at: datetime
    who: str
    channel: str


class NoticeAcknowledged(Event, tag=True, kw_only=True):
    group: str


class ChangeTookEffect(Event, tag=True, kw_only=True):
    effective_at: datetime
    late: bool


class ChangeBlocked(Event, tag=True, kw_only=True):
    why: str


class ChangeWithdrawn(Event, tag=True, kw_only=True):
    reason: str


class ChangeSuperseded(Event, tag=True, kw_only=True):
    number: str


EVENTS: dict[str, type[Event]] = {
    one.__name__: one
    for one in (
        ChangeDrafted,
        ChangeEdited,
        ChangeSigned,
        ChangeApproved,
        NoticeIssued,
        RecipientNotified,
        NoticeAcknowledged,
        ChangeTookEffect,
        ChangeBlocked,
        ChangeWithdrawn,
        ChangeSuperseded,
    )
}
