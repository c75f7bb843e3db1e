"""The demo's changes: what is in force at every table, a notice that takes effect soon, and a draft to go on with."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pit.floor.demo.houses import demo_logins
from pit.floor.models import Property
from pit.notices import service
from pit.notices.domain import commands as c
from pit.notices.domain.state import Matter
from pit.notices.models import Change
from pit.people.authority import by_for
from pit.people.models import Staff
from pit.record import door
from pit.record.contract import By
from tables.domain.commands import RecordTerms
from tables.domain.state import TermSpec
from tables.models import Table

SYSTEM = By(kind="system", name="load_demo", role="system")
SOON = timedelta(minutes=15)
"""After the demo's start: long enough to look at the notice before, short enough to wait for the switch."""
PAY, VIG, RAKE, PROCEDURE = "pay_table", "vigorish_percentage", "rake_percentage", "procedure"
IN_FORCE: dict[str, tuple[tuple[str, str, str], ...]] = {
    "blackjack": ((PAY, "blackjack pays", "3:2"), (PAY, "insurance pays", "2:1")),
    "spanish_21": ((PAY, "blackjack pays", "3:2"), (PAY, "suited 7-7-7 pays", "50:1")),
    "three_card_poker": ((PAY, "pair plus", "40-30-6-4-1"), (PAY, "ante bonus", "5-4-1")),
    "winners_pot_poker": ((RAKE, "rake", "5% of the pot"),),
    "pai_gow_poker": ((VIG, "commission on wins", "5%"), (PROCEDURE, "starting position", "shaker")),
    "pai_gow_tiles": ((VIG, "commission on wins", "5%"),),
    "baccarat": ((VIG, "banker commission", "5%"), (PAY, "tie pays", "8:1")),
    "craps": ((PAY, "field 12 pays", "3:1"), (VIG, "buy bets", "5%")),
    "mini_craps": ((PAY, "field 12 pays", "3:1"), (VIG, "buy bets", "5%")),
    "roulette": ((PAY, "straight up pays", "35:1"),),
    "big_wheel": ((PAY, "joker pays", "45:1"),),
}


def state_terms(table: Table, *, now: datetime) -> None:
    """Says what is in force at a closed table; once."""
    terms = tuple(
        TermSpec(matter=matter, item=item, value=value) for matter, item, value in IN_FORCE[table.game]
    )
    answer = door.submit(RecordTerms(terms=terms), stream=table.stream, by=SYSTEM, key="demo:terms", now=now)
    assert answer.refused is None, answer.refused


def tell_changes(*, now: datetime) -> None:
    """In the New York house: the notice of a pay table, and a draft of a commission. Not where there is a change."""
    place = Property.objects.filter(key="demo-ny").first()
    if place is None or Change.objects.filter(property=place).exists():
        return
    compliance, shift = (_signed(place, role, now) for role in ("compliance", "table_games_shift_manager"))
    change = _draft(
        place, "blackjack", (PAY, "blackjack pays", "6:5"), ("BJ-01", "BJ-02"), compliance, now, SOON
    )
    for command, by in ((c.SignChange(), compliance), (c.ApproveChange(), shift)):
        service.ask(change, command, by=by, key=f"demo:{type(command).__name__}", now=now)
    service.issue(change, by=compliance, key="demo:issue", now=now)
    ahead = timedelta(days=2)
    _draft(place, "baccarat", (VIG, "banker commission", "4%"), ("BAC-09",), compliance, now, ahead)


def _draft(
    place: Property,
    game: str,
    wanted: tuple[str, str, str],
    numbers: tuple[str, ...],
    by: By,
    now: datetime,
    ahead: timedelta,
) -> Change:
    matter, item, value = wanted
    was = next(held for kind, name, held in IN_FORCE[game] if (kind, name) == (matter, item))
    tables = Table.objects.filter(property=place, number__in=numbers).order_by("number")
    told: dict[str, Any] = {"matter": matter, "item": item, "was": was, "now": value}
    command = c.DraftChange(
        matter=Matter(
            **told,
            tables=tuple(one.stream for one in tables),
            numbers=tuple(one.number for one in tables),
            effective_at=(now + ahead).replace(microsecond=0),
            reason="New house edge from the next shift" if game == "blackjack" else "Promotion",
        )
    )
    change, answer = service.draft(place, command, by=by, key=f"demo:{game}", now=now)
    assert answer.refused is None, answer.refused
    return change


def _signed(place: Property, role: str, now: datetime) -> By:
    pins = {(one.house, one.badge): one.pin for one in demo_logins()}
    staff = Staff.objects.filter(property=place, role=role, demo=True).order_by("badge").first()
    assert staff is not None
    by = by_for(staff, now=now, pin=pins[place.name, staff.badge])
    assert isinstance(by, By), by
    return by
