"""Any sequence of presses: the door's judgement never raises, a replay finds the same state, any forgery is found."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pit.record.chain import GENESIS, HASHED, Row, digest
from pit.record.codec import dumps
from pit.record.contract import StreamKind
from pit.record.judge import Outcome, judge
from pit.record.press import Press, Raw
from pit.record.replay import Broken, Replay
from pit.record.rows import Locked
from tests.db import lamp

NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)
KIND = lamp.kind()

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
fields = st.dictionaries(
    st.sampled_from(["watts", "places", "count", "type", "pin"]) | st.text(max_size=5), values, max_size=4
)
commands = (
    st.builds(
        lamp.SwitchOn,
        watts=st.integers(-1, 100),
        places=st.lists(st.text(alphabet="ab ü\n", max_size=4)).map(tuple),
    )
    | st.builds(lamp.SwitchOff)
    | st.builds(lamp.CountBlinks, count=st.integers(1, 5))
    | st.builds(lamp.SayOverdue)
    | st.builds(Raw, st.sampled_from(sorted(lamp.COMMANDS)) | st.text(max_size=5), fields)
)
presses = st.builds(
    Press,
    stream=st.just("lamp:1"),
    command=commands,
    by=st.sampled_from([lamp.FLOOR, lamp.MANAGER]),
    key=st.text(max_size=70),
    now=st.just(NOW),
    at=st.none() | st.datetimes(timezones=st.just(UTC)) | st.just(NOW - timedelta(minutes=3)),
    seen=st.none() | st.integers(0, 5),
)


def start(kind: StreamKind) -> Locked:
    return Locked(
        stream="lamp:1", kind="lamp", property_id=1, topic="pit:1", seq=0, changed_seq=0, round=0, hash=GENESIS,
        state=dumps(kind.initial()), dues="[]", rules_seq=0, property_seq=None, property_hash=None,
        fingerprint=None, answer=None,
    )  # fmt: skip


def lived(sequence: list[Press]) -> tuple[Locked, list[Outcome]]:
    locked, outcomes = start(KIND), []
    for press in sequence:
        outcome = judge(press, locked, KIND)
        outcomes.append(outcome)
        locked = locked._replace(**{name: getattr(outcome.head, name) for name in outcome.head._fields})
    return locked, outcomes


def rows_of(outcomes: list[Outcome]) -> list[Row]:
    return [row for outcome in outcomes for row in outcome.rows]


@given(st.lists(presses, max_size=12))
def test_a_replay_finds_the_same_state_as_the_door_kept(sequence):
    locked, outcomes = lived(sequence)
    told = Replay(KIND)
    told.feed(rows_of(outcomes))
    assert (told.seq, told.hash, told.changed_seq) == (locked.seq, locked.hash, locked.changed_seq)
    assert dumps(told.state_at_round(locked.round)) == locked.state


@given(st.lists(presses, max_size=8))
def test_every_press_is_an_acceptance_or_a_recorded_refusal_with_code_and_clause(sequence):
    before = start(KIND)
    for outcome in lived(sequence)[1]:
        refused = outcome.answer.refused
        if refused is not None:
            assert refused.code
            assert refused.clause
            assert refused.message
            assert (outcome.head.state, outcome.head.changed_seq) == (before.state, before.changed_seq)
            assert [row.kind for row in outcome.rows] == ["Refused"]
        before = before._replace(state=outcome.head.state, changed_seq=outcome.head.changed_seq)


@given(st.lists(presses, max_size=6))
def test_the_same_presses_give_the_same_record(sequence):
    assert rows_of(lived(sequence)[1]) == rows_of(lived(sequence)[1])


@given(st.lists(presses, min_size=1, max_size=6), st.data())
def test_a_forged_column_is_found_at_its_entry(sequence, data):
    rows = rows_of(lived(sequence)[1])
    if not rows:
        return
    at = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.sampled_from(HASHED))
    rows[at] = forged(rows[at], column)
    with pytest.raises(Broken) as broken:
        Replay(KIND).feed(rows)
    assert broken.value.seq == at + 1


@given(st.lists(presses, min_size=2, max_size=6), st.data())
def test_an_entry_left_out_is_found_where_it_was(sequence, data):
    rows = rows_of(lived(sequence)[1])
    if len(rows) < 2:
        return
    at = data.draw(st.integers(0, len(rows) - 2))
    with pytest.raises(Broken) as broken:
        Replay(KIND).feed(rows[:at] + rows[at + 1 :])
    assert broken.value.seq == at + 1


@given(st.lists(st.text(max_size=6), min_size=2, max_size=2, unique=True))
def test_two_different_rows_have_different_hashes(pair):
    first, second = (forged(rows_of(lived([simple()])[1])[0], "clause", value) for value in pair)
    assert digest(first) != digest(second)


def simple() -> Press:
    return Press(stream="lamp:1", command=lamp.SwitchOn(watts=1), by=lamp.FLOOR, key="k", now=NOW)


def forged(row: Row, column: str, value: Any = None) -> Row:
    was = getattr(row, column)
    if value is None:
        value = (
            was + timedelta(seconds=1)
            if isinstance(was, datetime)
            else not was
            if isinstance(was, bool)
            else f"{was}9"
        )
    return row._replace(**{column: value})
