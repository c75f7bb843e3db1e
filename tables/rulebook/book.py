"""The book as plain values: packs with their figures, readings and clauses, the house settings, as chosen here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pit.rules import load
from pit.rules.model import HouseSetting, Pack, Reading
from tables.domain import stages
from tables.domain.labels import LABELS
from tables.rulebook.usage import Use, uses


class ClausePage(msgspec.Struct, frozen=True, kw_only=True):
    """One clause with everything about it. `uses` as lines a person reads."""

    id: str
    cite: str
    paraphrase: str
    support: str
    uses: tuple[tuple[str, str], ...]
    """(what kind of use, where)"""


class ReadingPage(msgspec.Struct, frozen=True, kw_only=True):
    """An open reading with the option that stands here."""

    id: str
    matter: str
    default: Any
    options: tuple[Any, ...]
    chosen: Any

    @property
    def settled(self) -> bool:
        return bool(self.chosen != self.default)


class SettingPage(msgspec.Struct, frozen=True, kw_only=True):
    """A house setting with the value that stands here."""

    key: str
    label: str
    governs: str
    unit: str
    default: Any
    chosen: Any

    @property
    def changed(self) -> bool:
        return bool(self.chosen != self.default)


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """One pack."""

    jurisdiction: str
    version: str
    title: str
    source: str
    effective: str
    effective_note: str
    governs: tuple[str, ...]
    words: Mapping[str, str]
    parameters: Mapping[str, Any]
    readings: tuple[ReadingPage, ...]
    clauses: tuple[ClausePage, ...]

    @property
    def key(self) -> str:
        """The pack in an address: "ny-2016-09-14"."""
        return key_of(self.version)

    @property
    def whole_law(self) -> bool:
        """It speaks of every game."""
        return "*" in self.governs


def key_of(version: str) -> str:
    """A pack's version as it stands in an address."""
    return version.replace("/", "-")


def address(clause: str, version: str = "") -> str:
    """Where a clause is read: under that version of its pack, else under the newest that has it. Empty for none."""
    if clause in ("house", "pitstand"):
        return f"/rules/{clause}/"
    for dated in load.packs().values():
        for pack in reversed(dated):
            if clause in pack.clauses and version in ("", pack.version):
                return f"/rules/{key_of(pack.version)}/{clause}/"
    return address(clause) if version else ""


def book(pack: Pack, *, readings: Mapping[str, Any] = {}) -> Book:
    """The pack as a book; `readings` are what the property settled."""
    used = uses(pack)
    return Book(
        jurisdiction=pack.jurisdiction,
        version=pack.version,
        title=pack.title,
        source=pack.source,
        effective=pack.effective.isoformat(),
        effective_note=pack.effective_note,
        governs=tuple(_game(one) for one in pack.governs),
        words=pack.words,
        parameters=pack.params,
        readings=tuple(_reading(one, readings) for one in pack.readings.values()),
        clauses=tuple(
            ClausePage(
                id=one.id,
                cite=one.cite,
                paraphrase=one.paraphrase,
                support=one.support,
                uses=tuple(dict.fromkeys(said(use, pack) for use in used[one.id])),
            )
            for one in pack.clauses.values()
        ),
    )


def _game(key: str) -> str:
    found = load.games().get(key)
    return found.name if found else key


def _reading(one: Reading, chosen: Mapping[str, Any]) -> ReadingPage:
    return ReadingPage(
        id=one.id,
        matter=one.matter,
        default=one.default,
        options=one.options,
        chosen=chosen.get(one.id, one.default),
    )


def settings(known: Mapping[str, HouseSetting], chosen: Mapping[str, Any] = {}) -> tuple[SettingPage, ...]:
    """The house settings, each with what this house chose."""
    return tuple(
        SettingPage(
            key=one.key,
            label=one.label,
            governs=one.governs,
            unit=one.unit,
            default=one.default,
            chosen=chosen.get(one.key, one.default),
        )
        for one in known.values()
    )


KINDS: Mapping[str, str] = {
    "command": "Command",
    "rank": "Who may",
    "guard": "Guard",
    "step": "Step",
    "irregularity": "Irregularity",
    "shown": "Shown with",
    "figure": "Figure",
    "part": "With",
}


def said(use: Use, pack: Pack) -> tuple[str, str]:
    """A use as a person reads it: what kind it is, and where it is."""
    act = _act(use.command, pack) if use.command else ""
    match use.kind:
        case "rank":
            where = f"{act}: {pack.words.get(use.name, use.name.replace('_', ' '))} or above"
        case "guard":
            where = f"{act}: {use.name.replace('_', ' ')}"
        case "step":
            where = act if use.name == "=" else f"{act}, to “{stages.WORDS.get(use.name, use.name)}”"
        case "irregularity":
            where = pack.irregularities[use.name].words
        case "part":
            where = pack.clauses[use.name].cite
        case "figure":
            where = use.name.replace("_", " ")
        case _:
            where = act
    return KINDS[use.kind], where


def _act(command: str, pack: Pack) -> str:
    player, dealer = pack.words.get("player", "player"), pack.words.get("dealer", "dealer")
    label = LABELS.get(command, command)
    return label.format(player=player, Player=player.capitalize(), dealer=dealer)


def search(books: Sequence[Book], text: str) -> list[tuple[Book, ClausePage]]:
    """Clauses in which every word of `text` stands: in id, citation, paraphrase or use."""
    words = text.casefold().split()
    return [(one, clause) for one in books for clause in one.clauses if words and _holds(clause, words)]


def _holds(clause: ClausePage, words: Sequence[str]) -> bool:
    text = " ".join(
        (clause.id, clause.cite, clause.paraphrase, clause.support, *(where for _, where in clause.uses))
    ).casefold()
    return all(word in text for word in words)
