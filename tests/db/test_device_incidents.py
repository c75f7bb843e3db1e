"""Incidents that really happened, replayed by their devices over HTTP: each ends in the right hold, and can be worked
through to return to service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from devices import pages
from devices.gateways.simulator.scripts import SCRIPTS
from devices.models import JournalEntry
from pit.record.models import Event
from tables.domain import commands as c
from tables.domain.commands import COMMANDS
from tests.gateways import TOKEN, Moment, World, simulator

pytestmark = pytest.mark.django_db(transaction=True)

HOLDS = {
    "2": "not_cycled",
    "5": "not_cycled",
    "6": "fault_latch",
    "7": "wrong_mode",
    "8": "fault_latch",
    "10": "fault_latch",
    "12": "fault_latch",
}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "gw-1.token").write_text(TOKEN)
    moment = Moment()
    with simulator(now=moment) as sim:
        yield World(sim, moment, tmp_path).build().in_play()


def played(world: World, number: str) -> World:
    world.tick()
    world.sim.script(number, "SH-1", world.moment)
    world.tick()
    return world


def test_every_script_of_the_simulator_is_replayed_here():
    assert set(HOLDS) == set(SCRIPTS)


@pytest.mark.parametrize(("number", "hold"), HOLDS.items())
def test_an_incident_ends_in_its_hold_and_no_card_is_dealt(world, number, hold):
    played(world, number)
    assert hold in world.holds()
    refused = world.ask(c.AdvanceRounds()).refused
    assert refused is not None


def test_2_a_batch_that_was_never_shuffled_is_known_when_it_comes_out_and_not_hours_later(world):
    played(world, "2")
    fault = Event.objects.get(stream=world.table.stream, kind="FaultReported")
    assert '"code":"SHUF_NOT_CYCLED"' in fault.data
    assert '"exposure":{' in fault.data


def test_5_rounds_that_are_dealt_all_the_same_stand_in_the_record_as_refused(world):
    rounds = world.state.round
    played(world, "5")
    assert world.state.round == rounds
    assert Event.objects.filter(stream=world.table.stream, kind="Refused", actor_kind="device").count() == 25
    assert set(JournalEntry.objects.filter(code="ROUND_DEALT").values_list("outcome", flat=True)) == {
        "refused"
    }


def test_6_a_shuffler_out_of_service_is_covered_and_emptied_before_anything_else_is_done(world):
    played(world, "6")
    assert world.state.device("SH-1").failed
    by_hand = c.RecordShuffle(batch="B")
    assert "COVER_OR_SIGN_FIRST" in codes(world.ask(by_hand).refused)
    world.do(c.SignDevice(device="SH-1"))
    assert "COVER_OR_SIGN_FIRST" not in codes(world.ask(by_hand).refused)
    world.do(COMMANDS["RepairDevice"](device="SH-1", repair="rollers"))
    world.do(COMMANDS["TestDevice"](device="SH-1"))
    assert world.ask(c.ReturnDevice(device="SH-1", repair="rollers")).refused is not None
    world.do(COMMANDS["EmptyDevice"](device="SH-1", cards=16))


def test_8_a_warning_that_went_away_by_itself_still_holds(world):
    played(world, "8")
    assert world.device().open_faults == []
    assert "fault_latch" in world.holds()
    release = COMMANDS["ReleaseFault"](device="SH-1", code="SHUF_CARD_UNREAD", reason="card straightened")
    assert codes(world.ask(release).refused) == ["COUNT_OR_RESHUFFLE_FIRST"]
    assert Event.objects.filter(stream=world.device().stream, kind="FaultRaised").count() == 7


def test_the_device_that_spoke_stands_in_the_record_with_its_own_time(world):
    world.tick()
    at = world.moment.forward(seconds=5)
    world.sim.put("SH-1", "SHUF_JAM")
    world.tick(seconds=3)
    entry = Event.objects.get(stream=world.table.stream, kind="FaultReported")
    assert (entry.at, entry.actor_kind, entry.role) == (at, "device", "device")
    assert "AS-SH-1" in entry.actor_name
    assert entry.clause == "NY-h-1"


def test_a_device_comes_back_from_out_of_order_step_by_step(world):
    played(world, "10")
    steps = {step.words: step for step in pages.way_back(world.device(), now=world.moment())}
    assert steps["Declared out of order"].at is not None
    assert steps["Covered, or the sign on it"].link.startswith(f"/tables/{world.table.pk}/CoverDevice")
    world.do(c.CoverDevice(device="SH-1"))
    inside = world.state.config.stack_cards
    world.do(COMMANDS["EmptyDevice"](device="SH-1", cards=inside))
    world.do(COMMANDS["RepairDevice"](device="SH-1", repair="lamp and sensor"))
    world.do(COMMANDS["TestDevice"](device="SH-1"))
    world.do(c.ReturnDevice(device="SH-1", repair="lamp and sensor"))
    assert not world.state.device("SH-1").failed
    lines = [line.words for line in pages.history(world.device())]
    assert any("emptied" in line.lower() for line in lines), lines
    assert any("in service" in line.lower() for line in lines), lines


def test_a_reader_that_does_not_work_holds_nothing(world):
    world.sim.do(do="write", device="CT-1", raw="reader.dead")
    world.tick()
    assert world.state.holds == ()
    assert world.ask(c.AdvanceRounds()).refused is None


def test_a_silent_gateway_makes_a_device_unknown_and_holds_nothing(world):
    world.tick()
    world.sim.do(do="behave", box="GW-1", behaviour="refuse")
    world.tick(seconds=30)
    world.tick(seconds=30)
    assert any("GATEWAY_SILENT" in one.detail for one in world.state.alerts)
    assert world.ask(c.AdvanceRounds()).refused is None
    world.sim.do(do="behave", box="GW-1", behaviour="well")
    world.tick(seconds=70)
    assert not any("GATEWAY_SILENT" in one.detail for one in world.state.alerts)


def test_a_cover_card_that_the_shoe_sees_makes_a_shuffle_due_without_a_tap(world):
    world.sim.put("CT-1", "COVER_CARD_OUT", on="seat", seat=3)
    world.tick()
    assert world.state.stage == "SHUFFLE_DUE"
    assert world.state.cover_out.seat == 3


def test_a_batch_that_the_shuffler_changed_was_not_tapped_by_anybody(world):
    world.tick()
    world.sim.put("CT-1", "COVER_CARD_OUT", on="seat", seat=3)
    world.tick()
    inside = next(one for one in world.state.batches if one.place == "device")
    other = next(one for one in world.state.batches if one.id != inside.id)
    cycles = 1000
    if inside.progress != "READY":
        world.sim.put("SH-1", "CYCLE_DONE", batch=inside.back, cycles=1001, mode="SHUFFLE", cards=312)
        cycles = 1001
    world.sim.put("SH-1", "UNLOADED", batch=inside.back, cycles=cycles)
    world.tick()
    assert world.state.stage == "SHUFFLED"
    assert world.state.next_batch == inside.id
    assert other.place != "device"


def codes(refused: object) -> list[str]:
    if refused is None:
        return []
    return [refused.code, *(one.code for one in refused.also)]
