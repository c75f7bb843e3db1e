"""Entries in the words of the pit: every event that there is can be read."""

import msgspec
import pytest

from tables import words
from tables.domain.events import EVENTS


@pytest.mark.parametrize("kind", sorted(EVENTS))
def test_every_event_has_a_phrase(kind):
    assert kind in words._PHRASES or getattr(EVENTS[kind], "counted", False)


def filled(shape):
    """An event of that kind with something in every field."""
    samples = {
        "seat": 3,
        "on": "seat",
        "order": [{"seat": 3}],
        "sources": ["shoe", "discard_rack"],
        "round": 7,
    }
    told = {}
    for field in msgspec.structs.fields(shape):
        told[field.encode_name] = samples.get(field.encode_name, "x")
    return told | {"stage": "SPREAD", "face": "up", "of": 4}


@pytest.mark.parametrize("kind", sorted(EVENTS))
def test_every_phrase_can_be_written(kind):
    text = words.entry(kind, filled(EVENTS[kind]))
    assert text[:1].isupper() or text.startswith("x ")
    assert "{" not in text
    assert "_" not in text


def test_a_refusal_says_what_was_asked_and_found():
    data = {"command": "RecordWash", "refused": {"message": "Nobody has had the look."}}
    assert words.entry("Refused", data) == "Record wash: Nobody has had the look."


def test_an_event_of_an_older_shape_is_read_from_its_name():
    assert words.entry("CutRefused", {}) == "Cut refused"
    assert words.entry("SomethingElseHappened", {}) == "Something else happened"


def test_a_clause_is_cited():
    assert words.cite("NY-b-11-1") == "5324.2(b)(11)"
    assert words.cite("house") == "house procedure"
    assert words.cite("XX-1") == "XX-1"
