"""The tile of a table and its lines of *Needs you now*: one rendering a change, the same for every role.

What a table is up to comes from the domain (`stage`, `holds`, `needs`, `deadlines`); here it gets a word, a sign and a
place. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.template.loader import get_template

from pit.live.registry import Fragment
from pit.record.contract import Due
from pit.rules.load import games
from pit.web import clock
from tables import reading
from tables.condition import ALERT_WORDS, Glance, attention, glance
from tables.domain import holding
from tables.domain.commands import COMMANDS
from tables.domain.deadlines import deadlines
from tables.domain.offer import Need
from tables.domain.offers import needs
from tables.domain.state import Device, Hold, TableState
from tables.models import Condition, Table


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A hold or an alert on the tile. `tone`: "hold", "alert" or "device"; `short` is two letters, `words` says all."""

    tone: str
    short: str
    words: str


class Tile(msgspec.Struct, frozen=True, kw_only=True):
    """What `_tile.html` shows."""

    pk: int
    stream: str
    seq: int
    number: str
    game: str
    shape: str
    rotation: int
    x: int
    y: int
    condition: str
    word: str
    fact: str = ""
    since: datetime | None = None
    due_at: datetime | None = None
    due_from: datetime | None = None
    due_word: str = ""
    counts_down: bool = False
    """What matters is how long is left, not for how long it has been so."""
    marks: tuple[Mark, ...] = ()
    needs: int = 0

    @property
    def calm(self) -> bool:
        """Whether minutes are enough for how long: seconds are for what somebody waits for."""
        return bool(self.fact) or self.condition == Condition.IN_PLAY


class NeedLine(msgspec.Struct, frozen=True, kw_only=True):
    """What `_need.html` shows. `action` is the address of the one button; `asks` when the form must ask something."""

    id: str
    stream: str
    seq: int
    table: int
    number: str
    game: str
    tone: str
    words: str
    label: str
    rank: str = ""
    since: datetime | None = None
    due_at: datetime | None = None
    action: str = ""
    asks: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    clause: str
    cite: str = ""
    paraphrase: str = ""

    @property
    def order(self) -> int:
        """Holds and what has a time come first, by that time; what merely goes its way comes after."""
        return 1 if self.tone == "preparing" else 0

    @property
    def post(self) -> str:
        """Where the one button sends what it knows."""
        return self.action.partition("?")[0]


def draw(tile: Tile) -> str:
    """The tile as HTML: one root element that stands alone."""
    return _plain(get_template("tables/_tile.html").render({"tile": tile}))


def draw_need(need: NeedLine) -> str:
    """One line of *Needs you now*."""
    return _plain(get_template("tables/_need.html").render({"need": need}))


def _plain(html: str) -> str:
    """The text without Django's mark that it is safe: that is no type for JSON and for Redis."""
    return str.__str__(html)


def render(stream: str, state: TableState, seq: int) -> Fragment:
    """The fragment of a table at one version: called once a change, for all who look."""
    table = Table.objects.only("number", "game", "shape", "rotation", "x", "y", "property_id").get(
        pk=int(stream.partition(":")[2])
    )
    now = clock.now()
    rules = reading.rules_for(state, property_id=table.property_id, now=now)
    tile = tile_of(table, state, seq, dues=deadlines(state, rules), holds=holding.at(state, rules, now=now))
    lines = (line_of(table, need, seq, rules) for need in needs(state, rules))
    return Fragment(tile=draw(tile), needs="".join(draw_need(line) for line in lines))


def tile_of(
    table: Table, state: TableState, seq: int, *, dues: Sequence[Due], holds: Sequence[Hold] = ()
) -> Tile:
    """What the tile shows. The card set's long life is told by the sheet: a bar for it would be noise here."""
    seen = glance(state, holds=holds)
    due = min(
        (one for one in dues if one.kind.partition(":")[0] in ON_THE_TILE),
        key=lambda one: one.due_at,
        default=None,
    )
    return Tile(
        pk=table.pk,
        stream=table.stream,
        seq=seq,
        number=table.number,
        game=game_name(table.game),
        shape=table.shape,
        rotation=table.rotation,
        x=table.x,
        y=table.y,
        condition=seen.condition,
        word=seen.word,
        fact=seen.fact,
        since=seen.since,
        due_at=due.due_at if due else None,
        due_from=_began(state, due) if due else None,
        due_word=due_words(due.kind) if due else "",
        counts_down=_counts_down(seen, due),
        marks=marks(state, seen),
        needs=attention(state),
    )


def game_name(key: str) -> str:
    """ "Pai gow poker" of "pai_gow_poker"."""
    found = games().get(key)
    return found.name if found else key.replace("_", " ")


def due_words(kind: str) -> str:
    """A deadline in words; a kind may carry its object: "dice_over_24h:DS-7"."""
    name, _, of = kind.partition(":")
    said = name.replace("_", " ")
    return f"{said[:1].upper()}{said[1:]}{f' ({of})' if of else ''}"


ON_THE_TILE = frozenset({"idle_reminder", "dice_over"})
"""Deadlines that run as a bar: what the warnings before them warn of."""


def _began(state: TableState, due: Due) -> datetime | None:
    """From when the bar of a deadline runs."""
    _, _, of = due.kind.partition(":")
    dice = next((one for one in state.dice if one.id == of), None)
    if dice is not None:
        return dice.placed_at
    return state.empty_since or state.stage_since


SHORT = {"shuffler": "SH", "continuous": "CS", "counting": "SH", "dealing_shoe": "DS", "card_reader": "CR",
         "shaker": "SK", "rng": "RN", "progressive": "PR"}  # fmt: skip


def _counts_down(seen: Glance, due: Due | None) -> bool:
    """Dice that are to leave: the tile says the time that is left to them, as the list beside it does."""
    return due is not None and due.kind.startswith("dice_over") and seen.word == ALERT_WORDS["dice_warning"]


def marks(state: TableState, seen: Glance) -> tuple[Mark, ...]:
    """Devices out of order and alerts, as chips; an alert that the tile's own word tells already needs none."""
    failed = tuple(_failed(device) for device in state.devices if device.failed)
    told = tuple(
        Mark(tone="alert", short="!", words=alert.detail or alert.kind.replace("_", " "))
        for alert in [one for one in state.alerts if ALERT_WORDS.get(one.kind) != seen.word][:1]
    )
    return failed + told


def _failed(device: Device) -> Mark:
    kind = device.kind.replace("_", " ")
    return Mark(tone="device", short=SHORT.get(device.kind, "D"), words=f"{kind} {device.id} out of order")


def line_of(table: Table, need: Need, seq: int, rules: Any) -> NeedLine:
    """One need as a line: what, how long, one button, the clause."""
    fields = {name: value for name, value in need.fields.items() if value is not None}
    return NeedLine(
        id=f"{table.pk}-{need.kind.replace(':', '-')}",
        stream=table.stream,
        seq=seq,
        table=table.pk,
        number=table.number,
        game=game_name(table.game),
        tone=_tone(need),
        words=need.title,
        label=need.label or "Open",
        rank=need.rank,
        since=need.since,
        due_at=need.due_at,
        action=action(table.pk, need.command, fields) if need.command else "",
        asks=not is_direct(need, rules),
        fields=tuple(hidden(fields)),
        clause=need.clause,
        cite=need.cite or (rules.cite(need.clause) if need.clause else ""),
        paraphrase=rules.paraphrase(need.clause) if need.clause else "",
    )


def _tone(need: Need) -> str:
    """Routine duties are due even where they block the dealing; what went wrong is a hold."""
    if need.blocks and (not need.kind.startswith("stage_") or need.kind == "stage_gaming_ceased"):
        return "hold"
    return "due" if need.due_at or need.since else "preparing"


def is_direct(need: Need, rules: Any) -> bool:
    """Whether one tap says it all: nobody signs, and no field is left that only a person knows."""
    rule = rules.command(need.command) if need.command else None
    if rule is None or rule.signed or rule.second:
        return False
    required = (field.name for field in msgspec.structs.fields(COMMANDS[need.command]) if field.required)
    return all(name in need.fields for name in required)


def hidden(fields: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Fields as a form carries them: lists as "name[]", yes as "true", nested ones as "a.b"."""
    pairs: list[tuple[str, str]] = []
    for name, value in fields.items():
        if isinstance(value, Mapping):
            pairs += hidden(value, f"{prefix}{name}.")
        elif isinstance(value, list | tuple):
            pairs += [(f"{prefix}{name}[]", str(one)) for one in value]
        elif value is not None:
            pairs.append((f"{prefix}{name}", str(value).lower() if isinstance(value, bool) else str(value)))
    return pairs


def action(table: int, command: str, fields: Any = ()) -> str:
    """The address of a command at a table, what is known already as its query."""
    known = urlencode(hidden(dict(fields)))
    return f"/tables/{table}/{command}" + (f"?{known}" if known else "")
