"""What is in force at a table in the matters of (t): stated once, then changed by a notice alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tables.domain import commands as c
from tables.domain.state import TermChange, TermSpec
from tests.unit.floor_of_one import MANAGER, NOON, ONE_BATCH, SYSTEM, Table, in_play, opened, set_up

BEFORE = NOON - timedelta(hours=1)
PAYS = TermSpec(matter="pay_table", item="blackjack pays", value="3:2")
SIX_TO_FIVE = TermChange(matter="pay_table", item="blackjack pays", was="3:2", now="6:5")


def stated(*terms: TermSpec, place: str = "ny") -> Table:
    return set_up(place).do(c.RecordTerms(terms=terms or (PAYS,)), by=MANAGER)


def switch(*terms: TermChange, **told: Any) -> c.PutInForce:
    times = {"effective_at": NOON, "commission_at": BEFORE, "surveillance_at": BEFORE}
    return c.PutInForce(notice="2026-0001", terms=terms or (SIX_TO_FIVE,), **times | told)


def in_force(table: Table) -> dict[str, tuple[str, str]]:
    return {one.item: (one.value, one.notice) for one in table.state.terms}


def test_what_is_in_force_is_stated_while_the_table_is_closed():
    assert in_force(stated()) == {"blackjack pays": ("3:2", "")}
    assert opened().refused(c.RecordTerms(terms=(PAYS,)), by=MANAGER).code == "TABLE_IS_OPEN"


def test_what_stands_is_not_stated_otherwise_but_changed_by_a_notice():
    other = TermSpec(matter="pay_table", item="blackjack pays", value="6:5")
    refused = stated().refused(c.RecordTerms(terms=(other,)), by=MANAGER)
    assert (refused.code, refused.clause, refused.next_step) == ("NOTICE_FIRST", "NY-t", "Draft a change")
    assert stated().refused(c.RecordTerms(terms=(PAYS,)), by=MANAGER).code == "NOTHING_CHANGES"


@pytest.mark.parametrize("make", [stated, lambda: in_play_with_terms()])
def test_at_the_effective_time_it_switches_whether_the_table_is_open_or_not(make):
    table = make().do(switch(), by=SYSTEM)
    assert in_force(table) == {"blackjack pays": ("6:5", "2026-0001")}
    assert (table.entries[-1].clause, table.state.terms[0].since) == ("NY-t", NOON)


def in_play_with_terms() -> Table:
    table = stated().do(c.ReceiveCards(set_id="CS-1"), c.InspectCards(), c.OpenTable())
    return table.do(c.AttestThrough(to="READY", arrival_seat=3), c.AdvanceRounds())


@pytest.mark.parametrize(
    ("commission", "surveillance", "code"),
    [
        (None, BEFORE, "COMMISSION_NOT_NOTIFIED"),
        (BEFORE, None, "SURVEILLANCE_NOT_NOTIFIED"),
        (NOON, BEFORE, "COMMISSION_NOTICE_NOT_PRIOR"),
        (BEFORE, NOON + timedelta(seconds=1), "SURVEILLANCE_NOTICE_NOT_PRIOR"),
    ],
)
def test_the_table_itself_refuses_what_was_not_told_before(commission, surveillance, code):
    refused = stated().refused(switch(commission_at=commission, surveillance_at=surveillance), by=SYSTEM)
    assert (refused.code, refused.clause) == (code, "NY-t")


def test_it_does_not_switch_early_nor_from_another_value_nor_by_a_person():
    table = stated()
    assert table.refused(switch(effective_at=NOON + timedelta(seconds=1)), by=SYSTEM).code == "NOT_YET"
    from_other = TermChange(matter="pay_table", item="blackjack pays", was="2:1", now="6:5")
    assert table.refused(switch(from_other), by=SYSTEM).code == "OTHER_IN_FORCE"
    same = TermChange(matter="pay_table", item="blackjack pays", was="3:2", now="3:2")
    assert table.refused(switch(same), by=SYSTEM).code == "NOTHING_CHANGES"
    assert table.refused(switch(), by=MANAGER).status == 403
    assert table.do(switch(), by=SYSTEM).refused(switch(), by=SYSTEM).code == "OTHER_IN_FORCE"


def test_limits_and_empty_statements_are_no_matter_of_a_notice():
    limits = TermSpec(matter="limits", item="minimum", value="25")
    table = set_up()
    for terms in ((), (limits,), (PAYS, PAYS), (TermSpec(matter="pay_table", item=" ", value="3:2"),)):
        assert table.refused(c.RecordTerms(terms=terms), by=MANAGER).status == 422


def test_the_cut_mode_is_a_procedure_and_changes_by_notice():
    table = set_up()
    again = c.SetUpTable(
        number="12",
        game="blackjack",
        seats=6,
        decks=6,
        rack_decks=6,
        batches=ONE_BATCH,
        cut_mode="dealer_only",
    )
    assert table.refused(again, by=MANAGER).code == "NOTICE_FIRST"
    change = TermChange(matter="procedure", item="cut_mode", was="offered", now="dealer_only")
    assert table.state.config.cut_mode == "offered"
    assert table.do(switch(change), by=SYSTEM).state.config.cut_mode == "dealer_only"
    strange = TermChange(matter="procedure", item="cut_mode", was="dealer_only", now="upside_down")
    assert table.refused(switch(strange), by=SYSTEM).status == 422


def test_the_way_of_dealing_changes_only_at_a_closed_table():
    change = TermChange(matter="procedure", item="deal_mode", was="shoe", now="hand")
    assert in_play(decks=2, rack_decks=2).refused(switch(change), by=SYSTEM).code == "TABLE_IS_OPEN"
    assert set_up(decks=2, rack_decks=2).do(switch(change), by=SYSTEM).state.config.deal_mode == "hand"


def test_where_no_text_speaks_of_it_the_change_stands_under_the_house():
    table = stated(place="pa").do(switch(), by=SYSTEM)
    assert table.entries[-1].clause == "house"
