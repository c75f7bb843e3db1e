"""What a rule pack, a game and a house setting are once they are read. Frozen values; no Django, no clock, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

HOUSE = "house"
"""The clause of what no text governs: house procedure (A-53)."""


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the matrix: where it stands, what it says in our words, and how it is supported."""

    id: str
    cite: str
    paraphrase: str
    support: str = ""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """An open reading (requirements §6): a setting with the default that was chosen."""

    id: str
    matter: str
    default: Any
    options: tuple[Any, ...] = ()


class Guard(msgspec.Struct, frozen=True, kw_only=True):
    """A check of the closed list with the clause under which it refuses."""

    check: str
    clause: str


class CommandRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a pack says about one command.

    `rank` is the lowest role that may give it; `signed` asks for that person's PIN, `second` for another person of at
    least that role who signs too.
    """

    name: str
    clause: str = HOUSE
    not_governed: bool = False
    rank: str = "dealer"
    rank_clause: str = HOUSE
    also: tuple[str, ...] = ()
    """Roles outside the ladder that may give it too ("device", "system", "administrator")."""
    signed: bool = False
    second: str = ""
    guards: tuple[Guard, ...] = ()
    shows: tuple[str, ...] = ()
    """Clauses of conduct that the sheet shows with this step; nothing is refused by them."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a sequence: on this track the command leads from one of these stages to that one.

    `to` "=" leaves the stage as it is. Where a sequence runs batch by batch while the table's stage stays, the batch
    that the command speaks of must stand at one of `batch_from` and comes to `batch_to`. `optional` steps are lawful
    and never asked for.
    """

    track: str
    command: str
    from_: tuple[str, ...]
    to: str
    clause: str
    batch_from: tuple[str, ...] = ()
    batch_to: str = ""
    optional: bool = False


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """An event that the text names, with the outcome as it states it; what is absent is silence (A-37)."""

    key: str
    words: str
    trigger: str
    clauses: tuple[str, ...]
    asks: tuple[str, ...] = ()
    consequences: Mapping[str, Any] = {}
    steps: tuple[str, ...] = ()
    prompt: str = ""
    inferred: Mapping[str, Any] = {}


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of one jurisdiction from one day on. Superseded by date, never edited."""

    jurisdiction: str
    title: str
    source: str
    effective: date
    effective_note: str
    governs: tuple[str, ...]
    words: Mapping[str, str]
    params: Mapping[str, Any]
    readings: Mapping[str, Reading]
    clauses: Mapping[str, Clause]
    commands: Mapping[str, CommandRule]
    steps: tuple[Step, ...]
    irregularities: Mapping[str, Irregularity]

    @property
    def version(self) -> str:
        """Name of the pack in the Record, as "ny/2016-09-14"."""
        return f"{self.jurisdiction}/{self.effective.isoformat()}"

    def governs_game(self, key: str) -> bool:
        """True when the text speaks of this game; any other game runs on house procedure."""
        return "*" in self.governs or key in self.governs


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the pit needs it: what lies on the table, how it is dealt and cut."""

    key: str
    name: str
    uses: tuple[str, ...]
    """Of "cards", "dice" (thrown), "shaker" (pai gow dice), "rng", "tiles", "wheel"."""
    cards_per_deck: int = 0
    decks: tuple[int, ...] = ()
    deal_modes: tuple[str, ...] = ()
    """Of "shoe", "hand", "stacks" (automated dealing shoe); the first is the default."""
    cut_mode: str = "offered"
    """"offered" to the players or "dealer_only" (A-30)."""
    alternation_unit: str = "shoe"
    """What a two-batch shuffler alternates by: "shoe" or "round" (A-28)."""
    collection: str = "dealer_then_far_right"
    stack_size: int = 0
    """Cards in a stack of an automated dealing shoe; 0 when the game has none."""
    side_wagers: tuple[str, ...] = ()
    seats: tuple[int, int] = (1, 9)
    verbal_cash_wagers: bool = False

    @property
    def has_cards(self) -> bool:
        """True when cards are shuffled and dealt here."""
        return "cards" in self.uses


class HouseSetting(msgspec.Struct, frozen=True, kw_only=True):
    """A figure or a choice that no regulation gives; shown as the house's own wherever it appears."""

    key: str
    label: str
    governs: str
    default: Any
    unit: str = ""
    options: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force for one table at one moment: pack, game, readings and house settings after overrides."""

    pack: Pack
    game: Game
    readings: Mapping[str, Any]
    house: Mapping[str, Any]
    governed: bool
    """True when the pack's text speaks of this game; otherwise the same steps are house procedure (A-53)."""
    games: Mapping[str, Game] = {}
    by_track: Mapping[str, tuple[Step, ...]]
    by_command: Mapping[tuple[str, str], tuple[Step, ...]]

    @property
    def version(self) -> str:
        """The pack as an entry of the Record names it."""
        return self.pack.version

    def param(self, name: str) -> Any:
        """A parameter of the pack; None when the text gives none."""
        return self.pack.params.get(name)

    def reading(self, id: str) -> Any:
        """The reading chosen for an open matter, None when the pack does not have that matter."""
        return self.readings.get(id)

    def command(self, name: str) -> CommandRule:
        """The entry of a command; every pack has one for every command (checked at load)."""
        return self.pack.commands[name]

    def guards(self, name: str) -> tuple[Guard, ...]:
        """The checks of a command in their order."""
        return self.pack.commands[name].guards

    def clause(self, id: str) -> Clause | None:
        """A clause of the pack by its id; None for "house" and "pitstand"."""
        return self.pack.clauses.get(id)

    def under(self, clause: str) -> str:
        """The clause as it binds this game: the text's own, or "house" where the text does not govern the game."""
        return clause if self.governed else HOUSE

    def cite(self, clause: str) -> str:
        """Where a clause stands: "5324.2(b)(11)", or that it is the house's own or the software's."""
        found = self.pack.clauses.get(clause)
        if found is not None:
            return found.cite
        return {"house": "house procedure", "pitstand": "Pitstand"}.get(clause, clause)

    def paraphrase(self, clause: str) -> str:
        """What a clause says, in our own words; empty for what no text governs."""
        found = self.pack.clauses.get(clause)
        return found.paraphrase if found is not None else ""

    def word(self, neutral: str) -> str:
        """The place's own word: "floorperson" is "table games supervisor" in New York."""
        return self.pack.words.get(neutral, neutral.replace("_", " "))

    def steps(self, track: str) -> tuple[Step, ...]:
        """The rows of one track in the order of the pack."""
        return self.by_track.get(track, ())

    def steps_of(self, track: str, command: str) -> tuple[Step, ...]:
        """The rows of one command on one track."""
        return self.by_command.get((track, command), ())
