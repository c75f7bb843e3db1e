"""The kind `button_and_count`: rounds of Winner's Pot Poker one after the other (NJ (c), (d), (f), (g))."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tables.conformance.calculators import inner, need
from tables.conformance.case import Case, Malformed
from tables.conformance.rules import rules_of
from tables.domain import button, parameters
from tables.domain.ring import Place, wrong_numbers
from tables.domain.wrong import Wrong, is_whole

NO_READING = frozenset({None, "none", "failed", "off", "out", "out_of_order"})
"""What a device that gives no reading is called."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """What goes from one round to the next. `at`: where the button lies, None before the first."""

    at: Place | None = None
    counted: button.Counted = button.Counted()


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the case says about one round."""

    number: int
    occupied: list[int]
    wagering: list[int]
    reading: bool | None
    counted_after: bool
    every: int
    first_stack: button.FirstStack


def button_and_count(case: Case) -> Any:
    """One row a round, as many as the case asks for; a refused round moves nothing."""
    data = inner(case)
    seats, rounds, occupied = need(data, "seats", "rounds", "occupied_by_round")
    if not is_whole(rounds) or not 0 <= rounds <= 10_000 or not isinstance(occupied, dict):
        raise Malformed("rounds is a number of rounds, occupied_by_round says who is seated in each")
    table, rows = Table(), []
    for number in range(1, rounds + 1):
        told = _told(case, data, number, seats)
        if isinstance(told, Wrong):
            return {"error": told.code}
        table, row = _round(table, told)
        rows.append(row)
    return _as_listed(rows, case.expected)


def _as_listed(rows: list[dict[str, Any]], expected: Any) -> Any:
    """A list may end with a refused round: what comes after it was not asked."""
    short = isinstance(expected, list) and 0 < len(expected) < len(rows)
    if short and rows[len(expected) - 1]["status"] != "STARTED":
        rows = rows[: len(expected)]
    if not _pairs(rows, expected):
        return rows
    return [_named(row, one) for row, one in zip(rows, expected, strict=True)]


def _pairs(rows: list[dict[str, Any]], expected: Any) -> bool:
    return (
        isinstance(expected, list)
        and len(expected) == len(rows)
        and all(isinstance(e, dict) for e in expected)
    )


REFUSED_WORDS = frozenset({"REFUSED", "BLOCKED", "NOT_STARTED", "NOT_ALLOWED"})


def _named(row: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """A refused round may be written as a word with its `code` beside it, or with the code in its `status`."""
    code, status = row.get("code"), expected.get("status")
    if not code or not isinstance(status, str) or status == "STARTED":
        return row
    nothing = {key: value for key, value in expected.items() if key not in row and value in (None, [])}
    rest = {key: value for key, value in row.items() if key != "code"} | nothing
    if {"code", "codes", "error"} & set(expected):
        word = status if status in REFUSED_WORDS else row["status"]
        return rest | {"status": word} | ({"error": code} if "error" in expected else {"codes": [code]})
    return rest | {"status": status if code in status else code}


def _told(case: Case, data: Mapping[str, Any], number: int, seats: Any) -> Told | Wrong:
    rules = rules_of(case, home="nj")
    occupied = data["occupied_by_round"].get(str(number))
    out = data.get("sitting_out_by_round", {}).get(str(number), [])
    if not isinstance(occupied, list) or not isinstance(out, list):
        raise Malformed(f"occupied_by_round or sitting_out_by_round has no list of seats for round {number}")
    if wrong := wrong_numbers(occupied, seats=seats):
        return wrong
    every = parameters.count_every(rules)
    if every is None:
        return Wrong(code="NOT_GOVERNED_BY_RULE")
    return Told(
        number=number,
        occupied=occupied,
        wagering=[seat for seat in occupied if seat not in out],
        reading=_reading(data.get("device_by_round", {}).get(str(number))),
        counted_after=number in data.get("counts_after_rounds", []),
        every=every,
        first_stack=parameters.first_stack(rules),
    )


def _reading(value: Any) -> bool | None:
    """The counting shuffler before the round: right, wrong, or no reading."""
    if value is None or (isinstance(value, str) and value in NO_READING):
        return None
    if is_whole(value):
        return value == 52
    return bool(value == "ok")


def _round(table: Table, told: Told) -> tuple[Table, dict[str, Any]]:
    counted = table.counted
    if told.reading is not None:
        counted = button.counted_by_device(counted, good=told.reading, before_round=told.number)
    wrong = button.may_start(counted, round_number=told.number, every=told.every)
    at = button.first_button() if table.at is None else button.next_button(table.at, occupied=told.occupied)
    row: dict[str, Any] = {"round": told.number, "occupied": told.occupied, "button": at}
    row |= _refused(wrong) if wrong else _started(at, told)
    if told.counted_after:
        counted = _counted(counted, told)
        row["counted_after"] = True
    row |= _count_row(counted, told)
    return (Table(at=table.at if wrong else at, counted=counted), row)


def _counted(counted: button.Counted, told: Told) -> button.Counted:
    found = button.counted_by_hand(counted, cards=52, expected=52, after_round=told.number)
    assert not isinstance(found, Wrong)
    return found


def _refused(wrong: Wrong) -> dict[str, Any]:
    return {"status": "REFUSED", "code": wrong.code}


def _started(at: Place, told: Told) -> dict[str, Any]:
    order = list(button.delivery_order(at, wagering=told.wagering, first_stack=told.first_stack))
    by_d = button.delivery_order(at, wagering=told.wagering, first_stack="far_left")
    return {
        "status": "STARTED",
        "start": order[0],
        "delivery_order": order,
        "alt_start_if_d_governs_every_round": by_d[0],
    }


def _count_row(counted: button.Counted, told: Told) -> dict[str, Any]:
    return {
        "last_verified_round": counted.last_verified,
        "next_count_due_by_end_of_round": button.count_due_by(counted, every=told.every),
        "due_now": button.is_count_due(counted, after_round=told.number, every=told.every),
        "manual_count_required": told.reading is not True,
    }
