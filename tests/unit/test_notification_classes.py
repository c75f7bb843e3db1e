"""Every notification that an event causes has its class, and every class its words and known roles."""

from __future__ import annotations

import re
from pathlib import Path

from pit.outbox.classes import classes
from pit.people.roles import RIGHTS
from tables.domain.events import EVENTS
from tables.patterns import TROUBLE

ROOT = Path(__file__).parents[2]
TELLING = (
    "tables/domain/messages.py",
    "pit/notices/domain/messages.py",
    "pit/outbox/deliver.py",
    "tables/patterns.py",
)
NAMED = re.compile(r'(?:_message\(\s*|notification=|post\(\s*message,\s*)"(\w+)"')


def test_every_notification_that_is_told_has_its_class():
    told = {name for path in TELLING for name in NAMED.findall((ROOT / path).read_text())}
    assert len(told) > 12
    assert told <= set(classes())


def test_a_class_escalates_to_roles_that_there_are():
    for name, one in classes().items():
        assert one.label, name
        assert set(one.escalate_to) <= set(RIGHTS), name
        assert bool(one.escalate_to) == bool(one.acknowledge_minutes), name


def test_an_unsuitable_card_is_sent_at_once_and_never_in_a_bundle():
    for name in ("unsuitable_card", "gaming_ceased", "change_notice", "deck_count_wrong"):
        assert classes()[name].send_within_seconds == 60
        assert not classes()[name].bundled


def test_what_counts_as_trouble_are_events_that_there_are():
    assert set(EVENTS) >= TROUBLE
