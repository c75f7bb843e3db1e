"""The pages of a change, as compliance, a shift manager, commission staff and surveillance see them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from pit.notices import service, switch
from pit.notices.models import Change
from pit.outbox.models import Delivery
from pit.record.models import Event
from tests.notice import make_house, state
from tests.people import PIN
from tests.pit import make_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(db, clock):
    return make_house()


def signed_in(staff):
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def author(house):
    return signed_in(house.author)


@pytest.fixture
def approver(house):
    return signed_in(house.approver)


def form(house, **told):
    given = {
        "key": "k1",
        "matter": "pay_table",
        "item": "blackjack pays",
        "now": "6:5",
        "tables": [house.table.stream],
        "effective_at": "2026-03-04T15:00",
        "reason": "",
    }
    return given | told


def act(client, change, command, key="", **fields):
    return client.post(f"/notices/{change.pk}/{command}", {"key": key or command, "pin": PIN} | fields)


def drafted(house, author, **told):
    page = author.post("/notices/new/", form(house, **told))
    assert page.status_code == 302, page.content.decode()
    return Change.objects.get(pk=int(page.url.split("/")[2]))


def test_a_pay_table_is_changed_from_the_draft_to_the_table(house, author, approver, clock):
    change = drafted(house, author)
    assert act(author, change, "SignChange").status_code == 302
    assert b"Approve" in approver.get(f"/notices/{change.pk}/").content
    assert act(approver, change, "ApproveChange").status_code == 302
    assert act(author, change, "IssueNotice").status_code == 302
    for person in (house.commission, house.surveillance):
        page = signed_in(person).get("/inbox/").content.decode()
        assert "Notice N-0001: Pay table, blackjack pays: 3:2 → 6:5" in page
    page = author.get(f"/notices/{change.pk}/").content.decode()
    assert "Commission notified" in page
    assert "Read" in page
    clock.forward(hours=2)
    assert switch.switch_due(clock.now()) == 1
    author.force_login(house.author)  # two hours without a touch: the tablet has signed out
    page = author.get(f"/notices/{change.pk}/").content.decode()
    assert "In force since" in page
    assert "BJ-01" in author.get("/notices/").content.decode() or "N-0001" in page


def test_an_effective_time_in_the_past_is_refused_with_t_on_the_page(house, author):
    page = author.post("/notices/new/", form(house, effective_at="2026-03-04T12:59"))
    text = page.content.decode()
    assert page.status_code == 409
    assert "COMMISSION_NOTICE_NOT_PRIOR" in text
    assert "SURVEILLANCE_NOTICE_NOT_PRIOR" in text
    assert "5324.2(t)" in text
    assert 'value="6:5"' in text


@pytest.mark.parametrize(
    ("effective_at", "code"),
    [
        ("2026-03-08T02:30", "NONEXISTENT_LOCAL_TIME"),
        ("2026-11-01T01:30", "AMBIGUOUS_LOCAL_TIME"),
        ("tomorrow", "MALFORMED"),
        ("", "MALFORMED"),
        ("9999-12-31T23:59", "MALFORMED"),
    ],
)
def test_a_time_that_is_none_is_told_and_recorded(house, author, effective_at, code):
    page = author.post("/notices/new/", form(house, effective_at=effective_at))
    assert page.status_code == 422
    assert code in page.content.decode()
    assert code in Event.objects.filter(kind="Refused").latest("pk").data


@pytest.mark.parametrize(("fold", "hour"), [("0", 5), ("1", 6)])
def test_of_a_doubled_hour_one_is_chosen(house, author, fold, hour):
    change = drafted(house, author, effective_at="2026-11-01T01:30", fold=fold)
    assert change.effective_at.hour == hour


def test_two_tables_must_have_the_same_in_force(house, author):
    other = make_table(house.place, number="BJ-02")
    state(other, blackjack_pays="6:5")
    page = author.post("/notices/new/", form(house, tables=[house.table.stream, other.stream]))
    assert (page.status_code, b"OTHER_IN_FORCE" in page.content) == (409, True)


def test_no_tables_and_strange_tables_are_refused(house, author):
    assert b"NO_TABLES" in author.post("/notices/new/", form(house, tables=[])).content
    assert (
        b"UNKNOWN_TABLE" in author.post("/notices/new/", form(house, tables=["table:777"], key="k2")).content
    )


def test_a_wrong_pin_signs_nothing_and_is_recorded(house, author):
    change = drafted(house, author)
    page = act(author, change, "SignChange", pin="0000")
    assert (page.status_code, b"PIN_WRONG" in page.content) == (403, True)
    assert service.state_of(change).author is None
    assert "PIN_WRONG" in Event.objects.filter(stream=change.stream, kind="Refused").get().data


def test_a_page_that_is_behind_signs_nothing(house, author):
    change = drafted(house, author)
    assert b"STALE_VIEW" in act(author, change, "SignChange", seen="1").content


def test_an_edit_shows_what_stands_and_changes_it(house, author):
    change = drafted(house, author)
    assert b'value="6:5"' in author.get(f"/notices/{change.pk}/edit/").content
    assert author.post(f"/notices/{change.pk}/edit/", form(house, now="7:5", key="k9")).status_code == 302
    assert service.state_of(change).matter.now == "7:5"


def test_who_only_reads_writes_nothing(house, author):
    change = drafted(house, author)
    for person in (house.commission, house.surveillance):
        client = signed_in(person)
        assert client.get(f"/notices/{change.pk}/").status_code == 200
        assert client.post("/notices/new/", form(house)).status_code == 404
        assert act(client, change, "SignChange", key=person.username).status_code == 403
        assert client.post(f"/notices/{change.pk}/edit/", form(house)).status_code == 404
        assert (
            client.post(f"/notices/{change.pk}/hand-over", {"group": "surveillance", "who": "me"}).status_code
            == 404
        )


def test_the_slip_is_a_pdf_with_the_number_and_handing_it_over_notifies(house, author, clock):
    for person in (house.commission, house.surveillance):
        person.is_active = False
        person.save(update_fields=["is_active"])
    change = house.issued(reason="ä long reason → " + "word " * 80 + "x" * 200)
    assert service.state_of(change).told == {}
    page = author.get(f"/notices/{change.pk}/slip.pdf")
    assert (page["Content-Type"], page.content[:5]) == ("application/pdf", b"%PDF-")
    told = {"group": "commission_staff", "who": "Ines Ferro"}
    assert author.post(f"/notices/{change.pk}/hand-over", told).status_code == 302
    assert author.post(f"/notices/{change.pk}/hand-over", told | {"who": ""}).status_code == 422
    assert list(service.state_of(change).told) == ["commission_staff"]
    assert Delivery.objects.get(channel="slip").sent_at == clock.now()


def test_a_draft_has_no_slip_and_nobody_sees_another_house(house, author):
    change = drafted(house, author)
    assert author.get(f"/notices/{change.pk}/slip.pdf").status_code == 404
    stranger = signed_in(make_house("pa").author)
    assert stranger.get(f"/notices/{change.pk}/").status_code == 404
    assert act(stranger, change, "SignChange").status_code == 404


def test_a_withdrawn_notice_shows_its_void_number(house, author):
    change = house.issued()
    assert act(author, change, "WithdrawChange", reason="wrong table").status_code == 302
    page = author.get("/notices/").content.decode()
    assert "N-0001" in page
    assert "withdrawn: wrong table" in page


def test_double_press_issues_once(house, author):
    change = house.approved()
    assert act(author, change, "IssueNotice", key="same").status_code == 302
    assert act(author, change, "IssueNotice", key="same").status_code == 302
    assert Event.objects.filter(stream=change.stream, kind="NoticeIssued").count() == 1


def test_a_message_shows_every_time_of_its_own(house, author, clock):
    change = house.issued()
    clock.forward(minutes=1)
    client = signed_in(house.commission)
    client.get("/inbox/")
    clock.forward(minutes=1)
    one = Delivery.objects.get(staff=house.commission, message__notification="change_notice")
    client.post(f"/inbox/{one.pk}/acknowledge")
    page = author.get(f"/notices/{change.pk}/").content.decode()
    assert "13:00:00" in page
    assert "13:01:00" in page
    assert "13:02:00" in page
    assert service.state_of(change).acknowledged["commission_staff"] - change.issued_at == timedelta(
        minutes=2
    )


def test_the_table_s_sheet_shows_what_is_in_force_since_when_and_by_which_notice(house, author, clock):
    assert "3:2" in author.get(f"/tables/{house.table.pk}/").content.decode()
    house.issued()
    clock.forward(hours=2)
    house.switch()
    author.force_login(house.author)
    page = author.get(f"/tables/{house.table.pk}/").content.decode()
    assert "6:5" in page
    assert "notice N-0001" in page


def test_the_boards_strip_says_how_far_each_notice_is(house, author):
    house.issued()
    page = author.get("/live/notices/strip").content.decode()
    assert "N-0001" in page
    assert "both notified" in page
