"""Whatever a gateway answers has a defined, visible outcome, and nothing is ever half applied."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.gateways.simulator.server import BEHAVIOURS
from devices.models import Gateway, JournalEntry, Quarantined, Reading
from pit.record.models import Event
from tests.gateways import NOON, TOKEN, Moment, World, simulator

pytestmark = pytest.mark.django_db(transaction=True)

TROUBLES = {
    "half": "BROKEN_OFF",
    "html": "NOT_JSON",
    "html_as_json": "NOT_JSON",
    "huge": "TOO_LARGE",
    "endless": "TOO_LARGE",
    "refuse": "CREDENTIALS",
    "redirect": "REDIRECT",
    "busy": "ASKED_TO_WAIT",
    "broken": "STATUS",
    "wrong_schema": "SCHEMA",
    "card_order": "SCHEMA",
    "backwards": "CURSOR_WENT_BACK",
    "two_ways": "OTHER_ENTRY",
    "other_gateway": "OTHER_GATEWAY",
}
PUT_ASIDE = {
    "BROKEN_OFF",
    "NOT_JSON",
    "TOO_LARGE",
    "SCHEMA",
    "CURSOR_WENT_BACK",
    "OTHER_ENTRY",
    "OTHER_GATEWAY",
}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "gw-1.token").write_text(TOKEN)
    moment = Moment()
    with simulator(now=moment) as sim:
        yield World(sim, moment, tmp_path)


def test_every_bad_manner_of_the_simulator_is_tried_here():
    tried = {*TROUBLES, "hang", "slow", "far_off", "duplicates", "other_serial", "unknown_device", "well"}
    assert tried == set(BEHAVIOURS)


@pytest.mark.parametrize(("behaviour", "trouble"), TROUBLES.items())
def test_a_bad_answer_is_named_and_nothing_of_it_is_applied(world, behaviour, trouble):
    world.build().in_play()
    world.tick()
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.tick()
    readings, device, rounds = Reading.objects.count(), world.device("CT-1"), world.state.round
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.sim.do(do="behave", box="GW-2", behaviour=behaviour)
    assert world.tick() == 1
    gateway = world.gateway("GW-2")
    assert (gateway.trouble, gateway.failures) == (trouble, 1)
    assert gateway.trouble_since == world.moment()
    assert (Reading.objects.count(), world.device("CT-1").seen, world.state.round) == (
        readings,
        device.seen,
        rounds,
    )
    assert Quarantined.objects.filter(gateway=gateway).exists() == (trouble in PUT_ASIDE)
    assert world.sim.server.trapped == 0
    world.sim.do(do="behave", box="GW-2", behaviour="well")
    world.tick(seconds=10)
    assert (world.gateway("GW-2").trouble, world.state.round) == ("", rounds + 1)


def test_a_gateway_that_hangs_is_given_up_and_holds_up_nobody(world):
    world.build().in_play()
    world.tick()
    world.sim.do(do="behave", box="GW-1", behaviour="hang")
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    rounds = world.state.round
    assert world.tick() == 1
    assert (world.gateway().trouble, world.state.round) == ("TIMEOUT", rounds + 1)


def test_a_slow_gateway_is_waited_for(world):
    world.build()
    world.sim.do(do="behave", box="GW-1", behaviour="slow")
    assert world.tick() == 2


def test_a_gateway_that_is_not_there_is_unreachable_and_asked_ever_less_often(world):
    world.build()
    Gateway.objects.filter(name="GW-1").update(url="http://127.0.0.1:9")
    pauses = []
    for _ in range(9):
        world.tick(seconds=61)
        pauses.append((world.gateway().next_at - world.moment()).total_seconds())
    assert world.gateway().trouble == "UNREACHABLE"
    assert world.gateway().failures == 9
    assert 1 <= pauses[0] <= 2
    assert 30 <= pauses[-1] <= 60


def test_a_gateway_that_asks_for_time_gets_it(world):
    world.build()
    world.sim.do(do="behave", box="GW-1", behaviour="busy")
    world.tick()
    assert (world.gateway().next_at - world.moment()).total_seconds() >= 7


def test_a_token_that_is_missing_here_is_a_trouble_of_credentials_and_nothing_is_asked(world):
    world.build()
    (world.secrets / "gw-1.token").unlink()
    world.tick()
    assert world.gateway().trouble == "CREDENTIALS"
    assert "gw-1.token" in world.gateway().trouble_detail
    assert world.sim.server.floor.boxes["GW-1"].asked == 0


def test_the_same_bad_answer_again_is_counted_and_not_kept_again(world):
    world.build()
    world.sim.do(do="behave", box="GW-1", behaviour="html")
    for _ in range(3):
        world.tick(seconds=61)
    kept = Quarantined.objects.get(gateway=world.gateway())
    assert (kept.times, kept.trouble) == (3, "NOT_JSON")
    assert "router" in kept.beginning


def test_a_clock_far_off_is_measured_and_shown_and_does_not_move_what_happened(world):
    world.build()
    world.sim.do(do="behave", box="GW-1", behaviour="far_off")
    world.sim.put("SH-1", "SHUF_JAM", at=NOON.replace(year=2027))
    world.tick()
    assert world.gateway().skew_ms > 300 * 86_400_000
    entry = Event.objects.get(stream=world.device().stream, kind="FaultRaised")
    assert entry.at <= world.moment()


def test_an_entry_that_comes_twice_counts_once(world):
    world.build().in_play()
    world.tick()
    rounds = world.state.round
    world.sim.do(do="behave", box="GW-2", behaviour="duplicates")
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.tick()
    world.tick()
    assert world.state.round == rounds + 1


def test_a_device_that_nobody_registered_is_named_and_changes_nothing(world):
    world.build()
    world.sim.do(do="behave", box="GW-1", behaviour="unknown_device")
    world.sim.put("SH-1", "SHUF_JAM")
    world.tick()
    assert "ZZ-99" in world.gateway().strangers
    assert JournalEntry.objects.get().outcome == "unknown_device"
    assert not Event.objects.filter(kind="FaultRaised")


def test_a_code_that_nobody_knows_is_kept_and_named(world):
    world.build()
    world.sim.do(do="write", device="SH-1", raw="999")
    world.tick()
    entry = JournalEntry.objects.get()
    assert (entry.outcome, entry.raw, entry.code) == ("unknown_code", "999", "")


def test_a_device_with_another_serial_than_registered_is_unknown_until_the_right_one_answers(world):
    world.build().in_play()
    world.tick()
    world.sim.do(do="behave", box="GW-1", behaviour="other_serial")
    world.sim.put("SH-1", "SHUF_JAM")
    world.tick()
    assert world.device().mismatch == "serial"
    assert [one.outcome for one in JournalEntry.objects.all()] == ["mismatch"]
    assert [one["code"] for one in world.device().open_faults] == ["GATEWAY_SILENT"]
    note = Event.objects.get(kind="MismatchNoted")
    assert '"registered":"AS-SH-1"' in note.data
    world.tick()
    assert Event.objects.filter(kind="MismatchNoted").count() == 1
    world.sim.do(do="behave", box="GW-1", behaviour="well")
    world.tick()
    assert world.device().mismatch == ""
    assert "GATEWAY_SILENT" not in [one["code"] for one in world.device().open_faults]


def test_a_device_that_its_gateway_does_not_name_any_more_is_unknown(world):
    world.build()
    world.tick()
    box = world.sim.server.floor.boxes["GW-1"]
    machine = box.machines.pop("SH-1")
    world.tick()
    assert (world.device().present, [one["code"] for one in world.device().open_faults]) == (
        False,
        ["GATEWAY_SILENT"],
    )
    box.machines["SH-1"] = machine
    world.tick()
    assert (world.device().present, world.device().open_faults) == (True, [])


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254", "file:///etc/passwd", "http://user@127.0.0.1", "gopher://127.0.0.1"]
)
def test_an_address_that_no_gateway_can_have_is_never_called(world, url):
    world.build()
    Gateway.objects.filter(name="GW-1").update(url=url)
    world.tick()
    assert world.gateway().trouble == "NOT_ALLOWED"


def test_a_certificate_that_nobody_vouches_for_is_a_trouble_of_tls(world, tmp_path):
    certificate = tmp_path / "own.pem"
    ask = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    done = subprocess.run(
        [*ask, "-keyout", certificate, "-out", tmp_path / "crt"], capture_output=True, check=True
    )
    assert done.returncode == 0
    certificate.write_bytes(certificate.read_bytes() + (tmp_path / "crt").read_bytes())
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with simulator(now=world.moment, tls=context) as other:
        world.build()
        Gateway.objects.filter(name="GW-1").update(url=other.url.replace("http:", "https:") + "/GW-1")
        world.tick()
        assert world.gateway().trouble == "TLS"
        (tmp_path / "gw-1.ca").write_bytes((tmp_path / "crt").read_bytes())
        Gateway.objects.filter(name="GW-1").update(
            url=other.url.replace("http://127.0.0.1", "https://localhost") + "/GW-1"
        )
        world.tick(seconds=70)
        assert world.gateway().trouble == ""
