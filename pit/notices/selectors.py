"""What pages read about changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import QuerySet

from pit.notices.domain.messages import NOTICE
from pit.notices.domain.state import OPEN, RECIPIENTS, ChangeState, Signature
from pit.notices.models import Change, Status
from pit.outbox.models import Attempt, Delivery, Message
from pit.outbox.selectors import told
from pit.record.models import Event


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one message to one recipient over one channel, in words; each of its times apart."""

    subject: str
    group: str
    who: str
    channel: str
    word: str
    state: str
    why: str
    sent_at: datetime | None
    delivered_at: datetime | None
    read_at: datetime | None
    acknowledged_at: datetime | None
    next_try_at: datetime | None
    attempts: int


def changes(property_id: int | None) -> QuerySet[Change]:
    """The changes of a property that were ever accepted, the newest first."""
    rows = Change.objects.exclude(status=Status.NEW).select_related("property")
    return rows if property_id is None else rows.filter(property_id=property_id)


def open_changes(property_id: int) -> list[Change]:
    """What may still take effect, the nearest first."""
    return list(changes(property_id).filter(status__in=OPEN).order_by("effective_at", "pk"))


def told_of(change: Change) -> list[Told]:
    """Every message that this change caused, one row a recipient and channel."""
    return [_told(one) for one in told(change.stream)]


def _told(one: Delivery) -> Told:
    word = one.get_status_display()
    if one.acknowledged_at:
        word = "Acknowledged"
    elif one.read_at:
        word = "Read"
    elif one.channel == "slip" and one.sent_at is None:
        word = "To be printed and handed over"
    return Told(
        subject=one.message.subject,
        group=one.group,
        who=one.recipient,
        channel=one.get_channel_display(),
        word=word,
        state=one.status,
        why=one.error,
        sent_at=one.sent_at,
        delivered_at=one.delivered_at,
        read_at=one.read_at,
        acknowledged_at=one.acknowledged_at,
        next_try_at=one.next_try_at if one.status in ("pending", "uncertain") else None,
        attempts=one.attempts,
    )


def tries(change: Change) -> QuerySet[Attempt]:
    """Every attempt to send something about this change outside."""
    rows = Attempt.objects.filter(delivery__message__stream=change.stream)
    return rows.select_related("delivery__message", "delivery__staff").order_by("began_at", "pk")


def strip(property_id: int) -> list[dict[str, Any]]:
    """The notices strip of the board: issued notices and how far their telling is, the nearest first."""
    rows = list(
        Change.objects.filter(property_id=property_id, status__in=("ISSUED", "BLOCKED")).order_by(
            "effective_at"
        )
    )
    states: dict[str, list[str]] = {}
    sent = Delivery.objects.filter(
        message__stream__in=[one.stream for one in rows], message__notification=NOTICE
    )
    for stream, status in sent.values_list("message__stream", "status"):
        states.setdefault(stream, []).append(status)
    return [{"change": one, "word": word_of(states.get(one.stream, []), one)} for one in rows]


def word_of(statuses: Sequence[str], change: Change) -> str:
    """How far a notice has come, in one word for a strip."""
    if change.status == "BLOCKED":
        return "did not take effect"
    if change.commission_at and change.surveillance_at:
        return "both notified"
    for status, word in (("uncertain", "uncertain"), ("failed", "not delivered"), ("sending", "sending")):
        if status in statuses:
            return word
    return "pending"


def steps(state: ChangeState) -> list[dict[str, Any]]:
    """The way of a change as the page draws it: each step with who and when, done or not."""
    told_at = [state.told.get(group) for group in RECIPIENTS]
    late = "late" if state.late else ""
    rows: list[tuple[str, bool, str, datetime | None]] = [
        ("Drafted", True, state.drafted_by, None),
        _signed("Signed", state.author),
        _signed("Approved", state.approver),
        ("Notice issued", bool(state.number), state.number, state.issued_at),
        ("Commission notified", bool(told_at[0]), "", told_at[0]),
        ("Surveillance notified", bool(told_at[1]), "", told_at[1]),
        ("In force", state.status == "EFFECTIVE", late, state.in_force_since),
    ]
    return [{"word": word, "done": done, "who": who, "at": at} for word, done, who, at in rows]


def _signed(word: str, signature: Signature | None) -> tuple[str, bool, str, datetime | None]:
    return (
        word,
        signature is not None,
        signature.name if signature else "",
        signature.at if signature else None,
    )


def history(change: Change) -> QuerySet[Event]:
    """The change's own entries, refusals too."""
    return Event.objects.filter(stream=change.stream).order_by("seq")


def caused(change: Change) -> QuerySet[Message]:
    """The messages that this change caused."""
    return Message.objects.filter(stream=change.stream).order_by("created_at")
