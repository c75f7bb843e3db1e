"""manage.py check_gateway says what is wrong with a gateway; old readings are forgotten, the Record is not."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command

from devices.gateways.hosts import allowed
from devices.models import JournalEntry, Quarantined, Reading
from devices.retention import forget
from pit.record.models import Event
from pit.web import clock
from tests.gateways import TOKEN, Moment, World, simulator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(tmp_path: Path, settings) -> Iterator[World]:
    (tmp_path / "gw-1.token").write_text(TOKEN)
    settings.GATEWAY_SECRETS = str(tmp_path)
    moment = Moment(clock.now())
    with simulator(now=clock.now) as sim:
        yield World(sim, moment, tmp_path)


def tried(url: str, **more: str) -> tuple[str, int]:
    """What the command says, and its exit status."""
    said = io.StringIO()
    try:
        call_command("check_gateway", url, stdout=said, **more)
    except SystemExit as left:
        return said.getvalue(), int(left.code or 0)
    return said.getvalue(), 0


def test_a_good_gateway_is_told_so(world):
    world.sim.put("SH-1", "SHUF_JAM")
    said, status = tried(f"{world.sim.url}/GW-1", credential="gw-1")
    assert (status, "WRONG" in said) == (0, False)
    assert "devices: SH-1" in said
    assert "unprotected" in said


def test_a_registered_gateway_is_tried_by_its_name(world):
    world.build()
    said, status = tried("GW-1")
    assert (status, "GW-1 answers" in said) == (0, True)


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        ("html", "NOT_JSON"),
        ("wrong_schema", "SCHEMA"),
        ("card_order", "SCHEMA"),
        ("refuse", "CREDENTIALS"),
        ("duplicates", "came twice"),
        ("far_off", "note"),
    ],
)
def test_what_is_wrong_is_said(world, behaviour, told):
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.sim.do(do="behave", box="GW-2", behaviour=behaviour)
    said, status = tried(f"{world.sim.url}/GW-2", name="GW-2")
    assert told in said
    assert status == (0 if told == "note" else 1)


def test_a_code_that_no_table_knows_is_named(world):
    world.sim.do(do="write", device="CT-1", raw="what.is.this")
    assert "CT-1 what.is.this" in tried(f"{world.sim.url}/GW-2")[0]


def test_old_readings_are_forgotten_and_the_record_is_not(world, settings):
    world.build()
    world.tick()
    world.sim.put("SH-1", "SHUF_JAM")
    world.sim.do(do="behave", box="GW-2", behaviour="html")
    world.tick()
    kept = Event.objects.count()
    assert min(Reading.objects.count(), JournalEntry.objects.count(), Quarantined.objects.count()) > 0
    assert forget(world.moment()) == 0
    assert forget(world.moment() + timedelta(days=settings.READINGS_DAYS + 1)) > 0
    assert (Reading.objects.count(), JournalEntry.objects.count(), Quarantined.objects.count()) == (0, 0, 0)
    assert Event.objects.count() == kept


@pytest.mark.parametrize(
    ("url", "hosts", "may"),
    [
        ("http://10.20.3.4:8080/gw", ["10.20.0.0/16"], True),
        ("http://10.21.3.4", ["10.20.0.0/16"], False),
        ("https://GW-1.pit.example", ["gw-1.pit.example"], True),
        ("https://gw-1.pit.example.evil.example", ["gw-1.pit.example"], False),
        ("http://[::1]:9", [], True),
        ("http://[fe80::1]", [], False),
        ("http://0.0.0.0", [], False),
        ("http://host:99999", [], False),
        ("//host/path", [], False),
    ],
)
def test_only_the_hosts_that_the_site_allows_may_be_gateways(url, hosts, may):
    assert allowed(url, hosts) is may
