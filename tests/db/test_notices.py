"""A change from the draft to the table: nothing takes effect untold, and what was told takes effect by itself, once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction

from pit.deadlines.models import Deadline
from pit.notices import service, switch, tasks
from pit.notices.domain import commands as c
from pit.notices.models import Change, Numbered
from pit.outbox import selectors
from pit.outbox.deliver import deliver_all
from pit.outbox.models import Delivery, Message
from pit.record import verify
from pit.record.models import Event
from tests.db.test_door_at_once import together
from tests.notice import AHEAD, by, make_house
from tests.people import make_staff
from tests.pit import make_table, opened

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(db, clock):
    return make_house()


def kinds(stream):
    return list(Event.objects.filter(stream=stream).order_by("seq").values_list("kind", flat=True))


def test_a_change_that_both_were_told_of_takes_effect_at_its_time_by_itself(house, clock):
    opened(house.table)
    change = house.issued()
    assert change.number == "N-0001"
    assert (change.commission_at, change.surveillance_at) == (clock.now(), clock.now())
    assert house.switch() == 0
    assert house.in_force() == {"blackjack pays": ("3:2", "")}
    clock.forward(hours=2, seconds=3)
    assert tasks.switch() == 1
    assert house.in_force() == {"blackjack pays": ("6:5", "N-0001")}
    change.refresh_from_db()
    state = house.state(change)
    assert (change.status, state.late, state.in_force_since) == (
        "EFFECTIVE",
        False,
        state.matter.effective_at,
    )
    entry = Event.objects.get(stream=house.table.stream, kind="TermsPutInForce")
    assert (entry.at, entry.clause, entry.actor_kind) == (state.matter.effective_at, "NY-t", "system")
    assert tasks.switch() == 0
    assert kinds(house.table.stream).count("TermsPutInForce") == 1
    assert not list(verify.verify())


def test_commission_and_surveillance_have_it_in_their_inboxes_at_once(house):
    house.issued()
    for person in (house.commission, house.surveillance):
        (mine,) = selectors.inbox(person)
        assert mine.message.subject == "Notice N-0001: Pay table, blackjack pays: 3:2 → 6:5"
        assert "Tables: BJ-01" in mine.message.body
        assert "5324.2(t)" in mine.message.body
        assert "4 Mar 2026 15:00:00 EST" in mine.message.body


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(seconds=-1), timedelta(days=-3)])
def test_an_effective_time_that_nobody_can_be_told_before_is_refused_with_t(house, clock, ahead):
    change, answer = house.draft(effective_at=clock.now() + ahead)
    codes = {one.code for one in (answer.refused, *answer.refused.also)}
    assert codes == {"COMMISSION_NOTICE_NOT_PRIOR", "SURVEILLANCE_NOTICE_NOT_PRIOR"}
    assert {one.clause for one in (answer.refused, *answer.refused.also)} == {"NY-t"}
    assert answer.refused.cite == "5324.2(t)"
    assert kinds(change.stream)[-1] == "Refused"


def test_the_effective_time_may_have_come_before_the_notice_is_issued(house, clock):
    change = house.approved()
    clock.forward(hours=2)
    answer = house.issue(change)
    assert answer.refused.code == "COMMISSION_NOTICE_NOT_PRIOR"
    assert not Numbered.objects.exists()


def test_without_anybody_to_tell_nothing_switches_and_it_is_said(clock):
    house = make_house(told=False)
    shift = make_staff(house.place, "administrator")
    change = house.issued()
    assert house.state(change).told == {}
    subjects = {one.message.subject for one in selectors.inbox(shift)}
    assert "Not told: commission staff, surveillance" in subjects
    clock.forward(hours=2)
    assert house.switch() == 0
    state = house.state(change)
    assert state.status == "BLOCKED"
    assert "COMMISSION_NOT_NOTIFIED" in state.why
    assert "SURVEILLANCE_NOT_NOTIFIED" in state.why
    assert house.in_force() == {"blackjack pays": ("3:2", "")}
    assert Message.objects.filter(notification="change_blocked").exists()
    assert house.switch() == 0


def test_one_of_the_two_is_not_enough(clock):
    house = make_house(told=False)
    make_staff(house.place, "commission_staff")
    change = house.issued()
    clock.forward(hours=2)
    assert house.switch() == 0
    assert "COMMISSION" not in house.state(change).why


def test_after_an_outage_it_switches_late_and_says_so(house, clock):
    change = house.issued()
    clock.forward(hours=5)
    assert house.switch() == 1
    state = house.state(change)
    assert (state.late, state.in_force_since) == (True, clock.now())
    assert "late" in Event.objects.get(stream=house.table.stream, kind="TermsPutInForce").data


def test_it_switches_all_its_tables_or_none(house, clock):
    other = make_table(house.place, number="BJ-02")
    both = (house.table.stream, other.stream)
    _, answer = house.draft(tables=both, numbers=("BJ-01", "BJ-02"))
    assert answer.refused.code == "OTHER_IN_FORCE"
    from tests.notice import state

    state(other)
    house.issued(tables=both, numbers=("BJ-01", "BJ-02"))
    first = house.approved(
        tables=(other.stream,), numbers=("BJ-02",), item="insurance pays", was="", now="2:1"
    )
    clock.forward(hours=2)
    assert house.switch() == 1
    assert house.in_force(other) == house.in_force() == {"blackjack pays": ("6:5", "N-0001")}
    assert house.state(first).status == "APPROVED"


def test_when_one_table_has_something_else_in_force_none_switches_and_it_alarms(house, clock):
    change = house.issued()
    Change.objects.filter(pk=change.pk).update(status="WITHDRAWN")  # so that a twin may be drafted
    twin = house.issued(supersedes="", now="1:1", effective_at=clock.now() + timedelta(hours=1))
    Change.objects.filter(pk=change.pk).update(status="ISSUED")
    clock.forward(hours=3)
    assert house.switch() == 1
    assert house.in_force() == {"blackjack pays": ("1:1", twin.number)}
    state = house.state(change)
    assert (state.status, "OTHER_IN_FORCE" in state.why) == ("BLOCKED", True)


def test_the_author_does_not_approve_and_the_order_of_signatures_is_kept(house):
    change, _ = house.draft()
    assert house.ask(change, c.ApproveChange(), who=house.approver).refused.code == "AUTHOR_SIGNS_FIRST"
    assert (
        house.ask(change, c.SignChange(), who=by(house.author, signed=False)).refused.code
        == "SIGNATURE_REQUIRED"
    )
    assert house.issue(change).refused.code == "APPROVAL_FIRST"
    house.ask(change, c.SignChange())
    assert house.ask(change, c.ApproveChange(), who=house.author).refused.code == "SAME_PERSON_TWICE"
    assert house.ask(change, c.ApproveChange(), who=house.approver).refused is None


def test_an_edit_takes_the_signatures_away_and_after_the_issue_there_is_none(house):
    change = house.approved()
    matter = house.matter(now="7:5")
    assert service.edit(change, matter, by=by(house.author), key="e1", now=house.now).refused is None
    assert (house.state(change).status, house.state(change).author) == ("DRAFT", None)
    issued = house.issued(item="insurance pays", was="", now="2:1")
    refused = service.edit(issued, matter, by=by(house.author), key="e2", now=house.now).refused
    assert "NOTICE_IS_ISSUED" in {one.code for one in (refused, *refused.also)}


def test_a_new_notice_takes_the_place_of_an_issued_one(house, clock):
    old = house.issued()
    new = house.issued(supersedes=old.number, now="7:5")
    assert house.state(old).status == "SUPERSEDED"
    assert Numbered.objects.get(stream=old.stream).void_reason == f"superseded by {new.number}"
    clock.forward(hours=2)
    assert house.switch() == 1
    assert house.in_force() == {"blackjack pays": ("7:5", "N-0002")}


def test_numbers_have_no_gaps_and_a_withdrawn_notice_stays_visible_as_void(house):
    first = house.issued()
    house.issue(house.approved(item="insurance pays", was="", now="2:1", effective_at=house.now + AHEAD))
    assert house.issue(first).refused.code == "APPROVAL_FIRST"
    service.withdraw(
        first, c.WithdrawChange(reason="wrong table"), by=by(house.author), key="w", now=house.now
    )
    third = house.issued(now="7:5")
    rows = Numbered.objects.order_by("count")
    assert [(one.number, bool(one.void_at)) for one in rows] == [
        ("N-0001", True),
        ("N-0002", False),
        ("N-0003", False),
    ]
    assert third.number == "N-0003"
    assert Message.objects.filter(notification="change_withdrawn").count() == 1


def test_the_same_change_twice_is_refused_while_the_first_is_open(house):
    change, _ = house.draft()
    _, answer = house.draft(now="7:5")
    assert answer.refused.code == "SAME_CHANGE_OPEN"
    service.withdraw(change, c.WithdrawChange(reason="no"), by=by(house.author), key="w", now=house.now)
    assert house.draft(now="7:5")[1].refused is None


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"now": "3:2"}, "NOTHING_CHANGES"),
        ({"now": " "}, "MALFORMED"),
        ({"item": ""}, "MALFORMED"),
        ({"tables": (), "numbers": ()}, "NO_TABLES"),
        ({"tables": ("table:999",)}, "UNKNOWN_TABLE"),
        ({"matter": "limits", "was": ""}, "NOT_A_T_CHANGE"),
        ({"was": "2:1"}, "OTHER_IN_FORCE"),
        ({"reason": "x" * 2001}, "MALFORMED"),
    ],
)
def test_bad_input_is_told_by_its_code(house, told, code):
    _, answer = house.draft(**told)
    assert code in {one.code for one in (answer.refused, *answer.refused.also)}


def test_a_house_lead_time_is_the_house_s_own(house):
    from pit.floor import door
    from pit.floor.domain.commands import ChangeHouseSetting

    door.ask(
        house.place, ChangeHouseSetting(setting="notice_lead_pay_table_minutes", value=180), now=house.now
    )
    _, answer = house.draft()
    assert (answer.refused.code, answer.refused.clause) == ("LEAD_TIME", "house")
    assert house.draft(effective_at=house.now + timedelta(hours=3))[1].refused is None


@pytest.mark.parametrize(
    "role", ["floorperson", "pit_manager", "commission_staff", "surveillance", "technician"]
)
def test_only_compliance_and_shift_managers_change_anything(house, role):
    person = make_staff(house.place, role, badge="777")
    _, answer = house.draft(who=by(person))
    assert answer.refused.status == 403


def test_an_acknowledgement_is_an_entry_in_the_name_of_who_took_note(house, clock):
    change = house.issued()
    clock.forward(minutes=4)
    delivery = selectors.inbox(house.commission).get()
    assert selectors.acknowledge(house.commission, delivery.pk, now=clock.now())
    assert not selectors.acknowledge(house.commission, delivery.pk, now=clock.now())
    entry = Event.objects.get(stream=change.stream, kind="NoticeAcknowledged")
    assert (entry.actor_id, entry.role, entry.at) == (house.commission.pk, "commission_staff", clock.now())
    assert house.state(change).acknowledged == {"commission_staff": clock.now()}
    assert house.state(change).told["commission_staff"] == clock.now() - timedelta(minutes=4)


def test_what_a_crash_left_out_of_the_record_is_found_before_the_switch(house, clock):
    change = house.approved()
    with transaction.atomic():
        house.issue(change)
        transaction.get_connection().run_on_commit.clear()  # the process dies after the commit
    assert house.state(change).told == {}
    clock.forward(minutes=1)
    deliver_all(clock.now())
    found = kinds(change.stream)
    assert found.count("RecipientNotified") == 2
    clock.forward(hours=2)
    assert house.switch() == 1


def test_told_only_after_the_effective_time_is_not_prior_and_nothing_switches(house, clock):
    change = house.approved()
    with transaction.atomic():
        house.issue(change)
        transaction.get_connection().run_on_commit.clear()
    clock.forward(hours=2)
    deliver_all(clock.now())
    assert house.switch() == 0
    assert {"COMMISSION_NOTICE_NOT_PRIOR", "SURVEILLANCE_NOTICE_NOT_PRIOR"} <= set(
        house.state(change).why.replace("(", " ").replace(")", " ").split()
    )


def test_two_beats_at_once_switch_once(house, clock):
    house.issued()
    clock.forward(hours=2)
    assert sum(together(*[house.switch] * 3)) == 1
    assert kinds(house.table.stream).count("TermsPutInForce") == 1


def test_the_deadline_of_an_issued_notice_is_its_effective_time(house, clock):
    change = house.issued()
    due = Deadline.objects.get(stream=change.stream)
    assert (due.kind, due.due_at, due.clause) == ("change_effective", clock.now() + AHEAD, "NY-t")
    clock.forward(hours=2)
    house.switch()
    assert not Deadline.objects.filter(stream=change.stream).exists()


def test_where_no_text_asks_for_it_a_house_may_do_without(clock):
    from pit.floor import door
    from pit.floor.domain.commands import ChangeHouseSetting

    house = make_house("pa", told=False)
    change = house.issued()
    assert house.state(change).number == "N-0001"
    door.ask(house.place, ChangeHouseSetting(setting="change_notice_required", value=False), now=house.now)
    clock.forward(hours=2)
    assert house.switch() == 1
    assert house.in_force() == {"blackjack pays": ("6:5", "N-0001")}
    assert Event.objects.get(stream=house.table.stream, kind="TermsPutInForce").clause == "house"


def test_what_was_in_force_at_any_past_minute_is_told(house, clock):
    from tables.terms import versions

    house.issued()
    clock.forward(hours=2)
    house.switch()
    pays = [one for one in versions(house.table.stream) if one.item == "blackjack pays"]
    assert [(one.value, one.notice) for one in pays] == [("6:5", "N-0001"), ("3:2", "")]
    assert (pays[0].until, pays[1].until) == (None, pays[0].since)


def test_a_delivery_is_noted_once(house):
    house.issued()
    assert Delivery.objects.filter(message__notification="change_notice").count() == 2
    assert switch.switch_due(house.now) == 0
