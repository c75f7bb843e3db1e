"""What a pack must hold before anybody may act under it. Each failure is a BadPack with file, line and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pit.rules.checks import CHECKS, COMMANDS, PROGRESS, STAGES, TRACKS
from pit.rules.model import HOUSE, CommandRule, Game, Pack
from pit.rules.roles import OUTSIDE, RANK
from pit.rules.source import BadPack, Source

SECTIONS = {"pack", "words", "params", "reading", "clause", "command", "step", "irregularity"}
WORDS = ("floorperson", "commission_staff", "surveillance", "facility")
PARAMS: dict[str, type | tuple[type, ...]] = {
    "min_cut": int,
    "dealer_min_from_top": int,
    "rotation_step": int,
    "shoe_cover_rule": str,
    "recut_window_end": str,
    "idle_face": str,
    "idle_sources": str,
    "count_every_rounds": int,
    "dice_hours": int,
}
"""Parameters that the decider reads, with their type. A pack leaves out what its text does not give."""
USES = {"cards", "dice", "shaker", "rng", "tiles", "wheel"}
DEAL_MODES = {"shoe", "hand", "stacks"}


def sections(source: Source) -> None:
    """No section that nobody reads."""
    for name in source.data:
        if name not in SECTIONS:
            raise source.bad("", name, "no such section in a rule pack")
    for name in ("step", "irregularity"):
        if not isinstance(source.data.get(name, []), list):
            raise source.bad("", name, "must be an array of tables, written [[...]]")


def pack(found: Pack, source: Source, path: Path) -> None:
    """The whole pack: place and date against its file's name, then each section."""
    if (found.jurisdiction, found.effective.isoformat()) != (path.parent.name, path.stem):
        raise source.bad(
            "pack", "effective", "jurisdiction and effective date must be those of the file's name"
        )
    _words(found, source)
    _params(found, source)
    _readings(found, source)
    _commands(found, source)
    _steps(found, source)
    _irregularities(found, source)


def _known_clause(found: Pack, clause: str) -> bool:
    return clause == HOUSE or clause in found.clauses


def _words(found: Pack, source: Source) -> None:
    for key, value in found.words.items():
        if not isinstance(value, str) or not value:
            raise source.bad("words", key, "must be a word")
    for key in WORDS:
        if key not in found.words:
            raise source.bad("words", key, "missing: every pack has the place's word for it")


def _params(found: Pack, source: Source) -> None:
    for key, value in found.params.items():
        kind = PARAMS.get(key)
        if kind is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise source.bad("params", key, f"wrong type: {type(value).__name__}")


def _readings(found: Pack, source: Source) -> None:
    for key, one in found.readings.items():
        if one.options and one.default not in one.options:
            raise source.bad(f"reading.{key}", "default", "the default is none of the options")


def _commands(found: Pack, source: Source) -> None:
    for name in sorted(COMMANDS - set(found.commands)):
        problem = "missing: every command has an entry"
        raise BadPack(file=source.name, line=1, key=f"command.{name}", problem=problem)
    for name, rule in found.commands.items():
        if wrong := _wrong_command(found, rule, _raw(source, name)):
            raise source.bad(f"command.{name}", wrong[0], wrong[1])


def _wrong_command(found: Pack, rule: CommandRule, written: dict[str, Any]) -> tuple[str, str] | None:
    """Key and problem of the first thing that is wrong with a command's entry."""
    if rule.name not in COMMANDS:
        return "", "no such command"
    if not rule.not_governed and "clause" not in written:
        return "clause", "missing clause (or not_governed = true)"
    for key, clause in (
        ("clause", rule.clause),
        ("rank_clause", rule.rank_clause),
        *(("shows", clause) for clause in rule.shows),
    ):
        if not _known_clause(found, clause):
            return key, f"no clause {clause!r} in this pack"
    for key, role in (("rank", rule.rank), ("second", rule.second or rule.rank)):
        if role not in RANK:
            return key, "no such role on the ladder"
    if not set(rule.also) <= OUTSIDE:
        return "also", "only roles outside the ladder stand here"
    return _wrong_guard(found, rule)


def _wrong_guard(found: Pack, rule: CommandRule) -> tuple[str, str] | None:
    for guard in rule.guards:
        if guard.check not in CHECKS:
            return "guards", f"unknown check {guard.check!r}"
        if not _known_clause(found, guard.clause):
            return "guards", f"{guard.check}: no clause {guard.clause!r} in this pack"
    return None


def _raw(source: Source, name: str) -> dict[str, Any]:
    found = source.table("command")[name]
    return found if isinstance(found, dict) else {}


def _steps(found: Pack, source: Source) -> None:
    for nth, step in enumerate(found.steps):
        wrong = _wrong_step(found, step)
        if wrong:
            raise source.bad("step", wrong[0], wrong[1], nth=nth)


def _wrong_step(found: Pack, step: Any) -> tuple[str, str] | None:
    if step.track not in TRACKS:
        return "track", f"no track {step.track!r}"
    if step.command not in COMMANDS:
        return "command", f"no command {step.command!r}"
    unknown = [stage for stage in step.from_ if stage not in STAGES]
    if unknown:
        return "from", f"no stage {unknown[0]!r}"
    if step.to not in STAGES | {"="}:
        return "to", f"no stage {step.to!r}"
    if not set(step.batch_from) <= PROGRESS or (step.batch_to and step.batch_to not in PROGRESS):
        return "batch_from", "no such progress of a batch"
    if not _known_clause(found, step.clause):
        return "clause", f"no clause {step.clause!r} in this pack"
    return None


def _irregularities(found: Pack, source: Source) -> None:
    for nth, one in enumerate(found.irregularities.values()):
        for clause in one.clauses:
            if not _known_clause(found, clause):
                raise source.bad("irregularity", "clauses", f"no clause {clause!r} in this pack", nth=nth)


def game(found: Game, source: Source) -> None:
    """A game file: words of the closed lists, cards where cards are used."""
    for use in found.uses:
        if use not in USES:
            raise source.bad("", "uses", f"no such use {use!r}")
    for mode in found.deal_modes:
        if mode not in DEAL_MODES:
            raise source.bad("", "deal_modes", f"no such deal mode {mode!r}")
    if found.cut_mode not in {"offered", "dealer_only"}:
        raise source.bad("", "cut_mode", "must be offered or dealer_only")
    if found.alternation_unit not in {"shoe", "round"}:
        raise source.bad("", "alternation_unit", "must be shoe or round")
    if found.has_cards and not (found.cards_per_deck > 0 and found.decks and found.deal_modes):
        raise source.bad("", "cards_per_deck", "a card game says cards_per_deck, decks and deal_modes")
    if not 1 <= found.seats[0] <= found.seats[1]:
        raise source.bad("", "seats", "must be the least and the most number of seats")
