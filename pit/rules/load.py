"""Reads the packs, games and house settings, refuses what is wrong, and answers which rules are in force.

Read once a process; a broken file stops the start with file, line and key (`BadPack`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from pit.rules import validate
from pit.rules.model import (
    Clause,
    CommandRule,
    Game,
    Guard,
    HouseSetting,
    Irregularity,
    Pack,
    Reading,
    Rules,
    Step,
)
from pit.rules.schema import (
    ClauseText,
    CommandText,
    GameText,
    Header,
    HouseText,
    IrregularityText,
    ReadingText,
    StepText,
)
from pit.rules.source import BadPack, Source

HERE = Path(__file__).parent
__all__ = ["BadPack", "UnknownRules", "games", "house_settings", "in_force", "jurisdictions", "packs"]


class UnknownRules(LookupError):
    """No pack of that jurisdiction is in force on that day, or there is no such game."""


def read_pack(path: Path) -> Pack:
    """One pack file, read and validated. Raises BadPack."""
    source = Source(path)
    validate.sections(source)
    header = source.convert(source.table("pack"), Header, section="pack")
    clauses = {
        key: _clause(key, source.convert(value, ClauseText, section=f"clause.{key}"))
        for key, value in source.table("clause").items()
    }
    pack = Pack(
        jurisdiction=header.jurisdiction,
        title=header.title,
        source=header.source,
        effective=header.effective,
        effective_note=header.effective_note,
        governs=tuple(header.governs),
        words=dict(source.table("words")),
        params=dict(source.table("params")),
        readings={key: _reading(key, value, source) for key, value in source.table("reading").items()},
        clauses=clauses,
        commands={key: _command(key, value, source) for key, value in source.table("command").items()},
        steps=tuple(_step(value, n, source) for n, value in enumerate(source.data.get("step", []))),
        irregularities={
            one.key: one
            for one in (
                _irregularity(v, n, source) for n, v in enumerate(source.data.get("irregularity", []))
            )
        },
    )
    validate.pack(pack, source, path)
    return pack


def _clause(key: str, text: ClauseText) -> Clause:
    return Clause(id=key, cite=text.cite, paraphrase=text.paraphrase, support=text.support)


def _reading(key: str, value: Any, source: Source) -> Reading:
    text = source.convert(value, ReadingText, section=f"reading.{key}")
    return Reading(id=key, matter=text.matter, default=text.default, options=tuple(text.options))


def _command(key: str, value: Any, source: Source) -> CommandRule:
    text = source.convert(value, CommandText, section=f"command.{key}")
    return CommandRule(
        name=key,
        clause=text.clause,
        not_governed=text.not_governed,
        rank=text.rank,
        rank_clause=text.rank_clause,
        also=tuple(text.also),
        signed=text.signed,
        second=text.second,
        guards=tuple(Guard(check=check, clause=clause) for check, clause in text.guards),
        shows=tuple(text.shows),
    )


def _step(value: Any, nth: int, source: Source) -> Step:
    text = source.convert(value, StepText, section="step", nth=nth)
    return Step(
        track=text.track,
        command=text.command,
        from_=tuple(text.from_),
        to=text.to,
        clause=text.clause,
        batch_from=tuple(text.batch_from),
        batch_to=text.batch_to,
        optional=text.optional,
    )


def _irregularity(value: Any, nth: int, source: Source) -> Irregularity:
    text = source.convert(value, IrregularityText, section="irregularity", nth=nth)
    return Irregularity(
        key=text.key,
        words=text.words,
        trigger=text.trigger,
        clauses=tuple(text.clauses),
        asks=tuple(text.asks),
        consequences=text.consequences,
        steps=tuple(text.steps),
        prompt=text.prompt,
        inferred=text.inferred,
    )


def read_game(path: Path) -> Game:
    """One game file, its key the file's name. Raises BadPack."""
    source = Source(path)
    text = source.convert(source.data, GameText, section="")
    game = Game(
        key=path.stem,
        name=text.name,
        uses=tuple(text.uses),
        cards_per_deck=text.cards_per_deck,
        decks=tuple(text.decks),
        deal_modes=tuple(text.deal_modes),
        cut_mode=text.cut_mode,
        alternation_unit=text.alternation_unit,
        collection=text.collection,
        stack_size=text.stack_size,
        side_wagers=tuple(text.side_wagers),
        seats=text.seats,
        verbal_cash_wagers=text.verbal_cash_wagers,
    )
    validate.game(game, source)
    return game


@lru_cache(maxsize=1)
def packs() -> Mapping[str, tuple[Pack, ...]]:
    """All packs by jurisdiction, oldest first."""
    found: dict[str, list[Pack]] = {}
    for path in sorted(HERE.glob("*/*.toml")):
        if path.parent.name != "games":
            found.setdefault(path.parent.name, []).append(read_pack(path))
    return {place: tuple(sorted(all_, key=lambda pack: pack.effective)) for place, all_ in found.items()}


def jurisdictions() -> tuple[str, ...]:
    """The jurisdictions that have a pack, as "nj", "ny", "pa"."""
    return tuple(sorted(packs()))


@lru_cache(maxsize=1)
def games() -> Mapping[str, Game]:
    """All games by key."""
    return {path.stem: read_game(path) for path in sorted((HERE / "games").glob("*.toml"))}


@lru_cache(maxsize=1)
def house_settings() -> Mapping[str, HouseSetting]:
    """All house settings by key, with default, unit, label and what each governs."""
    return read_house(HERE / "house.toml")


def read_house(path: Path) -> Mapping[str, HouseSetting]:
    """The house settings of one file. Raises BadPack."""
    source = Source(path)
    return {
        key: _house(key, source.convert(value, HouseText, section=key)) for key, value in source.data.items()
    }


def _house(key: str, text: HouseText) -> HouseSetting:
    return HouseSetting(
        key=key,
        label=text.label,
        governs=text.governs,
        default=text.default,
        unit=text.unit,
        options=tuple(text.options),
        least=text.least,
        most=text.most,
    )


def pack_on(jurisdiction: str, on: date) -> Pack:
    """The newest pack of the jurisdiction that is in force on that day. Raises UnknownRules."""
    known = packs().get(jurisdiction.lower(), ())
    current = [pack for pack in known if pack.effective <= on]
    if not current:
        raise UnknownRules(f"no rule pack of {jurisdiction!r} is in force on {on.isoformat()}")
    return current[-1]


def in_force(
    jurisdiction: str,
    game_key: str,
    on: date,
    *,
    readings: Mapping[str, Any] = {},
    house: Mapping[str, Any] = {},
) -> Rules:
    """The rules for one game in one place on one day, with the property's readings and house settings laid over the
    defaults. Unknown ids among the overrides are left out. Raises UnknownRules."""
    pack = pack_on(jurisdiction, on)
    game = games().get(game_key)
    if game is None:
        raise UnknownRules(f"no game {game_key!r}")
    return with_pack(pack, game, readings=readings, house=house)


def with_pack(
    pack: Pack, game: Game, *, readings: Mapping[str, Any] = {}, house: Mapping[str, Any] = {}
) -> Rules:
    """The rules of a given pack and game with overrides laid over the defaults."""
    by_track: dict[str, list[Step]] = {}
    by_command: dict[tuple[str, str], list[Step]] = {}
    for step in pack.steps:
        by_track.setdefault(step.track, []).append(step)
        by_command.setdefault((step.track, step.command), []).append(step)
    chosen = {key: readings.get(key, one.default) for key, one in pack.readings.items()}
    settled = {key: house.get(key, one.default) for key, one in house_settings().items()}
    return Rules(
        pack=pack,
        game=game,
        readings=chosen,
        house=settled,
        governed=pack.governs_game(game.key),
        games=games(),
        by_track={track: tuple(steps) for track, steps in by_track.items()},
        by_command={key: tuple(steps) for key, steps in by_command.items()},
    )
