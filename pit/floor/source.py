"""A floor file with its lines: every problem is told with line and field, all of them at once."""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)
HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"""^\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\s*=""")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
LONGEST = 2_000
"""Characters of one text; names have narrower bounds of their own."""
LARGEST = 2**31 - 1
QUOTED = re.compile(r"""\"(?:\\.|[^"\\])*\"|'[^']*'""")


class Free(msgspec.Struct, frozen=True, kw_only=True):
    """A section whose keys are not known beforehand: its reader judges them."""

    values: dict[str, Any]


@dataclass(frozen=True, order=True)
class Problem:
    """What is wrong, and where. `field` as "table.seats"; line 1-based."""

    line: int
    field: str
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.field}: {self.text}"


@dataclass(frozen=True)
class Row(Generic[T]):
    """One section of the file as its struct, with where each field stands."""

    section: str
    data: T
    lines: dict[str, int] = field(repr=False)

    def problem(self, name: str, text: str) -> Problem:
        """A problem of this row's field; "" is the row as a whole."""
        full = f"{self.section}.{name}" if name else self.section
        return Problem(self.lines.get(name, self.lines[""]), full, text)


class FloorFile:
    """A parsed floor file. `problems` fills as it is read; nothing is raised."""

    def __init__(self, text: str) -> None:
        self.problems: list[Problem] = []
        text = text.removeprefix("\ufeff")  # what some editors put first
        self._lines = locate(text)
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except RecursionError:
            self._unreadable(1, "nested too deeply")
        except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
            found = re.search(r"line (\d+)", str(error))
            self._unreadable(int(found[1]) if found else 1, str(error))

    def _unreadable(self, line: int, text: str) -> None:
        self.problems.append(Problem(line, "(TOML)", text))
        self.data = {}

    def unknown(self, known: set[str]) -> None:
        """Notes the sections that nobody reads: a spelling mistake must not pass as nothing."""
        for name in self.data.keys() - known:
            text = f"no such section; there are: {', '.join(sorted(known))}"
            self.problems.append(Problem(self._where(name, 0)[""], name, text))

    def rows(self, section: str, schema: type[T], *, many: bool) -> list[Row[T]]:
        """The rows of a section ([[section]] when many, else one [section]); wrong ones are noted and left out."""
        found = self.data.get(section, [] if many else None)
        if found is None:
            return []
        if isinstance(found, list) is not many:
            text = f"is written [[{section}]]" if many else f"is written once, as [{section}]"
            self.problems.append(Problem(self._where(section, 0)[""], section, text))
            return []
        values = found if many else [found]
        rows = [self._row(section, nth, value, schema) for nth, value in enumerate(values)]
        return [row for row in rows if row is not None]

    def _where(self, section: str, nth: int) -> dict[str, int]:
        return self._lines.get((section, nth)) or {"": self._lines.get(("", 0), {}).get(section, 1)}

    def _row(self, section: str, nth: int, value: Any, schema: type[T]) -> Row[T] | None:
        lines = self._where(section, nth)
        wrong = field_problems(value, schema) if isinstance(value, dict) else {"": "is a table of fields"}
        for name, text in wrong.items():
            full = f"{section}.{name}" if name else section
            self.problems.append(Problem(lines.get(name, lines[""]), full, text))
        if wrong:
            return None
        data: Any = Free(values=value) if schema is Free else msgspec.convert(value, schema)
        return Row(section, data, lines)


def field_problems(value: dict[str, Any], schema: type[msgspec.Struct]) -> dict[str, str]:
    """field → what is wrong with it: unknown, missing, not of its kind, or nothing that can be kept."""
    unkept = {name: text for name, item in value.items() if (text := unkeepable(item))}
    if schema is Free or unkept:
        return unkept
    fields = {one.encode_name: one for one in msgspec.structs.fields(schema)}
    wrong = {name: f"no such field; there are: {', '.join(fields)}" for name in value.keys() - fields.keys()}
    wrong |= {name: "is missing" for name, one in fields.items() if one.required and name not in value}
    for name in value.keys() & fields.keys():
        try:
            msgspec.convert(value[name], fields[name].type)
        except msgspec.ValidationError as error:
            wrong[name] = str(error).replace("`", "")
    return wrong


def unkeepable(value: Any) -> str:
    """Why no database could keep this value, or "". The file is anybody's: said here, with its line, not by a crash."""
    match value:
        case str() if CONTROL.search(value):
            return "holds a control character"
        case str() if len(value) > LONGEST:
            return f"is longer than {LONGEST} characters"
        case int() if abs(value) > LARGEST:
            return "is too large a number"
        case float() if not math.isfinite(value):
            return "is no number"
        case dict():
            return next((text for one in (*value, *value.values()) if (text := unkeepable(one))), "")
        case list():
            return next((text for one in value if (text := unkeepable(one))), "")
        case _:
            return ""


def locate(text: str) -> dict[tuple[str, int], dict[str, int]]:
    """(section, nth) → field → line; "" is the section's header. tomllib gives no lines."""
    found: dict[tuple[str, int], dict[str, int]] = {("", 0): {"": 1}}
    here, depth = ("", 0), 0
    counts: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        bare = QUOTED.sub('""', line).split("#")[0]
        if depth == 0 and (header := HEADER.match(bare if '""' not in bare else line)):
            name = header[2].strip().strip("\"'")
            here = (name, counts.get(name, 0))
            counts[name] = here[1] + 1
            found[here] = {"": number}
            continue
        if depth == 0 and (key := KEY.match(line)):
            found[here].setdefault(key[1] or key[2] or key[3], number)
        depth = max(0, depth + sum(map(bare.count, "[{")) - sum(map(bare.count, "]}")))
    return found
