"""The device stream, its hours, how often a gateway is asked, and the contract's shapes: all without a database."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from devices.domain import commands as c
from devices.domain.decide import DeviceRules, decide, evolve
from devices.domain.fitness import health, instant, next_poll
from devices.domain.state import DeviceState
from devices.domain.uptime import Turn, share, stretches
from devices.gateways import wire
from devices.gateways.simulator.floor import BoxSpec, Floor, FloorSpec, MachineSpec
from devices.gateways.simulator.play import Play, Tempo
from pit.record.contract import By, Entry, Refused
from tests.architecture.tree import ROOT

NOON = datetime(2026, 3, 4, 17, tzinfo=UTC)
TECHNICIAN = By(id=1, name="Tec", role="technician")
FLOOR = By(id=2, name="Fay", role="floorperson", signed=True)
ITSELF = By(kind="device", id=3, name="SH-1", role="device")
WHAT = {"key": "SH-1", "kind": "shuffler", "serial": "S 1", "approval_ref": "LAB 1"}


class Device:
    def __init__(self) -> None:
        self.state, self.seq = DeviceState(), 0

    def ask(self, command: c.Command, by: By = TECHNICIAN):
        return decide(self.state, command, by=by, rules=DeviceRules(), now=NOON)

    def do(self, command: c.Command, by: By = TECHNICIAN) -> int:
        events = self.ask(command, by)
        assert not isinstance(events, Refused), events
        for event in events:
            self.seq += 1
            entry = Entry(seq=self.seq, event=event, at=NOON, recorded_at=NOON, by=by)
            self.state = evolve(self.state, entry)
        return len(events)

    def refused(self, command: c.Command, by: By = TECHNICIAN) -> str:
        answer = self.ask(command, by)
        assert isinstance(answer, Refused)
        return answer.code


def registered(**more: str) -> Device:
    device = Device()
    device.do(c.RegisterDevice(**{**WHAT, **more}))
    return device


def test_a_device_comes_to_a_table_leaves_it_and_is_retired():
    device = registered()
    assert device.state.status == "stored"
    device.do(c.InstallDevice(table=7, number="BJ-07"))
    assert (device.state.table, device.state.table_number) == (7, "BJ-07")
    assert device.refused(c.RetireDevice(reason="old")) == "STILL_AT_A_TABLE"
    device.do(c.InstallDevice(table=8, number="BJ-08"))
    device.do(c.StoreDevice())
    device.do(c.RetireDevice(reason="old"))
    assert device.refused(c.InstallDevice(table=7, number="BJ-07")) == "DEVICE_RETIRED"


def test_an_unapproved_device_comes_to_no_table_and_an_installed_one_keeps_its_approval():
    device = registered(approval_ref=" ")
    assert device.refused(c.InstallDevice(table=7, number="BJ-07")) == "DEVICE_NOT_APPROVED"
    device.do(c.RegisterDevice(**WHAT))
    device.do(c.InstallDevice(table=7, number="BJ-07"))
    assert device.refused(c.RegisterDevice(**{**WHAT, "approval_ref": ""})) == "DEVICE_NOT_APPROVED"


@pytest.mark.parametrize("by", [FLOOR, ITSELF, By(id=9, role="dealer"), By(id=9, role="compliance")])
def test_devices_are_kept_by_technicians_and_administrators_alone(by):
    assert registered().refused(c.InstallDevice(table=7, number="BJ-07"), by) == "ROLE_NOT_PERMITTED"


@pytest.mark.parametrize(
    ("field", "value"), [("key", "SH 1"), ("serial", " "), ("firmware", "abc"), ("maker", "x" * 61)]
)
def test_what_a_device_cannot_be_is_named_by_field(field, value):
    answer = Device().ask(c.RegisterDevice(**{**WHAT, field: value}))
    assert isinstance(answer, Refused)
    assert list(answer.fields) == [field]


def test_a_device_says_a_thing_once_and_only_itself_says_it():
    device = registered()
    assert device.do(c.RaiseFault(code="SHUF_JAM"), ITSELF) == 1
    assert device.do(c.RaiseFault(code="SHUF_JAM"), ITSELF) == 0
    assert device.do(c.RaiseFault(code="SIDEBET_LIGHT_FAIL", seat=1), ITSELF) == 1
    assert device.do(c.RaiseFault(code="SIDEBET_LIGHT_FAIL", seat=2), ITSELF) == 1
    assert device.do(c.EndFault(code="SIDEBET_LIGHT_FAIL", seat=1), ITSELF) == 1
    assert [(one.code, one.seat) for one in device.state.faults] == [
        ("SHUF_JAM", None),
        ("SIDEBET_LIGHT_FAIL", 2),
    ]
    assert device.do(c.EndFault(code="READER_INOP"), ITSELF) == 0
    assert device.refused(c.RaiseFault(code="SHUF_JAM"), TECHNICIAN) == "ROLE_NOT_PERMITTED"
    assert device.refused(c.RaiseFault(code="NONSENSE"), ITSELF) == "UNKNOWN_FAULT"


def test_a_finding_is_told_each_time_and_does_not_stand():
    device = registered()
    assert device.do(c.RaiseFault(code="SHUF_NOT_CYCLED"), ITSELF) == 1
    assert device.do(c.RaiseFault(code="SHUF_NOT_CYCLED"), ITSELF) == 1
    assert device.state.faults == ()


def test_a_service_renews_seal_and_firmware_and_ends_a_broken_seal():
    device = registered(seal="S-1")
    device.do(c.RaiseFault(code="DEVICE_SEAL_BROKEN"), ITSELF)
    device.do(c.RecordService(work="new rollers", seal="S-2", firmware="a" * 64))
    assert (device.state.seal, device.state.firmware, device.state.faults) == ("S-2", "a" * 64, ())
    assert device.refused(c.RecordService(work=" ")) == "MALFORMED"


def test_health_is_unknown_until_heard_troubled_at_once_and_silent_only_after_the_grace():
    grace = timedelta(seconds=10)

    def at(seconds: float, *, trouble: str = "", active: bool = True, heard: bool = True) -> str:
        heard_at = NOON - timedelta(seconds=seconds) if heard else None
        return health(active=active, heard_at=heard_at, trouble=trouble, grace=grace, now=NOON)

    assert at(0, heard=False) == "unknown"
    assert at(1) == "well"
    assert at(1, trouble="TIMEOUT") == "troubled"
    assert at(10, trouble="TIMEOUT") == "troubled"
    assert at(10.1) == "silent"
    assert at(1, active=False) == "off"


def test_a_failing_gateway_is_asked_ever_less_often_and_never_before_it_asked_for():
    def pause(failures: int, *, asked: float | None = None, chance: float = 1.0) -> float:
        due = next_poll(
            now=NOON, interval=timedelta(seconds=1), failures=failures, asked=asked, chance=chance
        )
        return (due - NOON).total_seconds()

    assert [pause(n) for n in (0, 1, 2, 3, 6, 7, 500)] == [1, 2, 4, 8, 60, 60, 60]
    assert pause(6, chance=0) == 30
    assert pause(1, asked=7) == 7


def test_an_instant_is_never_in_the_future_and_never_absurdly_old():
    ago = timedelta(seconds=5)
    assert instant(NOON - ago, skew_ms=0, now=NOON) == NOON - ago
    assert instant(NOON + timedelta(hours=1), skew_ms=3_600_000, now=NOON) == NOON
    assert instant(NOON + ago, skew_ms=0, now=NOON) == NOON
    assert instant(NOON - timedelta(days=2), skew_ms=0, now=NOON) == NOON


def test_the_hours_of_a_device_are_stretches_without_holes():
    since, until = NOON - timedelta(hours=4), NOON
    turns = [
        Turn(at=NOON - timedelta(hours=3), code="SHUF_JAM", begins=True),
        Turn(at=NOON - timedelta(hours=2), code="SHUF_JAM", begins=False),
        Turn(at=NOON - timedelta(hours=1), code="GATEWAY_SILENT", begins=True),
    ]
    found = stretches(turns, heard_since=since, since=since, until=until)
    assert [one.what for one in found] == ["well", "fault", "well", "unknown"]
    assert [one.seconds for one in found] == [3600] * 4
    assert share(found, "well") == 0.5


def test_before_it_was_ever_heard_a_device_is_unknown_and_an_old_fault_still_stands():
    since, until = NOON - timedelta(hours=2), NOON
    assert [one.what for one in stretches([], heard_since=None, since=since, until=until)] == ["unknown"]
    late = stretches([], heard_since=NOON - timedelta(hours=1), since=since, until=until)
    assert [one.what for one in late] == ["unknown", "well"]
    old = [Turn(at=NOON - timedelta(days=3), code="SHUF_INOP", begins=True)]
    assert [
        one.what for one in stretches(old, heard_since=NOON - timedelta(days=9), since=since, until=until)
    ] == ["fault"]


@pytest.mark.parametrize("name", wire.SHAPES)
def test_the_schema_in_the_tree_is_that_of_the_shapes(name):
    """`python -c "…wire.schema…"` wrote it; whoever changes the shapes writes it again."""
    kept = json.loads((ROOT / "devices/gateways/schema" / f"{name}.json").read_text(encoding="utf-8"))
    assert kept == wire.schema(name)


@pytest.mark.parametrize("field", ["order", "cards_in_order", "rank", "suit", "sequence"])
def test_there_is_no_place_for_the_order_of_cards(field):
    head = {"contract": 1, "gateway": "G", "boot": "b", "time": "2026-03-04T17:00:00Z"}
    entry = {"id": 1, "device": "SH-1", "at": "2026-03-04T17:00:00Z", "code": "X", "data": {field: ["QD"]}}
    journal = {**head, "first": 1, "cursor": 1, "events": [entry]}
    with pytest.raises(msgspec.ValidationError, match=field):
        msgspec.json.decode(json.dumps(journal), type=wire.Journal)
    device = {"id": "SH-1", "serial": "S", "kind": "shuffler", "state": "ready", "at": "2026-03-04T17:00:00Z"}
    snapshot = {**head, "cursor": 0, "devices": [{**device, field: ["QD"]}]}
    with pytest.raises(msgspec.ValidationError, match=field):
        msgspec.json.decode(json.dumps(snapshot), type=wire.Snapshot)


def test_the_same_seed_plays_the_same_shift():
    def shift(seed: int) -> list[tuple[str, str]]:
        spec = FloorSpec(
            boxes=[
                BoxSpec(
                    name="GW-1",
                    devices=[
                        MachineSpec(id="SH-1", kind="shuffler", table="T", backs=["red", "blue"], cards=312),
                        MachineSpec(id="CT-1", kind="counter", table="T", backs=["red", "blue"]),
                    ],
                )
            ]
        )
        floor = Floor(spec, now=lambda: NOON)
        play = Play(floor, seed=seed, tempo=Tempo(fault_every_s=300))
        for second in range(0, 8 * 3600, 5):
            play.step(NOON + timedelta(seconds=second))
        return [(one.device, one.code) for one in floor.boxes["GW-1"].journal]

    played = shift(3)
    assert played == shift(3)
    assert played != shift(4)
    codes = {code for _, code in played}
    assert {"ROUND_DEALT", "COVER_CARD_OUT", "LOADED", "CYCLE_DONE", "UNLOADED"} <= codes
    assert codes & {"SHUF_JAM", "SHUF_INCOMPLETE", "SHUF_INOP", "SHUF_CARD_UNREAD", "SHUF_COUNT_SHORT"}
