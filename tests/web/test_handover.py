"""A shared tablet passes from hand to hand by badge and PIN."""

import pytest
from django.contrib.sessions.models import Session

from tests.people import PIN, WRONG_PIN, make_property, make_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def place():
    return make_property()


@pytest.fixture
def first(place):
    return make_staff(place, "floorperson", badge="214")


@pytest.fixture
def second(place):
    return make_staff(place, "pit_manager", badge="305")


@pytest.fixture
def tablet(client, first):
    client.force_login(first)
    return client


def hand_over(client, badge, pin=PIN, **extra):
    return client.post("/accounts/handover/", {"badge": badge, "pin": pin, **extra})


def who(client):
    page = client.get("/accounts/")
    return page.context["user"] if page.status_code == 200 else None


def test_badge_and_pin_take_the_tablet_over(tablet, second):
    response = hand_over(tablet, "305", next="/accounts/")
    assert (response.status_code, response["Location"]) == (302, "/accounts/")
    assert who(tablet) == second


def test_the_old_session_is_gone_and_the_key_is_new(tablet, second):
    before = tablet.session.session_key
    hand_over(tablet, "305")
    assert tablet.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()


def test_nothing_of_the_one_before_stays_in_the_session(tablet, second):
    session = tablet.session
    session["of_the_first"] = 1
    session.save()
    hand_over(tablet, "305")
    assert "of_the_first" not in tablet.session


def test_a_tablet_that_is_not_signed_in_cannot_be_taken_over(client, second):
    response = hand_over(client, "305")
    assert response["Location"].startswith("/accounts/login/")
    assert who(client) is None


def test_a_badge_of_another_property_is_unknown_here(tablet, first):
    make_staff(make_property("pa", "pa"), "floorperson", badge="777")
    assert hand_over(tablet, "777").status_code == 422
    assert who(tablet) == first


@pytest.mark.parametrize("role", ["administrator", "compliance", "technician", "surveillance", "dealer"])
def test_only_who_acts_on_the_floor_comes_in_by_pin(tablet, place, first, role):
    make_staff(place, role, badge="900")
    assert hand_over(tablet, "900").status_code == 422
    assert who(tablet) == first


def test_a_wrong_pin_leaves_the_tablet_with_its_person(tablet, first, second):
    assert hand_over(tablet, "305", WRONG_PIN).status_code == 422
    assert who(tablet) == first


def test_five_wrong_pins_lock_the_badge_wherever_they_come_from(tablet, first, second):
    for number in range(5):
        tablet.post("/accounts/handover/", {"badge": "305", "pin": WRONG_PIN}, REMOTE_ADDR=f"10.0.0.{number}")
    assert hand_over(tablet, "305").status_code == 422, "the right PIN does not open a lock"
    assert who(tablet) == first


def test_a_locked_badge_is_open_again_after_a_while(tablet, second, clock):
    for _ in range(5):
        hand_over(tablet, "305", WRONG_PIN)
    clock.forward(minutes=14)
    tablet.get("/accounts/")
    clock.forward(minutes=2)
    assert hand_over(tablet, "305").status_code == 302


def test_an_address_that_tries_many_badges_is_locked(tablet, first, second, settings):
    settings.PIN_ADDRESS_FAILURES = 3
    for number in range(3):
        hand_over(tablet, f"6{number}", WRONG_PIN)
    assert hand_over(tablet, "305").status_code == 422
    assert who(tablet) == first


def test_axes_counts_hand_overs_too(tablet, second):
    answers = [hand_over(tablet, "305", WRONG_PIN).status_code for _ in range(5)]
    assert answers == [422, 422, 422, 422, 429]


def test_a_right_pin_forgets_the_wrong_ones_before(tablet, second, first):
    for _ in range(4):
        hand_over(tablet, "305", WRONG_PIN)
    assert hand_over(tablet, "305").status_code == 302
    assert hand_over(tablet, "214").status_code == 302
    assert hand_over(tablet, "305", WRONG_PIN).status_code == 422


def test_the_pin_is_not_sent_back(tablet, second):
    assert WRONG_PIN.encode() not in hand_over(tablet, "305", WRONG_PIN).content


def test_hand_over_leads_to_no_other_site(tablet, second):
    assert hand_over(tablet, "305", next="//elsewhere.example/")["Location"] == "/"
