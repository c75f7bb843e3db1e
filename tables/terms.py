"""What the change workflow needs to know of tables: which there are, what is in force, and how a table switches."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pit.notices import registry
from pit.notices.domain.state import COMMISSION, SURVEILLANCE, ChangeState
from pit.record import codec
from pit.record.models import Event, Stream
from pit.rules import load
from tables.domain.commands import PutInForce
from tables.domain.state import Config, TableState, TermChange
from tables.domain.terms import OF_SET_UP, PROCEDURE
from tables.models import Table
from tables.selectors import natural

TELLING = ("TableSetUp", "TermsRecorded", "TermsPutInForce")
"""The events that say what is in force."""


def register() -> None:
    """Called once at start."""
    registry.provide(registry.Floor(places=places, switch=switch, versions=versions))


def places(property_id: int) -> list[registry.Place]:
    """The tables of a property in order of number, each with what is in force: two queries."""
    rows = Table.objects.filter(property_id=property_id).select_related("pit")
    tables = sorted(rows, key=natural)
    states = dict(Stream.objects.filter(name__in=[one.stream for one in tables]).values_list("name", "state"))
    return [
        _place(one, codec.loads(states[one.stream], TableState)) for one in tables if one.stream in states
    ]


def _place(table: Table, state: TableState) -> registry.Place:
    return registry.Place(
        stream=table.stream,
        number=table.number,
        game=load.games()[table.game].name if table.game in load.games() else table.game,
        pit=table.pit.name,
        address=f"/tables/{table.pk}/",
        terms=in_force(state),
    )


def in_force(state: TableState) -> dict[tuple[str, str], str]:
    """By (matter, item); the ways of cutting and dealing are the set-up's own."""
    stated = {(one.matter, one.item): one.value for one in state.terms}
    return {**_of_set_up(state.config), **stated}


def _of_set_up(config: Config | None) -> dict[tuple[str, str], str]:
    if config is None or not config.deal_mode:  # a game without cards is neither cut nor dealt
        return {}
    return {(PROCEDURE, item): value for item in OF_SET_UP if (value := getattr(config, item))}


def switch(state: ChangeState, late: bool) -> PutInForce:
    """The command that puts a change in force at each of its tables; the table asks once more who was told when."""
    assert state.matter is not None
    change = state.matter
    return PutInForce(
        notice=state.number,
        terms=(TermChange(matter=change.matter, item=change.item, was=change.was, now=change.now),),
        effective_at=change.effective_at,
        commission_at=state.told.get(COMMISSION),
        surveillance_at=state.told.get(SURVEILLANCE),
        late=late,
    )


def versions(stream: str) -> Sequence[registry.Version]:
    """Everything that was ever in force at a table, from → until, the newest first within each matter."""
    found: dict[tuple[str, str], list[registry.Version]] = {}
    rows = Event.objects.filter(stream=stream, kind__in=TELLING).order_by("seq")
    for kind, data, at in rows.values_list("kind", "data", "at"):
        for told in _told(kind, msgspec.json.decode(data)):
            _follow(
                found.setdefault(told[:2], []),
                registry.Version(matter=told[0], item=told[1], value=told[2], notice=told[3], since=at),
            )
    return [one for key in sorted(found) for one in reversed(found[key])]


def _told(kind: str, data: dict[str, object]) -> list[tuple[str, str, str, str]]:
    """(matter, item, value, notice) of one event."""
    if kind == "TableSetUp":
        config = msgspec.convert(data["config"], Config)
        return [(*key, value, "") for key, value in _of_set_up(config).items()]
    field = "value" if kind == "TermsRecorded" else "now"
    terms = msgspec.convert(data["terms"], list[dict[str, str]])
    return [(one["matter"], one["item"], one[field], str(data.get("notice", ""))) for one in terms]


def _follow(history: list[registry.Version], new: registry.Version) -> None:
    if history and history[-1].value == new.value:
        return
    if history:
        history[-1] = msgspec.structs.replace(history[-1], until=new.since)
    history.append(new)
