"""The demo's evening: every table told its story through the real door, dated over the last hours.

A story is told whole or not at all, and once: a table that has gone further than its set-up is left alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from pit.floor.demo.houses import NoDemo, demo_logins
from pit.people.authority import by_for
from pit.people.models import Staff
from pit.record import codec, door
from pit.record.contract import By, Refused
from pit.record.models import Stream
from tables import demo_changes
from tables.domain import commands as ask
from tables.domain.state import TableState
from tables.models import Table

log = logging.getLogger(__name__)
BEFORE = timedelta(hours=30)
"""The houses are set up so long before now."""
SET_UP = 3
"""Entries of a table that has only been set up: opened stream, set-up, what is in force."""


class StoryRefused(RuntimeError):
    """The door refused a step of a story: the demo does not fit the rules any more."""


class Teller:
    """One table and the moment at which its story stands."""

    def __init__(self, table: Table, *, floor: By, now: datetime) -> None:
        self.table, self.by, self.end, self.now = table, floor, now, now
        self.step = 0

    @property
    def state(self) -> TableState:
        text = Stream.objects.values_list("state", flat=True).get(name=self.table.stream)
        state: TableState = codec.loads(text, TableState)
        return state

    def starts(self, **ago: float) -> Teller:
        """The story begins so long before now."""
        self.now = self.end - timedelta(**ago)
        return self

    def wait(self, minutes: float) -> Teller:
        self.now = min(self.now + timedelta(minutes=minutes), self.end)
        return self

    def until(self, **ago: float) -> Teller:
        """Nothing happens until so long before now."""
        self.now = max(self.now, self.end - timedelta(**ago))
        return self

    def does(self, command: Any, *, then: float = 1) -> Teller:
        """One command through the door; `then` minutes pass. Raises StoryRefused."""
        self.step += 1
        key = f"demo:{self.table.pk}:{self.step}"
        answer = door.submit(command, stream=self.table.stream, by=self.by, key=key, now=self.now)
        if answer.refused is not None:
            raise StoryRefused(
                f"{self.table.number}: {command}: {answer.refused.code} {answer.refused.message}"
            )
        return self.wait(then)

    def brings_cards(self) -> Teller:
        config = self.state.config
        assert config is not None
        if config.batches:
            self.does(ask.ReceiveCards(set_id=f"CS-{4000 + self.table.pk}"), then=4)
        return self

    def brings_dice(self) -> Teller:
        """The shaker's three dice, or the five of a craps table."""
        config = self.state.config
        assert config is not None
        dealer = self.by.second.name if self.by.second else ""
        if config.shaker:
            name = f"DL-{500 + self.table.pk}"
            self.does(ask.PlaceDice(set_id=name, shaker=config.shaker, responsible=dealer))
        elif "craps" in config.game:
            self.does(ask.PlaceDice(set_id=f"DL-{500 + self.table.pk}", number=5, responsible=dealer))
        return self

    def opens(self) -> Teller:
        """Cards brought, inspected by two and spread; the table is open."""
        self.brings_cards()
        if self.state.card_set is not None:
            self.does(ask.InspectCards(), then=3)
        self.does(ask.OpenTable(), then=2)
        if batches := self.state.batches:
            self.does(ask.RecordSpread(batches_separate=len(batches) > 1), then=4)
        return self

    def seats(self, *seats: int) -> Teller:
        for seat in seats:
            self.does(ask.PlayerArrives(seat=seat), then=1)
        return self

    def is_ready(self, *seats: int) -> Teller:
        """Players are there and had their look; cards shuffled, cut and loaded. Without cards there is nothing to do."""
        if self.state.card_set is not None:
            self.seats(*seats)
            self.does(ask.AffordInspection(), then=1)
            self.does(ask.AttestThrough(to="READY"), then=1)
        return self

    def plays(self, rounds: int) -> Teller:
        return self.does(ask.AdvanceRounds(count=rounds), then=rounds * 1.1)

    def reshuffles(self) -> Teller:
        """The cover card came out, and the cards are shuffled and loaded again."""
        last = max(one.seat for one in self.state.players)
        self.does(ask.RecordCoverCardOut(on="seat", seat=last), then=1)
        return self.does(ask.AttestThrough(to="READY"), then=1)

    def shuffler(self) -> str:
        device = self.state.shuffler
        assert device is not None
        return device.id

    def sources(self) -> tuple[str, ...]:
        """Everything that holds cards here."""
        config = self.state.config
        assert config is not None
        shoe = ("shoe",) if config.deal_mode != "hand" else ()
        return (*(("shuffler",) if self.state.shuffler else ()), *shoe, "discard_rack")


Story = Callable[[Teller], object]


def by_counts(t: Teller) -> None:
    """Open since the afternoon; the deck is counted before every fifth round is over."""
    t.starts(hours=1).opens().is_ready(1, 3, 4)
    for _ in range(9):
        t.plays(4).does(ask.RecordCount(cards=52), then=0.5)
    t.plays(2)


def with_counting_device(t: Teller) -> None:
    """The device reshuffles and counts: no cut, no cover card."""
    t.starts(hours=3).opens().is_ready(2, 3, 5).plays(70).until(minutes=2).plays(1)


def in_play(t: Teller) -> None:
    """Open since the afternoon, a full table."""
    t.starts(hours=5).brings_dice().opens().is_ready(1, 3, 4).plays(40)
    if t.state.batches:
        t.until(hours=1).reshuffles().plays(20)
    t.until(minutes=3).plays(2)


def freshly_open(t: Teller) -> None:
    """Opened an hour ago, in the first shoe."""
    t.starts(minutes=70).brings_dice().opens().wait(9).is_ready(2, 5).plays(15).until(minutes=2).plays(1)


def dead_game(t: Teller) -> None:
    """The last player left a few minutes ago."""
    t.starts(hours=3).brings_dice().opens().is_ready(2, 5).plays(60).until(minutes=8).does(ask.PlayersLeave())


def long_dead(t: Teller) -> None:
    """Without players for longer than the house's reminder; nobody has recorded it."""
    t.starts(hours=3).brings_dice().opens().is_ready(1).plays(60).until(minutes=27).does(ask.PlayersLeave())


def idle_must_clear(t: Teller) -> None:
    """No gaming recorded: the cards must come out."""
    dead_game(t)
    t.until(minutes=3).does(ask.RecordNoGamingActivity())


def idle_spread(t: Teller) -> None:
    """Cleared and laid out again, waiting for a player."""
    t.starts(hours=3).opens().is_ready(4).plays(50).until(minutes=40).does(ask.PlayersLeave(), then=5)
    t.does(ask.RecordNoGamingActivity(), then=2)
    t.does(ask.RemoveCards(sources=t.sources()), then=3)
    t.does(ask.RecordSpread(batches_separate=len(t.state.batches) > 1))


def spread_waiting(t: Teller) -> None:
    """Open, spread, and nobody has come yet."""
    t.starts(minutes=26).brings_dice().opens()


def looking(t: Teller) -> None:
    """The first player is there and looks at the cards."""
    t.starts(minutes=19).brings_dice().opens().until(minutes=1).seats(3)


def verifying(t: Teller) -> None:
    """Cards came; dealer and supervisor have still to verify them."""
    t.starts(minutes=6).brings_cards()


def washed(t: Teller) -> None:
    """In the middle of the preparation."""
    t.starts(minutes=22).opens().until(minutes=4).seats(2, 6).does(ask.AffordInspection())
    t.does(ask.TurnFaceDown()).does(ask.RecordWash())


def cut_offered(t: Teller) -> None:
    """One player did not want to cut; the offer turns clockwise."""
    t.starts(minutes=30).opens().until(minutes=6).seats(3, 5, 6).does(ask.AffordInspection())
    t.does(ask.AttestThrough(to="SHUFFLED")).does(ask.OfferCut()).does(ask.RefuseCut(seat=3), then=0)


def recut(t: Teller) -> None:
    """The supervisor has the cards cut again."""
    t.starts(minutes=34).opens().until(minutes=6).seats(2, 4).does(ask.AffordInspection())
    t.does(ask.AttestThrough(to="CUT"), then=1)
    t.does(ask.OrderRecut(ground="improper_cut", option="next_entitled"))


def shuffle_due(t: Teller) -> None:
    """The cover card came out in the last round."""
    t.starts(hours=2).opens().is_ready(1, 2, 5).plays(38).until(minutes=2)
    t.does(ask.RecordCoverCardOut(on="seat", seat=2), then=0)


def out_of_order(t: Teller) -> None:
    """The shuffler jammed: cover it or post the sign before any other way of shuffling."""
    t.starts(hours=4).opens().is_ready(1, 4, 6).plays(70).until(minutes=5)
    t.does(ask.DeclareOutOfOrder(device=t.shuffler(), fault="SHUF_JAM"), then=0)


def sign_posted(t: Teller) -> None:
    """The shuffler is out of order and says so; the table goes on by hand."""
    t.starts(hours=4).opens().is_ready(2, 4).plays(70).until(minutes=50)
    t.does(ask.DeclareOutOfOrder(device=t.shuffler(), fault="SHUF_INOP"))
    t.does(ask.SignDevice(device=t.shuffler()))


def dice_soon(t: Teller) -> None:
    """The dice have been there for nearly 24 hours."""
    t.starts(hours=23, minutes=48).brings_dice().until(hours=5).opens().is_ready(1, 2).plays(50).until(
        minutes=2
    ).plays(1)


def dice_over(t: Teller) -> None:
    """The dice have been there for more than 24 hours: they may not be used."""
    t.starts(hours=24, minutes=6).brings_dice().until(hours=5).opens().is_ready(3).plays(50)


def closing(t: Teller) -> None:
    """Closed for the night; the cards are still there."""
    t.starts(hours=6).brings_dice().opens().is_ready(4).plays(90).until(minutes=9).does(ask.PlayersLeave())
    t.does(ask.CloseTable())


def count_soon(t: Teller) -> None:
    """Counted a few rounds ago; the next count is near."""
    t.starts(minutes=40).opens().is_ready(2, 3).plays(4).does(ask.RecordCount(cards=52)).plays(5)


HOUSES: dict[str, dict[str, Story]] = {
    "demo-ny": {
        "BJ-03": out_of_order, "WPP-05": dead_game, "BAC-09": shuffle_due, "3CP-10": spread_waiting,
        "BJ-11": idle_must_clear, "PGP-13": dice_soon, "BW-16": freshly_open,
        "BJ-17": cut_offered, "BJ-18": washed, "BJ-20": long_dead, "S21-21": sign_posted, "3CP-27": dead_game,
        "BAC-25": looking, "BJ-26": idle_spread, "PGT-31": dice_over, "BJ-29": freshly_open,
        "BAC-33": recut, "BAC-34": freshly_open, "BAC-35": closing, "PGP-38": dead_game, "3CP-41": freshly_open,
        "BJ-42": idle_spread, "BJ-43": verifying, "S21-44": shuffle_due, "BJ-36": long_dead,
    },
    "demo-pa": {
        "S21-01": cut_offered, "S21-02": idle_must_clear, "BJ-04": dead_game, "S21-03": with_counting_device,
        "S21-07": freshly_open,
    },
    "demo-nj": {
        "WPP-01": count_soon, "WPP-02": by_counts, "WPP-06": by_counts, "BAC-05": spread_waiting, "BJ-07": shuffle_due,
    },
}  # fmt: skip
"""House → table → story; every other table is in play."""
CLOSED = {"CR-06", "MC-15", "BW-30", "MC-32", "WPP-45", "CR-47", "CR-08", "BW-08"}


def bring_to_life(*, now: datetime) -> list[str]:
    """Tells the stories that are not told yet; gives those that the door refused. Raises NoDemo outside demo mode."""
    if not settings.DEMO:
        raise NoDemo("PITSTAND_DEMO is not set")
    fresh = set(Stream.objects.filter(kind="table", changed_seq__lte=SET_UP).values_list("name", flat=True))
    tables = Table.objects.filter(property__key__in=HOUSES).select_related("property", "pit")
    waiting = [table for table in tables if table.stream in fresh and table.number not in CLOSED]
    for table in Table.objects.filter(property__key__in=HOUSES):
        if table.stream in fresh:
            demo_changes.state_terms(table, now=now - BEFORE)
    signatures: dict[int, By] = {}
    told = [why for table in waiting if (why := _tell(table, signatures, now=now))]
    demo_changes.tell_changes(now=now)
    return told


def _tell(table: Table, signatures: dict[int, By], *, now: datetime) -> str:
    story = HOUSES[table.property.key].get(table.number, in_play)
    if table.pit_id not in signatures:
        signatures[table.pit_id] = _signed(table, now=now)
    try:
        with transaction.atomic():
            story(Teller(table, floor=signatures[table.pit_id], now=now))
    except StoryRefused as refused:
        log.warning("demo_story_refused %s", refused)
        return str(refused)
    return ""


def _signed(table: Table, *, now: datetime) -> By:
    """A floorperson of the pit and a dealer beside, each with the PIN of the demo."""
    pins = {(one.house, one.badge): one.pin for one in demo_logins()}
    people = Staff.objects.filter(property=table.property, demo=True).order_by("badge")
    floor = people.filter(role="floorperson", duties__pit=table.pit).first()
    dealer = people.filter(role="dealer").first()
    assert floor is not None
    assert dealer is not None
    house = table.property.name
    by = by_for(
        floor,
        now=now,
        pin=pins[house, floor.badge],
        second_badge=dealer.badge,
        second_pin=pins[house, dealer.badge],
    )
    if isinstance(by, Refused):
        raise StoryRefused(f"{floor.name} cannot sign: {by.code}")
    return by
