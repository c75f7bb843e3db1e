"""A press that lacked a signature, or the second person, and comes again with it under the same key."""

from typing import Any

import pytest

from pit.record import door
from pit.record.contract import Refused
from pit.record.models import Event, Receipt
from pit.record.streams import create
from tests.db import lamp
from tests.db.conftest import NOW, other_lamps
from tests.db.lamp import SwitchOff, SwitchOn

pytestmark = pytest.mark.django_db
CODES = ["SIGNATURE_REQUIRED", "SECOND_PERSON_REQUIRED", "SAME_PERSON_TWICE"]


@pytest.fixture(params=CODES)
def signed_lamps(lamps, request):
    """Lamps that are switched on under a signature alone."""

    def decide(state: Any, command: Any, *, by: Any, rules: Any, now: Any) -> Any:
        if isinstance(command, SwitchOn) and not by.signed:
            return Refused(code=request.param, clause="house", message="Sign.", status=403)
        return lamp.decide(state, command, by=by, rules=rules, now=now)

    other_lamps(decide=decide)


def unsigned(by: Any) -> Any:
    return type(by)(id=by.id, name=by.name, role=by.role, badge=by.badge, signed=False)


def signed(by: Any) -> Any:
    return type(by)(id=by.id, name=by.name, role=by.role, badge=by.badge, signed=True)


def test_is_judged_anew_and_recorded_once(signed_lamps, press):
    on = SwitchOn(watts=60)
    assert press(on, by=unsigned(lamp.FLOOR), key="tap").refused
    assert press(on, by=signed(lamp.FLOOR), key="tap").refused is None
    again = press(on, by=signed(lamp.FLOOR), key="tap")
    assert (again.again, again.refused) == (True, None)
    assert Event.objects.filter(kind="SwitchedOn").count() == 1


def test_of_several_streams_leaves_the_key_free_at_all_of_them(signed_lamps, press):
    create("lamp:2", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)
    press(SwitchOn(watts=60), by=signed(lamp.FLOOR))
    both = [("lamp:1", SwitchOff()), ("lamp:2", SwitchOn(watts=40))]
    first = door.submit_all(both, by=unsigned(lamp.FLOOR), key="two", now=NOW)
    assert first[0].refused.code == "OTHER_PART_REFUSED"
    assert not Receipt.objects.filter(key="two").exists()
    second = door.submit_all(both, by=signed(lamp.FLOOR), key="two", now=NOW)
    assert [answer.refused for answer in second] == [None, None]


def test_any_other_refusal_keeps_its_answer(lamps, press):
    press(SwitchOn(watts=60))
    refused = press(SwitchOn(watts=60), key="tap")
    press(SwitchOff())
    again = press(SwitchOn(watts=60), key="tap")
    assert (again.again, again.refused) == (True, refused.refused)
