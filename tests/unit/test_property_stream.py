"""The property stream: what a house sets up, settles and chooses; who may; what is refused."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pit.floor import kind
from pit.floor.domain.commands import ChangeHouseSetting, SettleReading, SetUpProperty
from pit.floor.domain.decide import KEEPERS, decide, evolve
from pit.floor.domain.events import EVENTS
from pit.floor.domain.state import PropertyState
from pit.people.roles import RIGHTS
from pit.record.contract import By, Entry, Refused
from pit.rules import load

NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)
SYSTEM = By(kind="system", name="import_floor")
COMPLIANCE = By(id=1, role="compliance", signed=True)
SET_UP = SetUpProperty(name="House", jurisdiction="ny", zone="America/New_York")


def ask(state, command, by=SYSTEM):
    return decide(state, command, by=by, rules=kind.rules(state, state, NOW), now=NOW)


def after(*commands, by=SYSTEM):
    state = PropertyState()
    for command in commands:
        answer = ask(state, command, by)
        assert not isinstance(answer, Refused), answer
        for seq, event in enumerate(answer, start=1):
            state = evolve(state, Entry(seq=seq, event=event, at=NOW, recorded_at=NOW, by=by))
    return state


def codes(state, command, by=SYSTEM):
    refused = ask(state, command, by)
    assert isinstance(refused, Refused), refused
    assert refused.clause
    return [refused.code, *(more.code for more in refused.also)]


@pytest.fixture
def house():
    return after(SET_UP)


def test_a_property_is_set_up(house):
    assert (house.name, house.jurisdiction, house.gaming_day_starts) == ("House", "ny", "06:00")


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", " "), ("jurisdiction", "xx"), ("zone", "America/NewYork"), ("gaming_day_starts", "6"),
     ("gaming_day_starts", "24:00"), ("clock", 13)],
)  # fmt: skip
def test_a_wrong_field_is_named(field, value):
    fields = {"name": "House", "jurisdiction": "ny", "zone": "UTC"} | {field: value}
    refused = ask(PropertyState(), SetUpProperty(**fields))
    assert (refused.code, refused.status, list(refused.fields)) == ("MALFORMED", 422, [field])


def test_a_property_stays_under_its_jurisdiction(house):
    command = SetUpProperty(name="House", jurisdiction="pa", zone="America/New_York")
    assert codes(house, command) == ["JURISDICTION_FIXED"]


def test_a_house_setting_is_changed_and_goes_back_to_its_default(house):
    changed = after(SET_UP, ChangeHouseSetting(setting="idle_reminder_minutes", value=10))
    assert changed.house == {"idle_reminder_minutes": 10}
    assert after(SET_UP, ChangeHouseSetting(setting="idle_reminder_minutes", value=10),
                 ChangeHouseSetting(setting="idle_reminder_minutes")).house == {}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value"),
    [("idle_reminder_minutes", "ten"), ("idle_reminder_minutes", True), ("idle_reminder_minutes", -1),
     ("idle_reminder_minutes", 100_000), ("idle_reminder_minutes", [1]), ("burn_after_loading", 1),
     ("rounds_recorded_by", "abacus"), ("dice_warning_minutes", 30), ("dice_warning_minutes", ["x"]),
     ("dice_warning_minutes", [-5])],
)  # fmt: skip
def test_a_value_of_another_kind_or_out_of_bounds_is_refused(house, key, value):
    refused = ask(house, ChangeHouseSetting(setting=key, value=value))
    assert (refused.code, refused.status, list(refused.fields)) == ("WRONG_VALUE", 422, ["value"])


def test_every_default_is_a_value_that_may_be_set(house):
    for key, setting in load.house_settings().items():
        value = list(setting.default) if isinstance(setting.default, tuple) else setting.default
        assert not isinstance(ask(house, ChangeHouseSetting(setting=key, value=value)), Refused), key


def test_every_option_of_every_reading_may_be_settled():
    for place in load.jurisdictions():
        house = after(SetUpProperty(name="House", jurisdiction=place, zone="UTC"))
        for key, reading in kind.rules(house, house, NOW).readings.items():
            for option in reading.options:
                assert not isinstance(ask(house, SettleReading(reading=key, choice=option)), Refused), (
                    place,
                    key,
                )


def test_unknown_settings_readings_and_choices_are_refused(house):
    assert codes(house, ChangeHouseSetting(setting="nothing", value=1)) == ["NO_SUCH_SETTING"]
    assert codes(house, SettleReading(reading="A-99", choice="x")) == ["NO_SUCH_READING"]
    assert codes(house, SettleReading(reading="A-04", choice="x")) == ["WRONG_VALUE"]
    assert codes(house, SettleReading(reading="A-25", choice=1)) == ["WRONG_VALUE"]


def test_what_stands_already_is_no_event(house):
    assert codes(house, SET_UP) == ["NOTHING_CHANGES"]
    assert codes(house, ChangeHouseSetting(setting="idle_reminder_minutes")) == ["NOTHING_CHANGES"]


def test_nothing_is_chosen_before_the_property_is_set_up():
    assert codes(PropertyState(), ChangeHouseSetting(setting="burn_after_loading", value=True)) == [
        "PROPERTY_NOT_SET_UP"
    ]
    assert codes(PropertyState(), SettleReading(reading="A-04", choice="far_right")) == [
        "PROPERTY_NOT_SET_UP"
    ]


@pytest.mark.parametrize("role", RIGHTS)
def test_only_compliance_and_administrators_change_the_house(house, role):
    command = ChangeHouseSetting(setting="idle_reminder_minutes", value=10)
    answer = ask(house, command, By(id=1, role=role, signed=True))
    assert isinstance(answer, Refused) is (role not in KEEPERS)
    assert RIGHTS[role].settings is (role in KEEPERS)


def test_a_change_is_signed(house):
    command = ChangeHouseSetting(setting="idle_reminder_minutes", value=10)
    assert codes(house, command, By(id=1, role="compliance")) == ["SIGNATURE_REQUIRED"]
    assert codes(house, command, By(kind="device", id=1)) == ["ROLE_NOT_PERMITTED"]


def test_rank_comes_before_what_is_malformed(house):
    command = ChangeHouseSetting(setting="nothing", value=1)
    assert codes(house, command, By(id=1, role="dealer")) == ["ROLE_NOT_PERMITTED", "NO_SUCH_SETTING"]


def test_what_is_no_command_is_refused(house):
    assert codes(house, object()) == ["UNKNOWN_COMMAND"]


def test_every_event_ever_released_is_still_read_and_written_the_same():
    from pit.record import codec

    lines = (Path(__file__).parent / "golden/property/events.json").read_text().splitlines()[1:-1]
    kinds = set()
    for text in (line.strip().rstrip(",") for line in lines):
        name = json.loads(text)["type"]
        event = codec.loads(text, EVENTS[name])
        assert codec.dumps(event) == text
        kinds.add(name)
    assert kinds == set(EVENTS)


def test_the_golden_events_still_fold_to_the_same_house():
    from pit.record import codec

    state = PropertyState()
    lines = (Path(__file__).parent / "golden/property/events.json").read_text().splitlines()[1:-1]
    for seq, line in enumerate(lines, start=1):
        text = line.strip().rstrip(",")
        event = codec.loads(text, EVENTS[json.loads(text)["type"]])
        state = evolve(state, Entry(seq=seq, event=event, at=NOW, recorded_at=NOW, by=SYSTEM))
    assert (state.name, state.jurisdiction) == ("River House", "ny")
    assert state.house == {"idle_reminder_minutes": 10, "dice_warning_minutes": [120, 30]}
    assert state.readings == {"A-04": "far_right", "A-25": False}
    assert codec.loads(codec.dumps(state), PropertyState) == state
