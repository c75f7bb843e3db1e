"""A press as it comes over HTTP: a form's names become fields, a local time becomes an instant or a refusal."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict
from django.test import RequestFactory

from tables import forms
from tables.domain.offer import Ask

ZONE = ZoneInfo("America/New_York")
NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)


def read(body=None, *, headers=None, **fields):
    request = (
        RequestFactory().post("/", body, content_type="application/json", headers=headers)
        if body is not None
        else RequestFactory().post("/", fields, headers=headers)
    )
    return forms.asked(request, zone=ZONE, now=NOW)


def test_empty_fields_are_not_given_lists_and_nested_ones_are_read():
    form = QueryDict("a=&b[]=1&b[]=2&c.d=x&c.e=y&f=3")
    assert forms.from_form(form) == {"b": ["1", "2"], "c": {"d": "x", "e": "y"}, "f": "3"}


def test_what_belongs_to_the_door_is_taken_out():
    asked = read(
        key="k", seen="7", pin="2580", second_badge="801", second_pin="1", csrfmiddlewaretoken="t", seat="3"
    )
    assert asked.fields == {"seat": "3"}
    assert (asked.key, asked.seen, asked.pin, asked.second_badge) == ("k", 7, "2580", "801")


def test_a_key_is_made_where_none_is_given():
    assert len(read(seat="1").key) == 32


def test_the_header_key_wins():
    assert read(key="a", headers={"Idempotency-Key": "b"}).key == "b"


@pytest.mark.parametrize(
    ("at", "instant"),
    [
        ("12:30", datetime(2026, 3, 4, 17, 30, tzinfo=UTC)),
        ("12:30:05", datetime(2026, 3, 4, 17, 30, 5, tzinfo=UTC)),
        ("23:50", datetime(2026, 3, 4, 4, 50, tzinfo=UTC)),
        ("2026-03-04T12:30", datetime(2026, 3, 4, 17, 30, tzinfo=UTC)),
        ("2026-03-04T17:30:00Z", datetime(2026, 3, 4, 17, 30, tzinfo=UTC)),
        ("2026-03-04T18:30+01:00", datetime(2026, 3, 4, 17, 30, tzinfo=UTC)),
    ],
)
def test_a_time_is_local_at_the_property_unless_it_says_otherwise(at, instant):
    assert read(at=at).at == instant


@pytest.mark.parametrize(("fold", "hour"), [("0", 5), ("1", 6)])
def test_the_pass_of_a_doubled_hour_is_told(fold, hour):
    assert read(at="2025-11-02T01:30", fold=fold).at == datetime(2025, 11, 2, hour, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"at": "2026-03-08T02:30"}, "NONEXISTENT_LOCAL_TIME"),
        ({"at": "2025-11-02T01:30"}, "AMBIGUOUS_LOCAL_TIME"),
        ({"at": "25:00"}, "MALFORMED"),
        ({"at": "0001-01-01T00:00+23:59"}, "OUT_OF_RANGE"),
        ({"seen": "soon"}, "MALFORMED"),
    ],
)
def test_what_cannot_be_read_is_a_refusal_with_its_field(fields, code):
    (wrong,) = read(**fields).wrong
    assert (wrong.code, wrong.status, list(wrong.fields)) == (code, 422, [next(iter(fields))])


@pytest.mark.parametrize("body", ["{", "[]", "1", "null"])
def test_a_body_that_is_no_object_is_malformed(body):
    assert read(body).wrong[0].code == "MALFORMED"


def test_json_keeps_the_types():
    assert read('{"seat": 3, "depth": null, "sources": ["shoe"]}').fields == {
        "seat": 3,
        "depth": None,
        "sources": ["shoe"],
    }


def test_few_options_are_large_buttons_and_what_was_chosen_stays():
    ask = Ask(name="ground", kind="choice", label="Ground", options=(("a", "A"), ("b", "B")))
    (field,) = forms.fields_of([ask], given={"ground": "b"}, wrong={"ground": "no"})
    assert (field.short, field.chosen, field.wrong, field.type) == (True, ("b",), "no", "radio")


def test_several_answers_are_a_list():
    ask = Ask(name="sources", kind="choices", label="From", options=(("shoe", "Shoe"),))
    (field,) = forms.fields_of([ask], given={"sources": ["shoe"]}, wrong={})
    assert (field.field, field.type, field.chosen) == ("sources[]", "checkbox", ("shoe",))
