"""A TOML file with its text kept, so that an error can name the line: tomllib gives none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class BadPack(ValueError):
    """A rule pack, game or house file that may not be used. Says file, line, key and what is wrong."""

    def __init__(self, *, file: str, line: int, key: str, problem: str) -> None:
        super().__init__(f"{file}:{line}: {key}: {problem}")
        self.file, self.line, self.key, self.problem = file, line, key, problem


class Source:
    """One file: its data, and where each key stands."""

    def __init__(self, path: Path) -> None:
        self.name = "/".join(path.parts[-3:]) if path.parent.name != "rules" else "/".join(path.parts[-2:])
        try:
            self.text = path.read_text(encoding="utf-8")
            self.data: dict[str, Any] = tomllib.loads(self.text)
        except RecursionError as error:
            raise BadPack(file=self.name, line=1, key="(TOML)", problem="nested too deeply") from error
        except ValueError as error:  # no TOML, no UTF-8, or a number of thousands of digits
            found = re.search(r"line (\d+)", str(error))
            raise BadPack(
                file=self.name, line=int(found[1]) if found else 1, key="(TOML)", problem=str(error)
            ) from error
        self.lines = self.text.splitlines()

    def bad(self, section: str, key: str, problem: str, *, nth: int = 0) -> BadPack:
        """An error that names this file and the line of `key` in `section` (`nth` of an array of tables)."""
        full = f"{section}.{key}" if section and key else section or key
        return BadPack(file=self.name, line=self.line(section, key, nth=nth), key=full, problem=problem)

    def line(self, section: str, key: str, *, nth: int = 0) -> int:
        """1-based line of the key, of its section when the key is missing, or 1."""
        start = self._section(section, nth) if section else 0
        if start is None:
            return 1
        wanted = re.compile(rf'^\s*"?{re.escape(key)}"?\s*=') if key else None
        for number, text in enumerate(self.lines[start:], start=start + 1):
            if wanted and wanted.match(text):
                return number
            if number > start + 1 and text.lstrip().startswith("["):
                break
        return start + 1

    def _section(self, section: str, nth: int) -> int | None:
        headers = {f"[{section}]", f"[[{section}]]"}
        found = [
            n for n, text in enumerate(self.lines) if text.split("#")[0].strip().replace('"', "") in headers
        ]
        return found[nth] if nth < len(found) else None

    def table(self, name: str) -> Mapping[str, Any]:
        """A section as a mapping; an error when it is something else. Missing is empty."""
        value = self.data.get(name, {})
        if not isinstance(value, dict):
            raise self.bad("", name, "must be a table")
        return value

    def convert(self, value: Any, kind: type[T], *, section: str, nth: int = 0) -> T:
        """`value` as a struct of `kind`; a wrong type or an unknown field names its key and line."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            text = str(error)
            found = re.search(r"at `\$\.([A-Za-z_]\w*)", text) or re.search(r"field `(\w+)`", text)
            raise self.bad(section, found[1] if found else "", text.split(" - at ")[0], nth=nth) from error
