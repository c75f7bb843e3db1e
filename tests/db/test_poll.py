"""What gateways tell, in good manners: real HTTP from the simulator, the real door, one transaction a gateway."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from devices import lease, poll
from devices.gateways.http_json import Client
from devices.keep import keep
from devices.models import Device, Gateway, JournalEntry, Reading
from pit.deadlines.models import Heartbeat
from pit.record.models import Event, Stream
from pit.record.verify import verify
from tests.gateways import TOKEN, Moment, World, simulator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "gw-1.token").write_text(TOKEN)
    moment = Moment()
    with simulator(now=moment) as sim:
        yield World(sim, moment, tmp_path)


def test_a_gateway_is_unknown_until_it_is_first_heard_and_then_well(world):
    world.build()
    assert (world.gateway().heard_at, world.device().present) == (None, False)
    assert world.tick() == 2
    assert (world.gateway().heard_at, world.gateway().trouble) == (world.moment(), "")
    assert world.device().present
    assert '"cycles":1000' in world.device().seen
    assert Heartbeat.objects.get(name="poller").beat_at == world.moment()


def test_a_round_that_a_shoe_tells_advances_the_counter_without_a_tap(world):
    world.build().in_play()
    before = world.state.round
    world.tick()
    for _ in range(3):
        world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.tick()
    assert world.state.round == before + 3
    assert [one.outcome for one in JournalEntry.objects.all()] == ["applied"] * 3
    world.tick()
    assert world.state.round == before + 3


def test_an_answer_that_is_as_before_writes_no_reading(world):
    world.build()
    world.tick()
    assert Reading.objects.count() == 2
    world.tick()
    world.tick()
    assert Reading.objects.count() == 2
    assert world.gateway().heard_at == world.moment()


def test_a_jam_is_kept_with_its_own_time_by_our_clock_although_the_gateways_clock_is_wrong(world):
    world.build()
    world.sim.do(do="skew", box="GW-1", seconds=90)
    world.tick()
    happened = world.moment()
    world.sim.put("SH-1", "SHUF_JAM", at=happened + timedelta(seconds=90))
    world.tick(seconds=4)
    entry = Event.objects.get(stream=world.device().stream, kind="FaultRaised")
    assert abs(entry.at - happened) < timedelta(seconds=1)
    assert abs(world.gateway().skew_ms - 90_000) < 1_000
    assert entry.actor_kind == "device"
    assert world.device().open_faults[0]["code"] == "SHUF_JAM"


def test_a_restarted_journal_skips_nothing_and_doubles_nothing(world):
    world.build().in_play()
    world.tick()
    for _ in range(3):
        world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.tick()
    counted = world.state.round
    world.sim.do(do="reboot", box="GW-2")
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.tick()
    world.tick()
    assert world.state.round == counted + 2
    assert world.gateway("GW-2").boot.endswith(".2")


def test_after_a_restart_what_no_longer_stands_is_over_and_what_stands_goes_on(world):
    world.build()
    world.sim.put("SH-1", "SHUF_JAM")
    world.sim.put("SH-1", "SHUF_CARD_UNREAD")
    world.tick()
    world.sim.server.floor.find("SH-1").machines["SH-1"].faults.remove("SHUF_JAM")
    world.sim.do(do="reboot", box="GW-1")
    world.tick()
    assert [one["code"] for one in world.device().open_faults] == ["SHUF_CARD_UNREAD"]


def test_a_gateway_with_another_boot_and_many_entries_is_read_in_several_rounds(world):
    world.build().in_play()
    world.tick()
    before = world.state.round
    for _ in range(520):
        world.sim.server.floor.find("CT-1").put("CT-1", "ROUND_DEALT", count=1)
    world.tick()
    assert world.gateway("GW-2").next_at <= world.moment()
    world.tick()
    assert world.state.round == before + 520


def test_no_gateway_is_asked_by_two_workers_at_once(world):
    world.build()
    world.moment.forward(seconds=2)
    mine, others = lease.take(world.moment()), lease.take(world.moment())
    assert len(mine.gateways) == 2
    assert not others.gateways
    assert mine.key != others.key
    world.moment.forward(seconds=11)
    assert len(lease.take(world.moment()).gateways) == 2


def test_an_answer_that_comes_after_its_lease_is_over_is_dropped(world):
    world.build().in_play()
    world.tick()
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.moment.forward(seconds=2)
    slow = lease.take(world.moment())
    late = [
        one
        for batch in poll.Ears(Client(now=world.moment, secrets=world.secrets)).answers(slow.asks)
        for one in batch
    ]
    world.tick(seconds=11)
    counted = world.state.round
    assert keep(late, lease=slow, now=world.moment()) == 0
    assert world.state.round == counted


def test_an_entry_read_again_is_not_applied_again(world):
    world.build().in_play()
    world.tick()
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    world.tick()
    counted = world.state.round
    Gateway.objects.update(cursor=0, etag="")
    world.tick()
    assert world.state.round == counted
    assert JournalEntry.objects.count() == 1


def test_what_fails_in_the_middle_is_not_half_kept(world, monkeypatch):
    world.build().in_play()
    world.tick()
    world.sim.put("CT-1", "ROUND_DEALT", count=1)
    counted, cursor = world.state.round, world.gateway("GW-2").cursor
    with monkeypatch.context() as broken:
        broken.setattr(JournalEntry.objects, "bulk_create", lambda rows: 1 / 0)
        world.tick()
    assert (world.state.round, world.gateway("GW-2").cursor) == (counted, cursor)
    assert world.gateway("GW-2").trouble == "NOT_KEPT"
    world.tick(seconds=10)
    assert world.state.round == counted + 1
    assert world.gateway("GW-2").trouble == ""


def test_entries_that_a_gateway_forgot_are_counted_and_what_stands_is_taken_from_the_snapshot(world):
    world.build()
    world.tick()
    box = world.sim.server.floor.find("SH-1")
    world.sim.put("SH-1", "SHUF_CARD_UNREAD")
    world.tick()
    for _ in range(8):
        world.sim.put("SH-1", "SHUF_JAM")
    box.journal = box.journal[-1:]
    box.journal[0] = box.write("SH-1", "190") and box.journal.pop()
    world.tick()
    assert world.gateway().lost_entries == 8
    assert {one["code"] for one in world.device().open_faults} == {"SHUF_JAM", "SHUF_CARD_UNREAD"}


def test_silence_is_said_once_after_the_grace_and_its_end_once(world):
    world.build().in_play()
    world.tick()
    world.sim.do(do="behave", box="GW-1", behaviour="refuse")
    world.tick(seconds=4)
    assert not Event.objects.filter(kind="FaultRaised")
    for _ in range(3):
        world.tick(seconds=20)
    assert [one["code"] for one in world.device().open_faults] == ["GATEWAY_SILENT"]
    assert world.gateway().silent_since is not None
    world.sim.do(do="behave", box="GW-1", behaviour="well")
    world.tick(seconds=70)
    assert world.device().open_faults == []
    assert (
        Event.objects.filter(kind="FaultRaised").count(),
        Event.objects.filter(kind="FaultEnded").count(),
    ) == (1, 1)


def test_the_record_of_all_that_holds(world):
    world.build().in_play()
    world.tick()
    world.sim.put("SH-1", "SHUF_JAM")
    world.sim.put("SH-1", "SHUF_JAM", over=True)
    world.tick()
    assert list(verify()) == []
    assert Stream.objects.filter(kind="device").count() == Device.objects.count() == 2
