"""decide and evolve of the property stream. Total, deterministic; the answer to a bad command is a Refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from pit.floor.domain.commands import ChangeHouseSetting, SettleReading, SetUpProperty
from pit.floor.domain.events import HouseSettingChanged, PropertySetUp, ReadingSettled
from pit.floor.domain.state import PropertyRules, PropertyState, Value
from pit.record.contract import By, Entry, Refused, refusal
from pit.rules.model import HouseSetting

KEEPERS = frozenset({"compliance", "administrator"})
"""Who may change a property: they sign. An import stands on its own, as system."""

LARGEST = 100_000
"""Of a number without a bound of its own: minutes or hours beyond it are no time that a clock could still reach."""
LONGEST_VALUE = 120
"""Characters of a word, numbers of a list."""
LONGEST_NAME = 120

LOCAL_TIME = re.compile(r"^([01]\d|2[0-3]):[0-5]\d$")


def decide(
    state: PropertyState, command: Any, *, by: By, rules: PropertyRules, now: datetime
) -> Sequence[Any] | Refused:
    """The events that follow from the command, or every reason against it."""
    reasons = _authority(by)
    match command:
        case SetUpProperty():
            events, more = _set_up(state, command, rules)
        case ChangeHouseSetting():
            events, more = _change(state, command, rules)
        case SettleReading():
            events, more = _settle(state, command, rules)
        case _:
            events, more = [], [_refused("UNKNOWN_COMMAND", "There is no such command.", status=422)]
    if reasons or more:
        return refusal([*reasons, *more])
    return events


def evolve(state: PropertyState, entry: Entry) -> PropertyState:
    """The state after one entry; an event of a later software version changes nothing here."""
    match entry.event:
        case PropertySetUp() as event:
            return msgspec.structs.replace(state, **msgspec.structs.asdict(event))
        case HouseSettingChanged(setting=key, now=value):
            return msgspec.structs.replace(state, house=_with(state.house, key, value))
        case ReadingSettled(reading=key, now=choice):
            return msgspec.structs.replace(state, readings=_with(state.readings, key, choice))
        case _:
            return state


def _with(mapping: Any, key: str, value: Any) -> dict[str, Any]:
    rest = {name: held for name, held in mapping.items() if name != key}
    return rest if value is None else rest | {key: value}


def _authority(by: By) -> list[Refused]:
    if by.kind == "system":
        return []
    if by.kind != "person" or by.role not in KEEPERS:
        text = "Settings of the house are changed by compliance or an administrator."
        return [_refused("ROLE_NOT_PERMITTED", text, status=403)]
    if not by.signed:
        return [_refused("SIGNATURE_REQUIRED", "This change is signed with your PIN.", status=403)]
    return []


def _set_up(
    state: PropertyState, command: SetUpProperty, rules: PropertyRules
) -> tuple[list[Any], list[Refused]]:
    event = PropertySetUp(**msgspec.structs.asdict(command))
    fields = _wrong_fields(command, rules)
    reasons = [_refused("MALFORMED", "Some fields cannot be.", status=422, fields=fields)] if fields else []
    if state.is_set_up and command.jurisdiction != state.jurisdiction:
        reasons.append(
            _refused("JURISDICTION_FIXED", "A property stays under the jurisdiction it was set up with.")
        )
    if not reasons and all(
        getattr(state, name) == value for name, value in msgspec.structs.asdict(event).items()
    ):
        reasons.append(_nothing_changes())
    return [event], reasons


def _wrong_fields(command: SetUpProperty, rules: PropertyRules) -> dict[str, str]:
    checks = {
        "name": (0 < len(command.name.strip()) <= LONGEST_NAME, f"a name of 1 to {LONGEST_NAME} characters"),
        "jurisdiction": (command.jurisdiction in rules.jurisdictions, "no rule pack for this jurisdiction"),
        "zone": (command.zone in rules.zones, "not a time zone of the IANA list"),
        "gaming_day_starts": (bool(LOCAL_TIME.match(command.gaming_day_starts)), "a local time, HH:MM"),
        "clock": (command.clock in (12, 24), "12 or 24"),
    }
    return {name: text for name, (holds, text) in checks.items() if not holds}


def _change(
    state: PropertyState, command: ChangeHouseSetting, rules: PropertyRules
) -> tuple[list[Any], list[Refused]]:
    was = state.house.get(command.setting)
    event = HouseSettingChanged(setting=command.setting, was=was, now=command.value)
    setting = rules.settings.get(command.setting)
    if not state.is_set_up:
        return [], [_not_set_up()]
    if setting is None:
        return [], [_malformed("NO_SUCH_SETTING", "There is no such house setting.", "setting")]
    if command.value is not None and (wrong := wrong_value(setting, command.value)):
        return [], [_malformed("WRONG_VALUE", f"{setting.label or setting.key}: {wrong}.", "value")]
    return [event], [_nothing_changes()] if was == command.value else []


def _settle(
    state: PropertyState, command: SettleReading, rules: PropertyRules
) -> tuple[list[Any], list[Refused]]:
    was = state.readings.get(command.reading)
    event = ReadingSettled(reading=command.reading, was=was, now=command.choice)
    reading = rules.readings.get(command.reading)
    if not state.is_set_up:
        return [], [_not_set_up()]
    if reading is None:
        return [], [_malformed("NO_SUCH_READING", "There is no such open reading here.", "reading")]
    if command.choice is not None and not _is_among(command.choice, reading.options):
        text = f"It may be read as: {', '.join(map(str, reading.options))}."
        return [], [_malformed("WRONG_VALUE", text, "choice")]
    return [event], [_nothing_changes()] if was == command.choice else []


def _is_among(value: Value, options: Sequence[Any]) -> bool:
    """Equal and of the same type: 1 is not `true`."""
    return any(value == one and type(value) is type(one) for one in options)


def wrong_value(setting: HouseSetting, value: Value) -> str:
    """Why this cannot be the setting's value, or "". The default shows the type."""
    if type(value) is not type(setting.default):
        return f"it takes {_kind(setting.default)}"
    if setting.options and value not in setting.options:
        return f"one of {', '.join(map(str, setting.options))}"
    if isinstance(value, str | list) and len(value) > LONGEST_VALUE:
        return f"not longer than {LONGEST_VALUE}"
    numbers = value if isinstance(value, list) else [value]
    return next((text for number in numbers if (text := _wrong_number(setting, number))), "")


def _wrong_number(setting: HouseSetting, number: Any) -> str:
    if isinstance(setting.default, list) and setting.default and type(number) is not type(setting.default[0]):
        return f"it takes {_kind(setting.default)}"
    if isinstance(number, bool) or not isinstance(number, int):
        return ""
    low = setting.least if setting.least is not None else 0
    if number < low:
        return f"not less than {low}"
    most = setting.most if setting.most is not None else LARGEST
    if number > most:
        return f"not more than {most}"
    return ""


def _kind(value: Value) -> str:
    words = {bool: "yes or no", int: "a whole number", str: "a word", list: "a list of whole numbers"}
    return words[type(value)]


def _refused(code: str, message: str, *, status: Any = 409, fields: dict[str, str] | None = None) -> Refused:
    return Refused(code=code, clause="house", message=message, status=status, fields=fields or {})


def _malformed(code: str, message: str, field: str) -> Refused:
    return _refused(code, message, status=422, fields={field: message})


def _not_set_up() -> Refused:
    return _refused("PROPERTY_NOT_SET_UP", "The property is not set up yet.")


def _nothing_changes() -> Refused:
    return _refused("NOTHING_CHANGES", "It stands so already.")
