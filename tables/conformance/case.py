"""One case: what goes in, what must come out, under which settings; and how the two are compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

INFORMS = frozenset({"note", "hint", "inferred", "reading", "name"})
"""Words of an answer that inform and are not compared."""
VERDICT = ("error", "code", "codes", "warning", "flag")
"""Words that accept, refuse or warn: when the product says one that the case does not, they disagree."""
FINE: tuple[Any, ...] = (None, "OK", [], ["OK"])

Got = dict[str, Any]


class Malformed(ValueError):
    """The case cannot be put to the product; the message says what is wrong with it, in one line."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A case as it was read. `data` holds every field; `expected` the answer under `overrides`."""

    id: str
    kind: str
    data: Mapping[str, Any]
    expected: Any
    overrides: Mapping[str, Any] = {}
    """reading id or house setting → value"""
    under: str = ""
    """"" for the case itself, or the reading of an alternative answer."""


def read_cases(raw: object) -> list[Case]:
    """A case and its alternatives. Raises Malformed."""
    if not isinstance(raw, dict):
        raise Malformed("a case is an object with id, kind, what goes in and expected")
    for name in ("id", "kind"):
        if not isinstance(raw.get(name), str) or not raw[name]:
            raise Malformed(f"{name} is missing or no word")
    settings = raw.get("settings", {})
    if not isinstance(settings, dict):
        raise Malformed("settings is not an object")
    if "expected" not in raw and "expected_accepted" not in raw:
        raise Malformed("expected is missing")
    expected = raw["expected"] if "expected" in raw else {"accepted": raw["expected_accepted"]}
    case = Case(id=raw["id"], kind=raw["kind"], data=raw, expected=expected, overrides=settings)
    return [case, *_alternatives(case)]


def _alternatives(case: Case) -> Iterator[Case]:
    """`alt` and `alts`: the answer under the other setting of the reading with which each begins."""
    given = case.data.get("alts", [])
    if "alt" in case.data:
        given = [case.data["alt"], *given] if isinstance(given, list) else given
    if not isinstance(given, list):
        raise Malformed("alts is not a list")
    for one in given:
        if not isinstance(one, dict) or not isinstance(one.get("reading"), str):
            raise Malformed("an alternative answer names its reading")
        found = one.get(
            "expected", {key: value for key, value in one.items() if key not in ("reading", "option")}
        )
        if not found:
            raise Malformed(f"the alternative answer under {one['reading']!r} says nothing")
        reading = one["reading"].split()[0].rstrip(":")
        option = one.get("option", OTHER)
        yield msgspec.structs.replace(
            case, expected=found, overrides={**case.overrides, reading: option}, under=one["reading"]
        )


OTHER = "(the other option)"
"""Stands for the option of a two-way reading that is not its default."""


def differences(expected: Any, got: Any, at: str = "") -> list[str]:
    """Each place where the product's answer is not the expected one, as one line."""
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return [_line(at, expected, got)]
        return [*_fields(expected, got, at), *_unexpected(expected, got, at)]
    if isinstance(expected, list):
        if not isinstance(got, (list, tuple)) or len(got) != len(expected):
            return [_line(at, expected, got)]
        pairs = enumerate(zip(expected, got, strict=True))
        return [line for n, (one, other) in pairs for line in differences(one, other, f"{at}[{n}]")]
    return [] if _same(expected, got) else [_line(at, expected, got)]


def _fields(expected: dict[str, Any], got: dict[str, Any], at: str) -> Iterator[str]:
    for key, value in expected.items():
        where = f"{at}.{key}" if at else key
        if key in INFORMS or (key == "clause" and value == "reading"):
            continue
        if key == "codes":
            yield from _codes(value, _all_codes(got), where)
        elif key == "code" and "codes" in got:
            if value not in _all_codes(got):
                yield _line(where, value, got["codes"])
        elif key not in got:
            yield _line(where, value, "nothing")
        else:
            yield from differences(value, got[key], where)


def _all_codes(got: dict[str, Any]) -> list[Any]:
    return list(got["codes"]) if "codes" in got else [got.get("code", got.get("error"))]


def _codes(expected: Any, got: list[Any], where: str) -> Iterator[str]:
    """The refusal names them all; the order in which they are shown is the product's (rank, malformed, rule)."""
    if not isinstance(expected, list) or sorted(map(str, expected)) != sorted(map(str, got)):
        yield _line(where, expected, got)


def _unexpected(expected: dict[str, Any], got: dict[str, Any], at: str) -> Iterator[str]:
    for key in VERDICT:
        spoken = key in expected or (key in ("code", "codes") and {"code", "codes"} & set(expected))
        if not spoken and got.get(key) not in FINE:
            yield _line(f"{at}.{key}" if at else key, "nothing", got[key])


def _same(expected: Any, got: Any) -> bool:
    """Equal, and a yes is never a one."""
    return isinstance(expected, bool) == isinstance(got, bool) and bool(expected == got)


def _line(at: str, expected: Any, got: Any) -> str:
    return f"{at or 'answer'}: expected {expected!r}, got {got!r}"
