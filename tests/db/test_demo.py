"""The demo's houses: impossible outside demo mode, whole, in order with the rules, and loaded once."""

from datetime import timedelta
from io import StringIO

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command

from pit.floor.demo.houses import NoDemo, demo_logins
from pit.floor.models import Property
from pit.notices.models import Change
from pit.outbox.models import Message
from pit.people.models import Staff
from pit.people.roles import LOGIN_ROLES
from pit.record.models import Event
from pit.rules import load
from pit.web import clock as web_clock
from tables import demo
from tables.models import Table

pytestmark = pytest.mark.django_db
ROLES = {
    "floor": "floorperson", "pitmanager": "pit_manager", "shift": "table_games_shift_manager",
    "commission": "commission_staff", "surveillance": "surveillance", "compliance": "compliance",
    "technician": "technician", "admin": "administrator", "floor-pa": "floorperson", "floor-nj": "floorperson",
}  # fmt: skip


@pytest.fixture
def demo_mode(settings):
    settings.DEMO = True


def load_demo():
    out = StringIO()
    call_command("load_demo", stdout=out)
    return out.getvalue()


def test_outside_demo_mode_nothing_is_loaded_or_told():
    assert django_settings.DEMO is False
    with pytest.raises(CommandError, match="PITSTAND_DEMO"):
        load_demo()
    with pytest.raises(NoDemo):
        demo_logins()
    assert not Property.objects.exists()


def test_the_demo_tells_every_story_and_loading_it_again_changes_nothing(demo_mode):
    said = load_demo()
    assert demo.bring_to_life(now=web_clock.now()) == []
    entries = Event.objects.count()
    assert load_demo() == said
    assert Event.objects.count() == entries
    for login, role in ROLES.items():
        staff = Staff.objects.get(username=login)
        assert (staff.role, staff.demo, staff.may_sign_in) == (role, True, True)
        assert login in said
    change = Change.objects.get(property__key="demo-ny", status="ISSUED")
    assert Message.objects.filter(stream=change.stream, notification="change_notice").exists()
    new_york = Table.objects.filter(property__key="demo-ny")
    assert new_york.count() == 48
    assert set(new_york.values_list("game", flat=True)) == set(load.games())
    told = {table.stage for table in new_york}
    assert {
        "ACTIVE",
        "CLOSED",
        "SHUFFLE_DUE",
        "IDLE_SPREAD",
        "SPREAD",
        "CUT_OFFERED",
        "RECUT_REQUIRED",
    } <= told
    assert not Event.objects.filter(kind="Refused").exists()


def test_every_story_fits_the_rules(demo_mode):
    from pit.floor.demo.houses import load_houses

    now = web_clock.now()
    load_houses(now=now - demo.BEFORE)
    assert demo.bring_to_life(now=now) == []


def test_demo_accounts_are_nobody_outside_demo_mode(demo_mode, settings):
    from pit.floor.demo.houses import load_houses

    load_houses(now=web_clock.now() - timedelta(hours=1))
    staff = Staff.objects.filter(role__in=LOGIN_ROLES)
    assert all(one.may_sign_in for one in staff)
    settings.DEMO = False
    assert not any(one.may_sign_in for one in staff)
    assert not any(one.usable for one in Staff.objects.all())
