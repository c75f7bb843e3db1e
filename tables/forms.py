"""One press as it comes over HTTP, form or JSON, taken apart: the command's own fields and what belongs to the door.

Nothing is judged here but the local time, which only the edge can turn into an instant. Whatever cannot be read becomes a
refusal that the door records like any other.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from django.http import HttpRequest, QueryDict

from pit.record.contract import Refused
from tables.domain import dice
from tables.domain.offer import Ask
from tables.domain.wrong import Wrong

DOOR = frozenset({"key", "seen", "at", "fold", "pin", "second_badge", "second_pin"})
"""Fields of the press, not of the command."""
PAGE = frozenset({"csrfmiddlewaretoken", "from"})
"""Fields of the page, dropped."""

DEEPEST = 4
"""Levels of "a.b.c" in a form; a name with more is a name like any other."""

LOCAL_TIME = {
    "NONEXISTENT_LOCAL_TIME": "The clocks went forward over this time: it does not exist on that night.",
    "AMBIGUOUS_LOCAL_TIME": "The clocks went back: this time came twice that night. Say which: the first or the second.",
    "NOT_AN_INTEGER": "First or second pass is told by 0 or 1.",
    "OUT_OF_RANGE": "This time is beyond the calendar.",
    "MALFORMED": "This is no time of day.",
}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One press. `wrong` holds what the edge itself found; `at` is an instant, None for now."""

    fields: Mapping[str, Any]
    key: str
    seen: int | None = None
    at: datetime | None = None
    pin: str = ""
    second_badge: str = ""
    second_pin: str = ""
    wrong: tuple[Refused, ...] = ()


def asked(request: HttpRequest, *, zone: ZoneInfo, now: datetime) -> Asked:
    """The press in this request, form or JSON."""
    given, wrong = _given(request)
    at, wrong_at = _instant(given.get("at"), given.get("fold"), zone=zone, now=now)
    seen, wrong_seen = _whole(given.get("seen"), "seen")
    key = request.headers.get("Idempotency-Key") or _text(given.get("key"))
    return Asked(
        fields={name: value for name, value in given.items() if name not in DOOR | PAGE},
        key=key or uuid.uuid4().hex,
        seen=seen,
        at=at,
        pin=_text(given.get("pin")),
        second_badge=_text(given.get("second_badge")),
        second_pin=_text(given.get("second_pin")),
        wrong=(*wrong, *_no_key(request, key), *wrong_at, *wrong_seen),
    )


def _given(request: HttpRequest) -> tuple[dict[str, Any], tuple[Refused, ...]]:
    if request.content_type != "application/json":
        return from_form(request.POST), ()
    try:
        body = msgspec.json.decode(request.body or b"{}")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}, (_malformed("", "The body is not JSON."),)
    if not isinstance(body, dict):
        return {}, (_malformed("", "The body is not a JSON object."),)
    return {str(name): value for name, value in body.items()}, ()


def _no_key(request: HttpRequest, key: str) -> tuple[Refused, ...]:
    """A program sends again what got no answer: without a key that would be recorded twice. A page's form has one."""
    if key or request.content_type != "application/json":
        return ()
    return (_malformed("key", "Send a key of your own with every press: it may then be sent again safely."),)


def from_form(post: QueryDict) -> dict[str, Any]:
    """A form's fields: what is left empty is not given, "name[]" is a list, "a.b" is field b of a."""
    fields: dict[str, Any] = {}
    for name, values in post.lists():
        plain, place = name.removesuffix("[]"), fields
        told = [value.strip() for value in values if value.strip()]
        if not told:
            continue
        *outer, last = plain.split(".") if plain.count(".") <= DEEPEST else [plain]
        for part in outer:
            inner = place.setdefault(part, {})
            place = inner if isinstance(inner, dict) else {}
        place[last] = told if name.endswith("[]") else told[-1]
    return fields


def _instant(
    given: Any, fold: Any, *, zone: ZoneInfo, now: datetime
) -> tuple[datetime | None, tuple[Refused, ...]]:
    """`at` as an instant: "2026-11-01T01:30" and "01:30" are local at the property, with an offset it is one already."""
    if given in (None, ""):
        return None, ()
    try:
        local = _local(_text(given), zone=zone, now=now)
    except ValueError:
        return None, (_malformed("at", LOCAL_TIME["MALFORMED"]),)
    found = dice.instant(local, zone=zone, fold=_fold(fold))
    if isinstance(found, Wrong):
        return None, (_no_such_time(found.code),)
    return found, ()


def _local(text: str, *, zone: ZoneInfo, now: datetime) -> datetime:
    """A time of day alone is today's at the property, or yesterday's when today's is still to come."""
    if len(text) > 8 or ":" not in text:
        return datetime.fromisoformat(text)
    here = now.astimezone(zone).replace(tzinfo=None)
    clock = time.fromisoformat(text)
    if clock.tzinfo is not None:
        raise ValueError("a time of day is local at the property")
    told = datetime.combine(here.date(), clock)
    return told if told <= here else told - timedelta(days=1)


def _fold(fold: Any) -> Any:
    if fold in (None, ""):
        return None
    try:
        return int(fold) if isinstance(fold, str) else fold
    except ValueError:
        return fold


def _whole(given: Any, name: str) -> tuple[int | None, tuple[Refused, ...]]:
    if given in (None, ""):
        return None, ()
    try:
        return msgspec.convert(given, int, strict=False), ()
    except msgspec.ValidationError:
        return None, (_malformed(name, "This is no whole number."),)


def _text(given: Any) -> str:
    return given if isinstance(given, str) else "" if given is None else str(given)


def _no_such_time(code: str) -> Refused:
    words = LOCAL_TIME.get(code, LOCAL_TIME["MALFORMED"])
    step = (
        "Give the time again with first or second pass."
        if code == "AMBIGUOUS_LOCAL_TIME"
        else "Give another time."
    )
    return Refused(
        code=code,
        clause="pitstand",
        cite="Pitstand",
        message=words,
        next_step=step,
        status=422,
        fields={"at": words},
    )


def _malformed(field: str, message: str) -> Refused:
    return Refused(
        code="MALFORMED",
        clause="pitstand",
        cite="Pitstand",
        message=message,
        status=422,
        fields={field: message},
    )


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the form of a command asks. `short`: few options, shown as large buttons."""

    name: str
    field: str
    label: str
    options: tuple[tuple[str, str], ...]
    optional: bool
    type: str
    number: bool
    chosen: tuple[str, ...]
    value: str
    wrong: str

    @property
    def short(self) -> bool:
        return len(self.options) <= FEW and all(len(label) <= LONG_LABEL for _, label in self.options)


FEW = 14
LONG_LABEL = 44


def fields_of(asks: Sequence[Ask], *, given: Mapping[str, Any], wrong: Mapping[str, str]) -> list[Field]:
    """The fields of a form, with what was given before and what was wrong with it."""
    return [_field(ask, given.get(ask.name), wrong.get(ask.name, "")) for ask in asks]


def _field(ask: Ask, given: Any, wrong: str) -> Field:
    many = ask.kind in ("seats", "choices")
    told = (
        ()
        if given is None
        else tuple(map(_text, given))
        if isinstance(given, list | tuple)
        else (_text(given),)
    )
    return Field(
        name=ask.name,
        field=f"{ask.name}[]" if many else ask.name,
        label=ask.label,
        options=ask.options,
        optional=ask.optional,
        type="checkbox" if many else "radio",
        number=ask.kind in ("number", "seat"),
        chosen=told,
        value=told[0] if told else "",
        wrong=wrong,
    )
