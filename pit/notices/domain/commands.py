"""What may be asked of a change."""

from __future__ import annotations

from datetime import datetime

import msgspec

from pit.notices.domain.state import Matter


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all commands; the tag is the class name."""


class DraftChange(Command, tag=True, kw_only=True):
    """Write a change down. `supersedes`: the number of an issued notice that this one replaces."""

    matter: Matter
    supersedes: str = ""


class EditChange(Command, tag=True, kw_only=True):
    """Write it otherwise, before the notice is issued. Signatures given so far fall away."""

    matter: Matter


class SignChange(Command, tag=True, kw_only=True):
    """The author signs."""


class ApproveChange(Command, tag=True, kw_only=True):
    """Another person, a shift manager or compliance officer, signs."""


class IssueNotice(Command, tag=True, kw_only=True):
    """The notice goes out under its number, which the caller took under a lock."""

    number: str


class RecordNotified(Command, tag=True, kw_only=True):
    """A recipient group was notified: the first message to it was sent at `sent_at` over `channel` to `who`."""

    group: str
    sent_at: datetime
    who: str
    channel: str


class RecordAcknowledged(Command, tag=True, kw_only=True):
    """Somebody of a recipient group took note."""

    group: str


class TakeEffect(Command, tag=True, kw_only=True):
    """The effective time has come. `late`: an outage kept it from its time."""

    late: bool = False


class RecordBlocked(Command, tag=True, kw_only=True):
    """It could not take effect at its time: nothing switched."""

    why: str


class WithdrawChange(Command, tag=True, kw_only=True):
    """The change is given up before it took effect."""

    reason: str


class RecordSuperseded(Command, tag=True, kw_only=True):
    """Another notice took this one's place."""

    number: str


COMMANDS: dict[str, type[Command]] = {
    one.__name__: one
    for one in (
        DraftChange,
        EditChange,
        SignChange,
        ApproveChange,
        IssueNotice,
        RecordNotified,
        RecordAcknowledged,
        TakeEffect,
        RecordBlocked,
        WithdrawChange,
        RecordSuperseded,
    )
}
