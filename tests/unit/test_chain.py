"""The hash of an entry: what it covers is fixed for ever."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from pit.record.chain import GENESIS, HASHED, Row, digest, instant, sealed

ROW = Row(
    stream="table:12",
    seq=1,
    kind="CardsSpread",
    v=1,
    data='{"type":"CardsSpread"}',
    at=datetime(2026, 3, 4, 18, tzinfo=UTC),
    recorded_at=datetime(2026, 3, 4, 18, 0, 1, 5, tzinfo=UTC),
    late=True,
    actor_kind="person",
    actor_id=7,
    actor_name="Ana Flóor",
    actor_badge="107",
    role="floorperson",
    signed=False,
    second_id=None,
    second_name="",
    second_badge="",
    second_role="",
    second_signed=False,
    pack="ny/2016-09-14",
    clause="NY-b-2",
    round=0,
    key="k",
    prev_hash=GENESIS,
)


def test_the_formula_never_changes():
    """Records of years hang on this digest: if it differs, the formula was changed and every chain is broken."""
    assert digest(ROW) == "9d7eb67cbea5dbe9429d3986b2465f4f9795c6ee41b95705f23881d784a7232e"


@pytest.mark.parametrize("column", HASHED)
def test_every_column_is_covered(column):
    value = getattr(ROW, column)
    other = {
        datetime: lambda: value + timedelta(microseconds=1),
        bool: lambda: not value,
        str: lambda: value + "x",
    }
    changed = other.get(type(value), lambda: 9)()
    assert digest(ROW._replace(**{column: changed})) != digest(ROW)


def test_text_cannot_slip_from_one_column_into_the_next():
    assert digest(ROW._replace(pack="ab", clause="c")) != digest(ROW._replace(pack="a", clause="bc"))


def test_an_instant_is_hashed_in_utc_whatever_its_zone():
    eastern = ROW.at.astimezone(timezone(timedelta(hours=-5)))
    assert instant(eastern) == "2026-03-04T18:00:00.000000Z"
    assert digest(ROW._replace(at=eastern)) == digest(ROW)


def test_sealing_adds_the_hash_and_nothing_else():
    assert sealed(ROW) == ROW._replace(hash=digest(ROW))
