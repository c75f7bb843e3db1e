"""Where each clause of a pack is used: command, rank, guard, step, irregularity, text beside a step, figure.

A paragraph that is cited as a whole ("NY-h-5") carries the rows under it ("NY-h-5-1"), and stands where one of them does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from pit.rules.model import HOUSE, Pack

Kind = Literal["command", "rank", "guard", "step", "irregularity", "shown", "figure", "part"]
Found = Iterator[tuple[str, "Use"]]


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a clause binds or is shown. `command` is empty for irregularities and figures."""

    kind: Kind
    name: str
    """The guard's check, the role, the stage that a step leads to, the irregularity, the figure or the other clause."""
    command: str = ""


def uses(pack: Pack) -> Mapping[str, tuple[Use, ...]]:
    """Clause id to its uses, in the order of the pack; every clause of the pack has an entry, which may be empty."""
    found: dict[str, dict[Use, None]] = {one: {} for one in pack.clauses}
    for clause, use in (*_commands(pack), *_steps(pack), *_irregularities(pack), *_figures(pack)):
        if clause in found:
            found[clause][use] = None
    own = {clause: tuple(told) for clause, told in found.items()}
    return {clause: told or tuple(_parts(clause, own)) for clause, told in own.items()}


def unused(pack: Pack) -> tuple[str, ...]:
    """Clauses that nothing uses: holes."""
    return tuple(clause for clause, told in uses(pack).items() if not told)


def _commands(pack: Pack) -> Found:
    for rule in pack.commands.values():
        if rule.clause != HOUSE:
            yield rule.clause, Use(kind="command", name=rule.name, command=rule.name)
        if rule.rank_clause != HOUSE:
            yield rule.rank_clause, Use(kind="rank", name=rule.rank, command=rule.name)
        for guard in rule.guards:
            yield guard.clause, Use(kind="guard", name=guard.check, command=rule.name)
        for clause in rule.shows:
            yield clause, Use(kind="shown", name=rule.name, command=rule.name)


def _steps(pack: Pack) -> Found:
    for step in pack.steps:
        yield step.clause, Use(kind="step", name=step.to, command=step.command)


def _irregularities(pack: Pack) -> Found:
    for one in pack.irregularities.values():
        for clause in one.clauses:
            yield clause, Use(kind="irregularity", name=one.key)


def _figures(pack: Pack) -> Found:
    for key, value in pack.params.items():
        for word, name in _words(value, key):
            yield word, Use(kind="figure", name=name)


def _words(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Every word in a figure of the pack with the figure's name: some say under which clause they stand."""
    if isinstance(value, str):
        yield value, name
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _words(inner, f"{name}: {key}")
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _words(inner, name)


def _parts(clause: str, own: Mapping[str, tuple[Use, ...]]) -> Iterator[Use]:
    """The whole paragraph of a row, or the rows of a paragraph, where those are used."""
    head, _, tail = clause.rpartition("-")
    if tail.isdigit() and own.get(head):
        yield Use(kind="part", name=head)
    for other, told in own.items():
        row = other.removeprefix(f"{clause}-")
        if told and row != other and row.isdigit():
            yield Use(kind="part", name=other)
