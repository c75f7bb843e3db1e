"""A scenario file, read: one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from pit.record.contract import By
from pit.rules.roles import OUTSIDE, RANK
from tables.play.readings import Unknown, command_of

KNOWN = frozenset(
    {
        "at",
        "as",
        "with",
        "signed",
        "table",
        "command",
        "fields",
        "device",
        "code",
        "cleared",
        "note",
        "expect",
    }
)
SETTINGS = frozenset({"place", "zone", "house", "readings"})
"""Keys of a table's line that are not of its set-up."""
EXPECTED = frozenset(
    {
        "accepted",
        "code",
        "codes",
        "clause",
        "stage",
        "holds",
        "alerts",
        "events",
        "exposure",
        "messages",
        "dues",
    }
    | {"next", "round", "needs"}
)


class Malformed(ValueError):
    """A line that cannot be played; the message says where and why."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line. `command` empty: only a note or the passing of time."""

    number: int
    at: datetime
    zone: ZoneInfo
    by: By | None = None
    table: str = ""
    command: str = ""
    fields: Mapping[str, Any] = {}
    place: Place | None = None
    """Where a table's line sets it up."""
    note: str = ""
    expect: Mapping[str, Any] = {}


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Under which rules a table stands."""

    jurisdiction: str
    zone: ZoneInfo
    house: Mapping[str, Any] = {}
    readings: Mapping[str, Any] = {}


def read(path: Path) -> list[Line]:
    """The lines of a file in their order; empty lines and lines that begin with # are passed over. Raises Malformed."""
    reader = Reader()
    found = [
        reader.line(number, text)
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if text.strip() and not text.lstrip().startswith("#")
    ]
    if not found:
        raise Malformed(f"{path.name}: no line to play")
    return found


class Reader:
    """Keeps what a line takes over from those before it: the moment, the table, who somebody is."""

    def __init__(self) -> None:
        self.at: datetime | None = None
        self.zone = ZoneInfo("UTC")
        self.table = ""
        self.people: dict[str, int] = {}

    def line(self, number: int, text: str) -> Line:
        try:
            return self._read(number, text)
        except (Malformed, Unknown) as wrong:
            raise Malformed(f"line {number}: {wrong}") from None

    def _read(self, number: int, text: str) -> Line:
        told = _object(text)
        place = self._place(told)
        moment = self._moment(told.get("at"))
        command, fields = self._asked(told, place)
        by = self._by(told, command) if command else None
        return Line(
            number=number,
            at=moment,
            zone=self.zone,
            by=by,
            table=self.table,
            command=command,
            fields=fields,
            place=place,
            note=_word(told, "note"),
            expect=_expect(told),
        )

    def _place(self, told: Mapping[str, Any]) -> Place | None:
        given = told.get("table")
        if given is None:
            return None
        if isinstance(given, str):
            self.table = given
            return None
        if not isinstance(given, dict) or not isinstance(given.get("number"), str):
            raise Malformed(
                "table is the number of a table, or an object with number, place, game and set-up"
            )
        self.table = given["number"]
        try:
            self.zone = ZoneInfo(given.get("zone", "UTC"))
        except (ZoneInfoNotFoundError, ValueError, TypeError):
            raise Malformed(f"no zone {given.get('zone')!r}") from None
        return Place(
            jurisdiction=str(given.get("place", "ny")).lower(),
            zone=self.zone,
            house=given.get("house", {}),
            readings=given.get("readings", {}),
        )

    def _asked(self, told: Mapping[str, Any], place: Place | None) -> tuple[str, Mapping[str, Any]]:
        if place is not None:
            return "SetUpTable", {key: value for key, value in told["table"].items() if key not in SETTINGS}
        fields = told.get("fields", {})
        if not isinstance(fields, dict):
            raise Malformed("fields is an object")
        if "code" in told:
            return command_of(
                str(told["code"]), fields, device=_word(told, "device"), cleared=bool(told.get("cleared"))
            )
        return _word(told, "command"), fields

    def _moment(self, given: Any) -> datetime:
        if given is None:
            if self.at is None:
                raise Malformed("the first line says when: at")
        else:
            self.at = moment(given, after=self.at, zone=self.zone)
        assert self.at is not None
        return self.at

    def _by(self, told: Mapping[str, Any], command: str) -> By:
        if not self.table:
            raise Malformed("no table was set up yet")
        if "device" in told and "as" not in told:
            name = _word(told, "device")
            return By(kind="device", role="device", name=name)
        who = self._person(told.get("as", "pit_manager" if command == "SetUpTable" else None), told)
        second = self._person(told["with"], told) if "with" in told else None
        return msgspec.structs.replace(who, second=second)

    def _person(self, given: Any, told: Mapping[str, Any]) -> By:
        """ "floorperson Ann": the role, and whatever the person is called. The same words are the same person."""
        if not isinstance(given, str) or not given.strip():
            raise Malformed("as says who acts, as floorperson or floorperson Ann")
        role, _, name = given.strip().partition(" ")
        if role not in RANK and role not in OUTSIDE:
            raise Malformed(f"no role {role!r}")
        nth = self.people.setdefault(given.strip(), len(self.people) + 1)
        if role == "system":
            return By(kind="system", role=role, name=name or "system")
        signed = told.get("signed", True)
        return By(id=-nth, name=name or role, role=role, badge=f"S{nth}", signed=bool(signed))


def _object(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise Malformed(f"not JSON: {wrong.msg}") from None
    if not isinstance(told, dict):
        raise Malformed("not an object")
    if strangers := sorted(set(told) - KNOWN):
        raise Malformed(f"unknown: {', '.join(strangers)}")
    return told


def _word(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name, "")
    if not isinstance(value, str):
        raise Malformed(f"{name} is a word")
    return value


def _expect(told: Mapping[str, Any]) -> Mapping[str, Any]:
    expect = told.get("expect", {})
    if not isinstance(expect, dict):
        raise Malformed("expect is an object")
    if strangers := sorted(set(expect) - EXPECTED):
        raise Malformed(
            f"expect does not know {', '.join(strangers)}; it knows {', '.join(sorted(EXPECTED))}"
        )
    return expect


_LATER = re.compile(r"\+(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_CLOCK = re.compile(r"(\d\d):(\d\d)(?::(\d\d))?")


def moment(given: Any, *, after: datetime | None, zone: ZoneInfo) -> datetime:
    """An instant: ISO 8601 (local to the table's zone without an offset), "+1h30m" after the line before, or the next
    "09:05" by the clock on the wall. Raises Malformed."""
    text = str(given)
    later, clock = _LATER.fullmatch(text), _CLOCK.fullmatch(text)
    if (later or clock) and after is None:
        raise Malformed("the first line gives its day too: at")
    if later and after is not None and len(text) > 1:
        days, hours, minutes, seconds = (int(part or 0) for part in later.groups())
        return after + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    if clock and after is not None:
        return _next(after.astimezone(zone), *(int(part or 0) for part in clock.groups())).astimezone(UTC)
    return _instant(text, after, zone)


def _next(local: datetime, hour: int, minute: int, second: int) -> datetime:
    try:
        found = local.replace(hour=hour, minute=minute, second=second, microsecond=0)
    except ValueError:
        raise Malformed(f"no such time: {hour:02}:{minute:02}") from None
    return found if found >= local else found + timedelta(days=1)


def _instant(text: str, after: datetime | None, zone: ZoneInfo) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Malformed(f"at cannot be read: {text!r}") from None
    found = (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)
    if after is not None and found < after:
        raise Malformed(f"{text} lies before the line above it")
    return found


def lines_of(paths: list[Path]) -> Iterator[tuple[Path, list[Line]]]:
    """Every scenario of files and folders (each `*.jsonl` below)."""
    for path in paths:
        for file in sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]:
            yield file, read(file)
