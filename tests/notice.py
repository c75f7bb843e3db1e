"""A change as the tests take it through its workflow: a house, its people, a table with what is in force there."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from pit.floor.models import Property
from pit.notices import service, switch
from pit.notices.domain import commands as c
from pit.notices.domain.state import ChangeState, Matter
from pit.notices.models import Change
from pit.people.models import Staff
from pit.record import codec
from pit.record.contract import Answer, By
from pit.record.models import Stream
from pit.web import clock
from tables.domain import commands as ask
from tables.domain.state import TableState, TermSpec
from tables.models import Table
from tests.people import make_property, make_staff
from tests.pit import SYSTEM, does, make_table

_keys = count(1)
AHEAD = timedelta(hours=2)


def by(staff: Staff, **more: Any) -> By:
    given = {"signed": True, "property_id": staff.property_id} | more
    return By(id=staff.pk, name=staff.name, role=staff.role, badge=staff.badge, **given)


@dataclass
class House:
    """One property with a table at which blackjack pays 3:2, and everybody who takes part in a change."""

    place: Property
    table: Table
    author: Staff
    approver: Staff
    commission: Staff | None = None
    surveillance: Staff | None = None
    changes: list[Change] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        return clock.now()

    def matter(self, **told: Any) -> Matter:
        given = {
            "matter": "pay_table",
            "item": "blackjack pays",
            "was": "3:2",
            "now": "6:5",
            "tables": (self.table.stream,),
            "numbers": (self.table.number,),
            "effective_at": self.now + AHEAD,
            "reason": "",
        }
        return Matter(**given | told)

    def draft(self, *, supersedes: str = "", who: By | None = None, **told: Any) -> tuple[Change, Answer]:
        command = c.DraftChange(matter=self.matter(**told), supersedes=supersedes)
        return service.draft(
            self.place, command, by=who or by(self.author), key=f"k{next(_keys)}", now=self.now
        )

    def ask(self, change: Change, command: Any, *, who: Staff | By | None = None) -> Answer:
        person = who if isinstance(who, By) else by(who or self.author)
        return service.ask(change, command, by=person, key=f"k{next(_keys)}", now=self.now)

    def approved(self, **told: Any) -> Change:
        change, answer = self.draft(**told)
        assert answer.refused is None, answer.refused
        assert self.ask(change, c.SignChange()).refused is None
        assert self.ask(change, c.ApproveChange(), who=self.approver).refused is None
        return change

    def issue(self, change: Change) -> Answer:
        return service.issue(change, by=by(self.author), key=f"k{next(_keys)}", now=self.now)

    def issued(self, **told: Any) -> Change:
        change = self.approved(**told)
        answer = self.issue(change)
        assert answer.refused is None, answer.refused
        change.refresh_from_db()
        return change

    def switch(self) -> int:
        return switch.switch_due(self.now)

    def state(self, change: Change) -> ChangeState:
        return service.state_of(change)

    def in_force(self, table: Table | None = None) -> dict[str, tuple[str, str]]:
        text = Stream.objects.get(name=(table or self.table).stream).state
        return {one.item: (one.value, one.notice) for one in codec.loads(text, TableState).terms}


def make_house(jurisdiction: str = "ny", *, told: bool = True) -> House:
    """`told` False: nobody holds the role of commission staff or surveillance."""
    place = make_property(jurisdiction, jurisdiction)
    table = make_table(place)
    state(table)
    house = House(
        place=place,
        table=table,
        author=make_staff(place, "compliance"),
        approver=make_staff(place, "table_games_shift_manager"),
    )
    if told:
        house.commission = make_staff(place, "commission_staff")
        house.surveillance = make_staff(place, "surveillance")
    return house


def state(table: Table, **items: str) -> None:
    """Says what is in force at that table."""
    pays = items or {"blackjack pays": "3:2"}
    terms = tuple(
        TermSpec(matter="pay_table", item=item.replace("_", " "), value=value) for item, value in pays.items()
    )
    does(table, ask.RecordTerms(terms=terms), by=SYSTEM, ago=80_000)
