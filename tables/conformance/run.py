"""Files and folders of cases: read, run, reported. A case that cannot be read or run is a failed case, never a crash."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tables.conformance.case import Case, Malformed, differences, read_cases
from tables.conformance.kinds import KINDS


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one case; `wrong` is empty when it passed. `shown` is for --verbose."""

    id: str
    wrong: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One file."""

    path: Path
    results: tuple[Result, ...]

    @property
    def passed(self) -> int:
        return sum(not one.wrong for one in self.results)

    @property
    def failed(self) -> int:
        return len(self.results) - self.passed


def files(path: Path) -> list[Path]:
    """The case files of a path: itself, or every *.json below it."""
    return sorted(path.rglob("*.json")) if path.is_dir() else [path]


def run(path: Path) -> Report:
    """Every case of a file. A file that is none is one failure."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as unreadable:
        return Report(path=path, results=(Result(id="(file)", wrong=(f"cannot be read: {unreadable}",)),))
    if not isinstance(raw, list):
        return Report(path=path, results=(Result(id="(file)", wrong=("is no list of cases",)),))
    return Report(path=path, results=tuple(run_case(one, nth) for nth, one in enumerate(raw, start=1)))


def run_case(raw: object, nth: int = 1) -> Result:
    """A case under the readings of its pack, and each of its alternatives under the other setting."""
    name = raw.get("id") if isinstance(raw, dict) else None
    label = name if isinstance(name, str) and name else f"(case {nth})"
    try:
        cases = read_cases(raw)
        told = [_tell(case) for case in cases]
    except Malformed as malformed:
        return Result(id=label, wrong=(f"malformed: {malformed}",))
    except Exception as error:  # noqa: BLE001 - a calculator that raises has answered wrongly; the run goes on
        return Result(id=label, wrong=(f"cannot be run: {type(error).__name__}: {error}",))
    wrong = tuple(line for lines, _ in told for line in lines)
    return Result(id=label, wrong=wrong, shown=tuple(line for _, lines in told for line in lines))


def _tell(case: Case) -> tuple[list[str], list[str]]:
    """Where the product disagrees, and input, expected and got for --verbose."""
    answer = KINDS.get(case.kind)
    if answer is None:
        raise Malformed(f"no kind {case.kind!r}; there are {', '.join(sorted(KINDS))}")
    got = answer(case)
    under = f"under {case.under}: " if case.under else ""
    wrong = [under + line for line in differences(case.expected, got)]
    put = {
        key: value for key, value in case.data.items() if key not in ("id", "expected", "alt", "alts", "note")
    }
    return wrong, list(_shown(under, put, case.expected, got))


def _shown(under: str, put: Any, expected: Any, got: Any) -> Iterator[str]:
    for word, value in (("input", put), ("expected", expected), ("got", got)):
        yield f"{under}{word}: {json.dumps(value, default=str, ensure_ascii=False)}"
