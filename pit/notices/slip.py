"""The notice on paper: a numbered slip with signature lines, and the record that it was handed over."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from reportlab.lib.pagesizes import A5
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from pit.notices import told
from pit.notices.domain.messages import NOTICE, summary
from pit.notices.domain.state import RECIPIENTS, ChangeState
from pit.notices.models import Change
from pit.outbox.models import Channel, Delivery, Message, Status
from pit.record.contract import Refused
from pit.record.models import Stream

MARGIN = 14 * mm
LINES = ("Handed over by", "Onsite commission staff", "Surveillance")


def pdf(change: Change, state: ChangeState, *, now: datetime, by: str) -> bytes:
    """One page A5: number, from → to, tables, effective time, who signed, three lines to sign, the head of the chain."""
    kept = io.BytesIO()
    canvas = Canvas(kept, pagesize=A5, invariant=True)
    canvas.setTitle(f"Change notice {state.number}")
    y = _head(canvas, change, state)
    for label, text in _rows(change, state):
        y = _row(canvas, y, label, text)
    _signatures(canvas)
    _foot(canvas, change, now=now, by=by)
    canvas.save()
    return kept.getvalue()


def _head(canvas: Canvas, change: Change, state: ChangeState) -> float:
    y = float(A5[1]) - 20 * mm
    canvas.setFont("Helvetica-Bold", 17)
    canvas.drawString(MARGIN, y, f"Change notice {state.number}")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(MARGIN, y - 6 * mm, _latin(change.property.name))
    return y - 16 * mm


def _rows(change: Change, state: ChangeState) -> list[tuple[str, str]]:
    matter = state.matter
    assert matter is not None
    zone = ZoneInfo(change.property.zone)
    rows = [
        ("Change", summary(matter)),
        ("Tables", ", ".join(matter.numbers)),
        ("Takes effect", _wall(matter.effective_at, zone)),
        ("Issued", _wall(state.issued_at, zone)),
        ("Reason", matter.reason),
        ("In place of", state.supersedes),
        ("Written by", _who(state.author, zone)),
        ("Approved by", _who(state.approver, zone)),
    ]
    return [(label, text) for label, text in rows if text]


def _who(signature: Any, zone: ZoneInfo) -> str:
    return f"{signature.name}, {_wall(signature.at, zone)}" if signature else ""


def _wall(at: datetime | None, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}" if at else ""


def _row(canvas: Canvas, y: float, label: str, text: str) -> float:
    canvas.setFont("Helvetica", 8)
    canvas.drawString(MARGIN, y, label)
    canvas.setFont("Helvetica", 10)
    for line in wrapped(_latin(text), width=float(A5[0]) - 2 * MARGIN - 26 * mm):
        canvas.drawString(MARGIN + 26 * mm, y, line)
        y -= 4.6 * mm
    return y - 1.6 * mm


def wrapped(text: str, *, width: float, size: int = 10) -> list[str]:
    """Lines that are no wider than `width` points; a word that is wider is broken."""
    lines, line = [], ""
    for word in text.split():
        while stringWidth(word, "Helvetica", size) > width:
            cut = next(
                n for n in range(len(word), 0, -1) if stringWidth(word[:n], "Helvetica", size) <= width
            )
            lines, line, word = [*lines, *([line] if line else []), word[:cut]], "", word[cut:]
        longer = f"{line} {word}".strip()
        if stringWidth(longer, "Helvetica", size) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def _signatures(canvas: Canvas) -> None:
    y = 52 * mm
    canvas.setFont("Helvetica", 8)
    for label in LINES:
        canvas.line(MARGIN, y, float(A5[0]) - MARGIN, y)
        canvas.drawString(MARGIN, y - 3.4 * mm, f"{label}: name, signature, date and time")
        y -= 13 * mm


def _foot(canvas: Canvas, change: Change, *, now: datetime, by: str) -> None:
    head = Stream.objects.get(name=change.stream)
    canvas.setFont("Helvetica", 6.5)
    printed = f"Printed {now:%Y-%m-%d %H:%M:%S} UTC by {_latin(by)}. Record {head.name}, entry {head.seq}:"
    canvas.drawString(MARGIN, 10 * mm, printed)
    canvas.drawString(MARGIN, 7 * mm, head.hash)


def _latin(text: str) -> str:
    """What the built-in fonts can show; an arrow becomes "->"."""
    return text.replace("→", "->").encode("latin-1", "replace").decode("latin-1")


def hand_over(change: Change, *, group: str, who: str, by: str, now: datetime) -> Refused | None:
    """The slip was handed to `who` of a recipient group: a delivery of its own, sent and delivered now."""
    if group not in RECIPIENTS or not who:
        text = "Say to whom it was handed over, and for which recipient."
        return Refused(code="MALFORMED", clause="pitstand", message=text, status=422, fields={"who": text})
    message = Message.objects.filter(stream=change.stream, notification=NOTICE).first()
    if message is None:
        return Refused(code="NOT_ISSUED", clause="pitstand", message="The notice is not out yet.", status=409)
    waiting = message.deliveries.filter(group=group, channel=Channel.SLIP, sent_at=None).first()
    one = waiting or Delivery(message=message, group=group, channel=Channel.SLIP)
    one.name, one.status, one.sent_at, one.delivered_at = (
        f"{who} (from {by})"[:120],
        Status.DELIVERED,
        now,
        now,
    )
    one.save()
    told.reconcile(change, now=now)
    return None
