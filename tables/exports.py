"""A selection of the Record as a file that proves itself: JSON, CSV or PDF, with the chain of every stream in it.

Each stream goes from its first to its last selected entry without a hole, so that a verifier (deploy/verify.py) can follow
the chain; what lies between is marked as not selected. A digest over every byte ends the file, and the Record keeps it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from xml.sax.saxutils import escape

import msgspec
from django.db.models import Max, Min, QuerySet
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from pit.record.chain import COLUMNS, Row, instant
from pit.record.export import line
from pit.record.models import Event, Stream
from pit.record.replay import rows_of
from tables import words

FORMAT = "pitstand-export-1"
MOST = 20_000
"""Entries of one file, with what lies between them."""
MARK = b',"digest":"'
CSV_MARK = "#digest,"


class TooMuch(Exception):
    """The selection holds more than MOST entries, or none."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The entries of an export in order of stream and seq; `chosen` are those that were asked for."""

    rows: tuple[Row, ...]
    chosen: frozenset[tuple[str, int]]
    heads: Mapping[str, tuple[int, str]]


def select(events: QuerySet[Event]) -> Selection:
    """Every stream of these events from the first to the last of them. Raises TooMuch."""
    spans = events.order_by().values("stream").annotate(first=Min("seq"), last=Max("seq")).order_by("stream")
    found = [(one["stream"], one["first"], one["last"]) for one in spans[: MOST + 1]]
    if not found or sum(last - first + 1 for _, first, last in found) > MOST:
        raise TooMuch(f"Choose 1 to {MOST} entries.")
    rows = [row for stream, first, last in found for row in rows_of(stream, after=first - 1, upto=last)]
    chosen = frozenset(events.order_by().values_list("stream", "seq"))
    heads = Stream.objects.filter(name__in=[stream for stream, _, _ in found])
    return Selection(
        rows=tuple(rows),
        chosen=chosen,
        heads={name: (seq, head) for name, seq, head in heads.values_list("name", "seq", "hash")},
    )


def as_json(selection: Selection, about: Mapping[str, Any]) -> tuple[bytes, str]:
    """(file, digest). One entry a line; the digest is over every byte before its own mark."""
    head = {
        "format": FORMAT,
        **about,
        "heads": {name: {"seq": seq, "hash": kept} for name, (seq, kept) in sorted(selection.heads.items())},
    }
    entries = [_entry(row, (row.stream, row.seq) in selection.chosen) for row in selection.rows]
    told = msgspec.json.encode(head)[:-1] + b',"entries":[\n' + b",\n".join(entries) + b"\n]"
    digest = sha256(told).hexdigest()
    return told + MARK + digest.encode() + b'"}\n', digest


def _entry(row: Row, selected: bool) -> bytes:
    return line(row).encode()[:-1] + (b',"selected":true}' if selected else b',"selected":false}')


def as_csv(selection: Selection, about: Mapping[str, Any]) -> tuple[bytes, str]:
    """(file, digest). Every hashed column as it is hashed, so that the same verifier reads it."""
    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\n")
    writer.writerow([*COLUMNS, "selected"])
    for row in selection.rows:
        writer.writerow([*map(_cell, row), int((row.stream, row.seq) in selection.chosen)])
    told = kept.getvalue()
    digest = sha256(told.encode()).hexdigest()
    return f"{told}{CSV_MARK}{digest}\n".encode(), digest


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return instant(value)
    return str(int(value)) if isinstance(value, bool) else str(value)


def as_pdf(selection: Selection, about: Mapping[str, Any]) -> tuple[bytes, str]:
    """(file, digest of the same selection as JSON). For reading and filing; the proof is the JSON under this digest."""
    _, digest = as_json(selection, about)
    kept = io.BytesIO()
    styles = getSampleStyleSheet()
    small = styles["BodyText"].clone("small", fontSize=7, leading=9)
    chosen = [row for row in selection.rows if (row.stream, row.seq) in selection.chosen]
    heads = [f"{name}: entry {seq}, {kept_}" for name, (seq, kept_) in sorted(selection.heads.items())]
    taken = f"{about['property']}. {len(chosen)} entries, taken {about['exported_at']} by {about['by']}."
    story = [
        Paragraph(f"Export {_safe(about['number'])}", styles["Title"]),
        Paragraph(_safe(taken), styles["BodyText"]),
        Paragraph(_safe(f"Digest of the JSON export: {digest}"), small),
        *[Paragraph(_safe(f"Head of {one}"), small) for one in heads[:60]],
        Spacer(1, 4 * mm),
        _table(chosen, small),
    ]
    SimpleDocTemplate(kept, pagesize=landscape(A4), title=f"Export {about['number']}", invariant=1).build(
        story
    )
    return kept.getvalue(), digest


def _table(rows: Sequence[Row], style: Any) -> Table:
    head = ("Happened (UTC)", "Stream", "What", "Clause", "Who", "Hash")
    cells = [[Paragraph(f"<b>{one}</b>", style) for one in head]]
    cells += [[Paragraph(_safe(text), style) for text in _texts(row)] for row in rows]
    table = Table(cells, colWidths=[34 * mm, 24 * mm, 92 * mm, 32 * mm, 40 * mm, 34 * mm], repeatRows=1)
    table.setStyle([("GRID", (0, 0), (-1, -1), 0.25, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")])
    return table


def _texts(row: Row) -> tuple[str, ...]:
    data = msgspec.json.decode(row.data)
    who = f"{row.actor_name} {row.actor_badge}".strip() or row.role
    said = words.entry(row.kind, data)
    cite = words.cite(row.clause) if row.clause else ""
    return f"{row.at:%Y-%m-%d %H:%M:%S}", f"{row.stream} {row.seq}", said, cite, who, f"{row.hash[:24]}…"


def _safe(text: Any) -> str:
    return escape(str(text).replace("→", "->").encode("latin-1", "replace").decode("latin-1"))


FORMATS = {
    "json": (as_json, "application/json"),
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "pdf": (as_pdf, "application/pdf"),
}
