"""The table sheet as a view of what the domain offers: the next step, what else is lawful, what is not yet and why.

Everything that may or may not be done comes from `offers()`; this module sorts it for the eye and gives it an address.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from pit.record.contract import By, Refused
from tables import picture, words
from tables.condition import Glance, glance, short
from tables.domain import cutting, holding, stages
from tables.domain.commands import COMMANDS
from tables.domain.deadlines import deadlines
from tables.domain.faults import CODES
from tables.domain.offer import Ask, Offer, TrackStep
from tables.domain.offers import needs, offers, track
from tables.domain.state import Alert, Device, DiceSet, Player, TableState, Term
from tables.held import Held, Open, about, held, open_ones
from tables.history import Line
from tables.models import Condition, Table
from tables.reading import Reading
from tables.tiles import action, due_words, game_name, hidden

ON_THE_RING = frozenset({"seat"})
"""Offers of this group are made by tapping a seat in the picture."""
RARE = frozenset({"table", "device", "dice", "decision"})
"""Groups whose blocked steps are shown on demand: they say little about what to do next."""
ORDER = ("step", "cut", "round", "idle", "seat", "decision", "dice", "device", "table")
"""Lawful steps in the order of how often they are pressed; what closes the table comes last."""
HAPPENED = "RecordIrregularity"
"""Asked for by a sheet of its own."""
COMING = 3
WORDS_UNDER_THE_TRACK = 8
"""Steps ahead on the procedure that are shown as *not yet*."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One offer with its address. `direct`: one tap records it; else its form asks something first."""

    command: str
    label: str
    address: str
    fields: tuple[tuple[str, str], ...]
    direct: bool
    more: bool
    """Direct, and yet there is something that may be told: a depth, a number of rounds."""
    clause: str
    cite: str
    paraphrase: str
    needs: tuple[str, ...]
    group: str
    shows: tuple[tuple[str, str, str], ...] = ()
    """Clauses of conduct to be seen with this step: (id, where it stands, what it says)."""

    @property
    def key(self) -> str:
        """An id that stays the same while the table changes, so that the focus finds its way back."""
        return "-".join(["do", self.command, *(value for _, value in self.fields)])


class Blocked(msgspec.Struct, frozen=True, kw_only=True):
    """A step that is not yet lawful, with why and what comes first."""

    label: str
    message: str
    next_step: str
    code: str
    clause: str
    cite: str
    paraphrase: str
    rare: bool


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """An open irregularity with the buttons that answer it."""

    one: Open
    steps: tuple[Step, ...]


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """A batch, a set of dice or a device on the sheet. `tone` as a condition; a clock runs from `since` to `due_at`."""

    title: str
    lines: tuple[str, ...] = ()
    tone: str = ""
    back: str = ""
    since: datetime | None = None
    due_at: datetime | None = None


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """Equipment drawn beside the dealer."""

    word: str
    tone: str
    x: int
    width: int
    y: int = 264

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def text_y(self) -> int:
        return self.y + 19


class Ring(msgspec.Struct, frozen=True, kw_only=True):
    """The picture of the seats."""

    felt: str
    spots: tuple[picture.Spot, ...]
    things: tuple[Box, ...]
    turn: picture.Turn | None
    say: str
    sub: str
    seat: float = picture.WIDEST
    """Radius of a seat."""

    @property
    def small(self) -> bool:
        """Whether the seats are many, so that their numbers are written smaller."""
        return self.seat < picture.WIDEST * 0.8


class Later(msgspec.Struct, frozen=True, kw_only=True):
    """Blocked steps that one sentence explains."""

    message: str
    steps: tuple[Blocked, ...]


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `_sheet.html` shows."""

    seq: int
    stream: str
    game: str
    set_up: str
    pack: str
    governed: bool
    glance: Glance
    stage: str
    next: Step | None
    also_next: tuple[Step, ...]
    lawful: tuple[Step, ...]
    happened: Step | None
    """The way to record that something irregular happened."""
    rulings: tuple[Ruled, ...]
    holds: tuple[Held, ...]
    blocked: tuple[Blocked, ...]
    ring: Ring | None
    track: tuple[TrackStep, ...]
    things: tuple[Thing, ...]
    dues: tuple[tuple[str, datetime], ...]
    alerts: tuple[str, ...]
    entries: tuple[Line, ...]
    terms: tuple[Term, ...]
    """What is in force here in the matters of notice, since when."""

    @property
    def headline(self) -> str:
        """What stands beside the number: the hold where there is one, else the stage."""
        return self.glance.word if self.glance.condition == Condition.HOLD else self.stage

    @property
    def long_track(self) -> bool:
        """Too many steps to write a word under each."""
        return len(self.track) > WORDS_UNDER_THE_TRACK

    @property
    def place(self) -> tuple[int, str, str]:
        """Where the procedure stands: the step's number, its words, and the words of the one after it."""
        at = next((nth for nth, one in enumerate(self.track) if one.state == "current"), 0)
        coming = self.track[at + 1].words if at + 1 < len(self.track) else ""
        return at + 1, self.track[at].words if self.track else "", coming

    @property
    def near_blocked(self) -> bool:
        """Whether some blocked steps are near enough to be shown at once."""
        return any(not one.rare for one in self.blocked)

    @property
    def later(self) -> tuple[Later, ...]:
        """Blocked steps that are shown on demand only, those with the same reason together."""
        groups: dict[str, list[Blocked]] = {}
        for one in self.blocked:
            if one.rare:
                groups.setdefault(one.message, []).append(one)
        return tuple(Later(message=said, steps=tuple(steps)) for said, steps in groups.items())


def sheet(table: Table, found: Reading, *, by: By, now: datetime, entries: Sequence[Line] = ()) -> Sheet:
    """The sheet of one table for one person."""
    made = offers(found.state, found.rules, by=by, now=now)
    lawful = [offer for offer in made if offer.lawful]
    first = next((offer for offer in lawful if offer.next), None) or _called_for(found, lawful)
    beside = tuple(
        offer for offer in lawful if first and offer is not first and _answers_the_same(first, offer)
    )
    answers = [one for one in lawful if "irregularity" in one.fields]
    apart = (first, *beside, *answers)
    rest = [
        one for one in lawful if one not in apart and one.group not in ON_THE_RING and one.command != HAPPENED
    ]
    rest.sort(key=lambda one: ORDER.index(one.group) if one.group in ORDER else len(ORDER))
    state, holds = found.state, holding.at(found.state, found.rules, now=now)
    happened = next((offer for offer in lawful if offer.command == HAPPENED), None)
    way = tuple(one for one in track(state, found.rules) if one.stage != stages.CLOSED)
    coming = [one.command for one in way if one.state == "left"][:COMING]
    return Sheet(
        seq=found.seq,
        stream=table.stream,
        game=game_name(table.game),
        set_up=_set_up(state),
        pack=f"{found.rules.pack.jurisdiction.upper()} {found.rules.pack.effective}",
        governed=found.rules.governed,
        glance=glance(state, holds=holds),
        stage=words.stage(state.stage),
        next=step(table.pk, first, found.rules) if first else None,
        also_next=tuple(step(table.pk, offer) for offer in beside),
        lawful=tuple(step(table.pk, offer) for offer in rest),
        happened=step(table.pk, happened) if happened else None,
        rulings=tuple(
            Ruled(one=one, steps=tuple(step(table.pk, offer) for offer in about(answers, one.id)))
            for one in open_ones(state, found.rules)
        ),
        holds=held(holds, found.rules),
        blocked=_not_yet(made, coming),
        ring=_ring(state, found.rules),
        track=way,
        things=(*_batches(state), *_dice(state), *_devices(state)),
        dues=tuple((due_words(due.kind), due.due_at) for due in deadlines(state, found.rules)),
        alerts=tuple(_alert(alert) for alert in state.alerts),
        entries=tuple(entries),
        terms=state.terms,
    )


def _called_for(found: Reading, lawful: Sequence[Offer]) -> Offer | None:
    """Where the procedure itself asks nothing: what a hold or an alert at this table calls for."""
    wanted = [need.command for need in needs(found.state, found.rules) if need.blocks or need.due_at]
    return next((offer for name in wanted for offer in lawful if offer.command == name), None)


def _answers_the_same(first: Offer, other: Offer) -> bool:
    """Another answer to the same question: the player cuts or refuses, the device is covered or bears the sign."""
    pair = {first.command, other.command}
    return len(pair) == 2 and (first.group == "cut" == other.group or pair == {"CoverDevice", "SignDevice"})


def step(table: int, offer: Offer, rules: Any = None) -> Step:
    """An offer as a button; with the rules also what is shown beside it."""
    known = {name: value for name, value in offer.fields.items() if value is not None}
    direct = (
        not offer.needs
        and offer.command != HAPPENED
        and all(_is_told(ask, known, offer) for ask in offer.asks)
    )
    return Step(
        command=offer.command,
        label=offer.label,
        address=action(table, offer.command, known),
        fields=tuple(hidden(known)),
        direct=direct,
        more=direct and any(ask.optional or len(ask.options) > 1 for ask in offer.asks),
        clause=offer.clause,
        cite=offer.cite,
        paraphrase=offer.paraphrase,
        needs=offer.needs,
        group=offer.group,
        shows=_shows(offer.command, rules) if rules is not None else (),
    )


def _shows(command: str, rules: Any) -> tuple[tuple[str, str, str], ...]:
    """Conduct that the text asks of this step; nothing where it does not govern the game."""
    told = rules.command(command).shows if rules.governed else ()
    return tuple((one, rules.cite(one), rules.paraphrase(one)) for one in told)


def _is_told(ask: Ask, known: Mapping[str, Any], offer: Offer) -> bool:
    """Whether one tap may leave the question: a figure that nobody must tell, or an answer that the button names."""
    if offer.group == "cut" and ask.kind == "seat" and ask.name in known:
        return True  # the button names the seat
    if ask.optional and ask.kind in ("number", "seat"):
        return True
    given = known.get(ask.name)
    chosen = set(map(str, given)) if isinstance(given, list | tuple) else {str(given)} if given else set()
    if not chosen or not ask.options:
        return False
    if chosen == {value for value, _ in ask.options}:
        return True  # all there is
    said = [words for value, words in ask.options if value in chosen]
    return bool(said) and all(word and word.lower() in offer.label.lower() for word in said)


def _not_yet(made: Sequence[Offer], coming: Sequence[str]) -> tuple[Blocked, ...]:
    """What is refused, in the order of the procedure: what comes next stands first."""
    refused = [one for one in made if one.refused and one.group not in ON_THE_RING]
    refused.sort(key=lambda one: coming.index(one.command) if one.command in coming else len(coming))
    return tuple(_blocked(one, coming) for one in refused)


def _alert(alert: Alert) -> str:
    said = alert.kind.replace("_", " ").capitalize()
    return f"{said}: {alert.detail}" if alert.detail else said


def _blocked(offer: Offer, coming: Collection[str] = ()) -> Blocked:
    refused = offer.refused
    assert refused is not None
    return Blocked(
        label=offer.label,
        message=_why_not(refused),
        next_step=refused.next_step,
        code=refused.code,
        clause=refused.clause or offer.clause,
        cite=refused.cite or offer.cite,
        paraphrase=offer.paraphrase if refused.cite in ("", offer.cite) else "",
        rare=offer.group in RARE or (refused.code == "OUT_OF_SEQUENCE" and offer.command not in coming),
    )


def _why_not(refused: Refused) -> str:
    """Out of sequence says itself; what helps is the step that comes first."""
    if refused.code == "OUT_OF_SEQUENCE" and refused.next_step:
        return f"Not at this point. What comes next here: {refused.next_step.rstrip('.')}."
    return refused.message


def _set_up(state: TableState) -> str:
    if state.config is None:
        return "not set up"
    decks = state.config.decks
    return f"{decks} deck{'s' if decks > 1 else ''}" if decks else f"{state.config.seats} places"


# ---- the ring


def _ring(state: TableState, rules: Any) -> Ring | None:
    if state.config is None or not state.config.seats:
        return None
    seats = state.config.seats
    cutting_now = state.stage in TO_BE_CUT
    player = cutting.asked_now(state, rules) if cutting_now else None
    asked = player.seat if player else None
    refusing = [answer.seat for answer in state.cut.answers if not answer.accepted] if cutting_now else []
    numbers = range(1, seats + 1)
    clockwise = (rules.param("rotation_step") or 1) > 0
    say, sub = _say(state, asked)
    return Ring(
        felt=picture.felt(),
        spots=picture.spots(
            seats,
            words=[_seat_word(state, seat, asked, refusing) for seat in numbers],
            signs=[_seat_signs(state, seat, asked, refusing) for seat in numbers],
        ),
        things=_boxes(state),
        turn=_turn(cutting.order(state, rules), asked, refusing, seats, clockwise) if cutting_now else None,
        say=say,
        sub=sub,
        seat=picture.radius(seats),
    )


def _seat_signs(state: TableState, seat: int, asked: int | None, refused: Sequence[int]) -> tuple[str, ...]:
    told = {"taken": state.player_at(seat) is not None, "asked": seat == asked, "refused": seat in refused}
    return tuple(sign for sign, holds in told.items() if holds)


def _seat_word(state: TableState, seat: int, asked: int | None, refused: Sequence[int]) -> str:
    if seat == asked:
        return "asked"
    if seat in refused:
        return "refused"
    if state.cut.seat == seat and state.stage in (stages.CUT, stages.COVERED):
        return "cut"
    out = state.cover_out
    return "cover card" if out is not None and out.seat == seat and state.stage == stages.SHUFFLE_DUE else ""


def _turn(
    order: Sequence[Player], asked: int | None, refused: Sequence[int], seats: int, clockwise: bool
) -> picture.Turn | None:
    """From who refused to who is asked; before any refusal, from who is asked to who would be next."""
    if refused:
        return picture.turn(refused[-1], asked, seats=seats, clockwise=clockwise)
    coming = [player.seat for player in order if player.seat != asked]
    return picture.turn(asked, coming[0] if coming else None, seats=seats, clockwise=clockwise)


def _say(state: TableState, asked: int | None) -> tuple[str, str]:
    if state.stage in TO_BE_CUT:
        who = f"Seat {asked} cuts" if asked else "The dealer cuts"
        refused = len([answer for answer in state.cut.answers if not answer.accepted])
        return who, f"{refused} refused" if refused else words.stage(state.stage).lower()
    if state.stage in stages.IN_PLAY and state.players:
        return (f"Round {state.round}" if state.round else words.stage(state.stage)), _people(state)
    return short(state.stage), _people(state)


def _people(state: TableState) -> str:
    count = len(state.players)
    return "no players" if not count else f"{count} player{'s' if count > 1 else ''}"


def _boxes(state: TableState) -> tuple[Box, ...]:
    """The dealer in the middle, shoe and shuffler at his left, the rack at his right."""
    assert state.config is not None
    dealer = f"dealer {state.dealer}".strip()
    boxes = [Box(word=dealer[:14], tone="", x=192, width=96)]
    left = [("shoe", "")] if state.config.deal_mode in ("shoe", "stacks") else []
    device = state.shuffler
    if device is not None:
        left.append(("shuffler", "hold" if device.failed else ""))
    for nth, (word, tone) in enumerate(left):
        boxes.append(Box(word=word, tone=tone, x=130 - nth * 66, width=58 + nth * 4))
    if state.config.decks:
        boxes.append(Box(word="rack", tone="", x=292, width=60))
    return tuple(boxes)


# ---- what lies on the table

TO_BE_CUT = frozenset({stages.SHUFFLED, stages.CUT_OFFERED, stages.RECUT_REQUIRED})
PLACES = {
    "table": "on the table",
    "device": "in the shuffler",
    "shoe": "in the shoe",
    "rack": "in the discard rack",
}

PROGRESS = {
    "SPREAD": "spread",
    "FACE_DOWN": "face down",
    "WASHED": "washed",
    "STACKED": "stacked",
    "LOADED": "being shuffled",
    "SHUFFLED": "shuffled",
    "USED": "to be shuffled",
}


def _batches(state: TableState) -> list[Thing]:
    return [
        Thing(
            title=f"{batch.back.capitalize()} batch",
            back=batch.back.lower(),
            lines=tuple(filter(None, (_place(state, batch.place), PROGRESS.get(batch.progress, "")))),
        )
        for batch in state.batches
    ]


def _place(state: TableState, place: str) -> str:
    """Where a batch is. What is dealt from the hand lies in no shoe."""
    if place == "shoe" and state.config is not None and state.config.deal_mode == "hand":
        return "in the dealer's hand"
    return PLACES.get(place, place)


def _dice(state: TableState) -> list[Thing]:
    return [_dice_set(dice) for dice in state.dice]


def _dice_set(dice: DiceSet) -> Thing:
    held = f"answers for them: {dice.responsible}" if dice.responsible else ""
    where = f"in shaker {dice.shaker}" if dice.shaker else ""
    return Thing(
        title=f"Dice {dice.id}",
        lines=tuple(filter(None, (where, held))),
        since=dice.placed_at,
        due_at=dice.due_at,
    )


def _devices(state: TableState) -> list[Thing]:
    return [_device(device) for device in state.devices]


DEVICES = {"continuous": "Continuous shuffler", "counting": "Counting shuffler", "rng": "Number generator"}


def _device(device: Device) -> Thing:
    kind = DEVICES.get(device.kind) or device.kind.replace("_", " ").capitalize()
    if not device.failed:
        return Thing(title=kind, lines=(f"{device.id} · in service",))
    shown = (
        "covered"
        if device.covered_at
        else "sign posted"
        if device.signed_at
        else "neither covered nor signed"
    )
    return Thing(
        title=f"{kind} out of order",
        lines=tuple(filter(None, (device.id, _fault(device.fault), shown))),
        tone="hold",
        since=device.failed_at,
    )


def _fault(code: str) -> str:
    """A fault in words; the code of a kind that is not known here says itself."""
    known = CODES.get(code)
    return known.words if known else code


# ---- one seat, one command


def at_seat(table: int, made: Sequence[Offer], seat: int) -> tuple[list[Step], list[Blocked]]:
    """What may be recorded at one seat, and what may not and why."""
    here = [one for one in (_seated(offer, seat) for offer in made) if one is not None]
    return [step(table, offer) for offer in here if offer.lawful], [
        _blocked(offer) for offer in here if offer.refused
    ]


def _seated(offer: Offer, seat: int) -> Offer | None:
    """The offer as it reads for that seat; None when it does not speak of it."""
    asking = next((ask for ask in offer.asks if ask.kind == "seat"), None)
    if asking is None:
        return offer if offer.fields.get("seat") == seat else None
    if asking.options and str(seat) not in dict(asking.options):
        return None
    left = tuple(ask for ask in offer.asks if ask is not asking)
    return msgspec.structs.replace(offer, fields={**offer.fields, asking.name: seat}, asks=left)


def find(made: Sequence[Offer], command: str, given: Mapping[str, Any]) -> Offer | None:
    """The offer of a command that agrees best with what is known already (the batch, the seat)."""
    named = [offer for offer in made if offer.command == command]

    def agreement(offer: Offer) -> int:
        return sum(str(offer.fields.get(name, "")) == str(value) for name, value in given.items())

    return max(named, key=agreement, default=None)


def without(offer: Offer, given: Mapping[str, Any]) -> Offer:
    """The offer for its form: what the form asks is no hidden field; what was chosen before coming here is."""
    asked = {ask.name for ask in offer.asks}
    known = {name: value for name, value in offer.fields.items() if name not in asked}
    shape = {field.name for field in msgspec.structs.fields(COMMANDS[offer.command])}
    chosen = {name: value for name, value in given.items() if name in shape - asked}
    return msgspec.structs.replace(offer, fields={**known, **chosen})
