"""A scenario through the door: the Record holds it, and it comes out as it does in the core."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from pit.record.models import Event, Stream
from pit.record.verify import verify
from tables.models import Table
from tables.play.floor import Core
from tables.play.recorded import Recorded
from tables.play.run import play
from tables.play.scenario import Malformed, read
from tests.people import make_property

SCENARIOS = Path(__file__).parent.parent / "scenarios"
DAY = SCENARIOS / "days" / "ny-blackjack-by-hand.jsonl"
SPILL = SCENARIOS / "incidents" / "32-a-king-missing-for-twelve-hours.jsonl"
NEW_JERSEY = SCENARIOS / "days" / "nj-winners-pot-poker.jsonl"


@pytest.fixture
def place(db):
    return make_property()


@pytest.mark.parametrize("path", [DAY, SPILL], ids=lambda path: path.stem)
def test_the_record_says_what_the_core_says(place, path):
    through_the_door = list(play(read(path), Recorded("ny"), strict=True))
    assert [text for one in through_the_door for text in one.wrong] == []
    alone = list(play(read(path), Core(), strict=True))
    told = [(one.outcome.told(), one.outcome.dues) for one in through_the_door]
    assert told == [(one.outcome.told(), one.outcome.dues) for one in alone]


def test_every_line_is_an_entry_refusals_among_them_and_the_chain_holds(place):
    played = list(play(read(DAY), Recorded("ny")))
    table = Table.objects.get(property=place, number="BJ-01")
    refused = sum(not one.outcome.accepted for one in played)
    assert Event.objects.filter(stream=table.stream, kind="Refused").count() == refused
    assert Stream.objects.get(name=table.stream).seq > len(played)
    assert list(verify()) == []
    assert (table.game, table.seats, table.stage) == ("blackjack", 6, "CLOSED")


def test_the_command_says_which_property_is_meant_and_plays_there(place):
    out = StringIO()
    call_command("play", str(SPILL), record=True, property="ny", quiet=True, stdout=out)
    assert out.getvalue().endswith("0 not as expected\n")
    make_property("pa", "pa")
    with pytest.raises(CommandError, match="say whose Record"):
        call_command("play", str(SPILL), record=True, stdout=StringIO())


@pytest.mark.parametrize(
    ("path", "says"),
    [(NEW_JERSEY, "plays in nj"), (SCENARIOS / "days" / "ny-craps.jsonl", "needs craps_dice_hours")],
    ids=["another state", "another house"],
)
def test_nothing_is_recorded_under_rules_that_are_not_the_house_s(place, path, says):
    before = Event.objects.count()
    with pytest.raises(Malformed, match=says):
        list(play(read(path), Recorded("ny")))
    assert Event.objects.count() == before
