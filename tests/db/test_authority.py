"""Who stands behind a command, whether they signed, and where they may act: the matrix of roles and rights."""

from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection

from pit.floor.models import Pit
from pit.people import authority, guesses
from pit.people.models import Duty, PinGuess
from pit.people.roles import RIGHTS
from pit.record.contract import By, Refused
from pit.rules.roles import OUTSIDE, RANK
from tests.people import PIN, WRONG_PIN, make_everybody, make_property, make_staff

NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)

MATRIX = {
    # role: (signs in, sees the property, acts in, changes settings, people, devices)
    "dealer": (False, False, "none", False, False, False),
    "stickperson": (False, False, "none", False, False, False),
    "boxperson": (False, False, "none", False, False, False),
    "floorperson": (True, True, "duty", False, False, False),
    "pit_manager": (True, True, "duty", False, False, False),
    "poker_shift_manager": (True, True, "duty", False, False, False),
    "assistant_table_games_shift_manager": (True, True, "property", False, False, False),
    "table_games_shift_manager": (True, True, "property", False, False, False),
    "commission_staff": (True, True, "none", False, False, False),
    "surveillance": (True, True, "none", False, False, False),
    "security": (False, False, "none", False, False, False),
    "compliance": (True, True, "none", True, False, False),
    "technician": (True, True, "none", False, False, True),
    "administrator": (True, True, "none", True, True, True),
}


@pytest.fixture
def place(db):
    return make_property()


def by(staff, **given):
    return authority.by_for(staff, now=NOW, **given)


def test_the_matrix_names_every_role():
    assert set(MATRIX) == set(RIGHTS)
    assert set(RIGHTS) == (set(RANK) | OUTSIDE) - {"device", "system", "table_games_supervisor"}


@pytest.mark.parametrize("role", MATRIX)
def test_a_role_has_these_rights_and_no_others(place, role):
    signs_in, sees, acts, *powers = MATRIX[role]
    staff = make_everybody(place)[role]
    pits = set(Pit.objects.filter(property=place).values_list("number", flat=True))
    own = {"none": set(), "duty": {1}, "property": pits}[acts]
    assert staff.may_sign_in is signs_in
    assert authority.may_see(staff, property_id=place.pk) is sees
    assert not authority.may_see(staff, property_id=place.pk + 1)
    assert authority.may_act(staff) is (acts != "none")
    assert {pit.number for pit in authority.my_pits(staff, now=NOW)} == own
    rights = RIGHTS[role]
    assert [rights.settings, rights.people, rights.devices] == powers


def test_topics_follow_the_duty(place):
    people = make_everybody(place)
    first = Pit.objects.get(number=1)
    assert authority.topics(people["floorperson"], now=NOW) == {first.topic}
    assert authority.topics(people["table_games_shift_manager"], now=NOW) is None
    assert authority.topics(people["commission_staff"], now=NOW) == frozenset()
    assert authority.topics(people["compliance"], now=NOW) == {f"property:{place.pk}"}


def test_duty_begins_and_ends_half_open(place):
    staff = make_staff(place, "floorperson")
    Duty.objects.create(
        staff=staff,
        pit=Pit.objects.get(number=2),
        from_at=NOW,
        until_at=NOW + timedelta(hours=8),
        tables=["BJ-01"],
    )
    moments = [
        NOW - timedelta(seconds=1),
        NOW,
        NOW + timedelta(hours=8, seconds=-1),
        NOW + timedelta(hours=8),
    ]
    assert [bool(authority.my_pits(staff, now=moment)) for moment in moments] == [False, True, True, False]
    assert authority.my_section(staff, Pit.objects.get(number=2), now=NOW) == {"BJ-01"}


def test_duty_in_another_property_gives_nothing(place):
    staff = make_staff(place, "floorperson")
    other = make_property("pa", "pa")
    Duty.objects.create(staff=staff, pit=other.pits.first(), from_at=NOW)
    assert authority.my_pits(staff, now=NOW) == []


def test_by_names_the_person_and_the_property(place):
    staff = make_staff(place, "floorperson", badge="214", pits=(1,))
    found = by(staff)
    assert isinstance(found, By)
    assert (found.id, found.role, found.badge, found.signed, found.second) == (
        staff.pk,
        "floorperson",
        "214",
        False,
        None,
    )
    assert found.property_id == place.pk


def test_a_right_pin_signs(place):
    assert by(make_staff(place, "floorperson"), pin=PIN).signed


def test_a_wrong_pin_is_refused_also_where_none_was_asked(place):
    refused = by(make_staff(place, "floorperson"), pin=WRONG_PIN)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.status) == ("PIN_WRONG", 403)


def test_five_wrong_pins_lock_signing_until_the_time_is_over(place, settings):
    staff = make_staff(place, "floorperson")
    codes = [by(staff, pin=WRONG_PIN).code for _ in range(6)]
    assert codes == ["PIN_WRONG"] * 5 + ["PIN_LOCKED"]
    assert by(staff, pin=PIN).code == "PIN_LOCKED"
    later = NOW + settings.AXES_COOLOFF_TIME
    assert authority.by_for(staff, now=later, pin=PIN).signed


def test_a_dealer_signs_beside_the_floorperson(place):
    floor = make_staff(place, "floorperson", badge="214")
    dealer = make_staff(place, "dealer", badge="881")
    second = by(floor, pin=PIN, second_badge="881", second_pin=PIN).second
    assert (second.id, second.role, second.signed) == (dealer.pk, "dealer", True)


@pytest.mark.parametrize(
    ("badge", "pin", "code", "status"),
    [
        ("214", PIN, "SAME_PERSON_TWICE", 422),
        ("999", PIN, "SECOND_PERSON_UNKNOWN", 422),
        ("881", "", "SECOND_PIN_REQUIRED", 422),
        ("", PIN, "SECOND_PIN_REQUIRED", 422),
        ("881", WRONG_PIN, "PIN_WRONG", 403),
        ("882", PIN, "SECOND_PERSON_UNKNOWN", 422),
    ],
)
def test_the_second_person_is_another_one_who_is_here_and_gives_their_pin(place, badge, pin, code, status):
    floor = make_staff(place, "floorperson", badge="214")
    make_staff(place, "dealer", badge="881")
    make_staff(place, "dealer", badge="882", is_active=False)
    make_staff(make_property("pa", "pa"), "dealer", badge="999")
    refused = by(floor, second_badge=badge, second_pin=pin)
    assert (refused.code, refused.status) == (code, status)


def test_all_that_is_wrong_is_told_at_once(place):
    floor = make_staff(place, "floorperson", badge="214")
    refused = by(floor, pin=WRONG_PIN, second_badge="999", second_pin=PIN)
    assert [refused.code, *(more.code for more in refused.also)] == ["PIN_WRONG", "SECOND_PERSON_UNKNOWN"]


def test_an_unknown_badge_is_hashed_and_counted_like_a_known_one(place, monkeypatch):
    floor = make_staff(place, "floorperson", badge="214")
    hashed = []
    monkeypatch.setattr("pit.people.pins.make_password", hashed.append)
    codes = [by(floor, second_badge="999", second_pin="5791").code for _ in range(6)]
    assert codes == ["SECOND_PERSON_UNKNOWN"] * 5 + ["PIN_LOCKED"]
    assert hashed == ["5791"] * 5


def test_a_demo_person_signs_nothing_outside_demo_mode(place, settings):
    floor = make_staff(place, "floorperson", badge="214")
    make_staff(place, "dealer", badge="881", demo=True)
    settings.DEMO = False
    assert by(floor, second_badge="881", second_pin=PIN).code == "SECOND_PERSON_UNKNOWN"
    settings.DEMO = True
    assert by(floor, second_badge="881", second_pin=PIN).second.badge == "881"


def test_the_pits_that_a_person_looks_at_are_those_of_the_property(place):
    make_property("pa", "pa")
    people = make_everybody(place)
    assert {pit.property_id for pit in authority.pits_seen(people["commission_staff"])} == {place.pk}
    assert authority.pits_seen(people["dealer"]) == []
    everywhere = make_staff(None, "administrator")
    assert len(authority.pits_seen(everywhere)) == 4


@pytest.mark.django_db(transaction=True)
def test_a_hundred_guesses_at_once_are_a_hundred_guesses():
    allowed, start = [], Barrier(8)

    def guess():
        start.wait()
        allowed.extend(guesses.count("badge:1:214", limit=5, now=NOW) for _ in range(5))
        connection.close()

    threads = [Thread(target=guess) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(allowed) == 5
    assert PinGuess.objects.get().failures == 5
