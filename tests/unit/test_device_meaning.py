"""What an entry of a journal means: makers' codes, cycles, modes, counts and batches, without a database."""

from __future__ import annotations

import pytest

from devices import makers
from devices.domain import canon, vendor
from devices.domain.meaning import Saying, Told, meaning, standing
from devices.domain.vendor import BadTable
from devices.domain.watch import Place, Watch

ASHFORD = makers.table_of("Ashford", "Twin 6")
NORTHLINE = makers.table_of("Northline", "Deal 3")
PLACE = Place(device="SH-1", batches={"red": "A", "blue": "B"}, cards=312)


class Shuffler:
    """A device and what it said so far."""

    def __init__(self, *, codes=ASHFORD, place: Place | None = PLACE) -> None:
        self.watch, self.codes, self.place = Watch(), codes, place

    def says(self, raw: str, **data: object) -> list[Saying]:
        meant = meaning(Told(raw=raw, **data), watch=self.watch, codes=self.codes, place=self.place)
        self.watch = meant.watch
        return list(meant.sayings)

    def tells_table(self, raw: str, **data: object) -> list[str]:
        """What the table is asked: commands, and the codes of faults."""
        said = [one for one in self.says(raw, **data) if one.to == "table"]
        return [str(one.fields["code"]) if one.command == "ReportFault" else one.command for one in said]


def test_a_shuffled_batch_needs_no_tap():
    it = Shuffler()
    assert it.tells_table("100", batch="blue", cycles=10) == ["LoadShuffler"]
    assert it.tells_table("101", batch="blue", cycles=11, mode="SHUFFLE", cards=312) == ["CompleteShuffle"]
    assert it.tells_table("102", batch="blue", cycles=11) == ["RemoveBatch"]
    assert it.says("102", batch="red")[-1].fields["batch"] == "A"


def test_a_batch_taken_out_without_a_cycle_was_not_shuffled():
    it = Shuffler()
    it.says("100", batch="blue", cycles=10)
    assert it.tells_table("102", batch="blue", cycles=10) == ["SHUF_NOT_CYCLED"]


def test_a_machine_that_tells_no_cycles_is_believed_when_it_says_that_one_ended():
    it = Shuffler()
    it.says("100", batch="blue")
    assert it.tells_table("102", batch="blue") == ["SHUF_NOT_CYCLED"]
    it.says("100", batch="red")
    it.says("101", batch="red")
    assert it.tells_table("102", batch="red") == ["RemoveBatch"]


@pytest.mark.parametrize("mode", ["SORT", "COUNT", "shuffle"])
def test_a_cycle_in_any_other_mode_is_no_shuffle(mode):
    it = Shuffler()
    it.says("100", batch="blue", cycles=10)
    assert it.tells_table("101", batch="blue", cycles=11, mode=mode, cards=312) == ["SHUF_MODE_NOT_SHUFFLE"]
    assert it.tells_table("102", batch="blue", cycles=11) == []


def test_every_mode_that_the_maker_calls_shuffling_is_one():
    it = Shuffler()
    it.says("100", batch="blue", cycles=10)
    assert it.tells_table("101", batch="blue", cycles=11, mode="SHUFFLE-VERIFY") == ["CompleteShuffle"]


@pytest.mark.parametrize(("cards", "code"), [(311, "SHUF_COUNT_SHORT"), (313, "SHUF_COUNT_OVER")])
def test_a_wrong_number_of_cards_is_found_when_the_shuffle_ends(cards, code):
    it = Shuffler()
    it.says("100", batch="blue", cycles=10)
    said = [
        one for one in it.says("101", batch="blue", cycles=11, cards=cards) if one.command == "ReportFault"
    ]
    assert [one.fields["code"] for one in said] == [code]
    assert (said[0].fields["expected"], said[0].fields["found"], said[0].fields["batch"]) == (312, cards, "B")


def test_a_counting_device_counts_and_its_table_judges():
    it = Shuffler(place=Place(device="SH-1", batches={"red": "A"}, cards=52, counts=True))
    said = it.says("101", cards=51, cycles=3)
    assert [(one.command, one.fields.get("cards")) for one in said] == [
        ("CompleteShuffle", None),
        ("RecordCount", 51),
    ]
    lamp = it.says("101", good=False, cycles=4)
    assert (lamp[-1].fields["good"], lamp[-1].fields["by_device"]) == (False, True)


def test_the_batch_whose_turn_is_over_may_not_come_out_again():
    it = Shuffler()
    it.says("102", batch="red")
    assert it.tells_table("102", batch="red") == ["BATCH_SEQUENCE"]
    assert it.tells_table("102", batch="blue") == ["RemoveBatch"]


def test_a_fault_that_is_over_by_itself_clears_no_hold_but_says_so():
    it = Shuffler()
    assert [one.command for one in it.says("201")] == ["RaiseFault", "ReportFault"]
    assert [one.command for one in it.says("201C")] == ["EndFault", "ClearFault"]


def test_a_device_at_no_table_tells_its_own_stream_alone():
    it = Shuffler(place=None)
    assert [one.to for one in it.says("201")] == ["device"]
    assert it.says("103") == []


def test_what_is_ignored_and_what_nobody_knows_lead_to_nothing():
    it = Shuffler()
    assert it.says("190") == []
    assert meaning(Told(raw="999"), watch=Watch(), codes=ASHFORD, place=PLACE).code == ""


@pytest.mark.parametrize(
    ("raw", "data", "command", "fields"),
    [
        ("deal.round", {"count": 2}, "AdvanceRounds", {"count": 2}),
        ("deal.cover", {"on": "seat", "seat": 4}, "RecordCoverCardOut", {"on": "seat", "seat": 4}),
        ("deal.cover", {}, "RecordCoverCardOut", {"on": "unknown", "seat": None}),
        ("deal.number", {"number": 5}, "RecordRngNumber", {"device": "SH-1", "number": 5}),
        ("LOCKED_OUT", {}, "RecordLockOut", {"device": "SH-1"}),
        ("WAGERS_ACCEPTED", {"accepted": 3}, "RecordAcceptedWagers", {"device": "SH-1", "accepted": 3}),
    ],
)
def test_what_a_round_tells_goes_to_the_table(raw, data, command, fields):
    said = Shuffler(codes=NORTHLINE).says(raw, **data)
    assert [(one.command, dict(one.fields)) for one in said] == [(command, fields)]


def test_a_light_fails_at_its_seat_alone():
    it = Shuffler(codes=vendor.PLAIN)
    assert it.says("SIDEBET_LIGHT_FAIL", seat=3)[-1].fields["seat"] == 3
    assert it.says("SIDEBET_LIGHT_FAIL_OVER", seat=3)[-1].fields["seat"] == 3
    assert it.says("READER_INOP", seat=3)[-1].fields["seat"] is None


def test_a_fault_that_stands_in_a_snapshot_and_was_never_told_is_told():
    found = standing(ASHFORD, ["201", "209", "999", "211"], open_=["SHUF_JAM"], place=PLACE)
    assert [code for code, _ in found] == ["SHUF_INOP"]


@pytest.mark.parametrize("code", [*canon.FAULTS, *canon.INFO])
def test_every_canonical_code_means_itself_to_a_device_without_a_table_of_its_own(code):
    it = Shuffler(codes=vendor.PLAIN)
    assert (
        meaning(Told(raw=code, number=1, accepted=1), watch=it.watch, codes=vendor.PLAIN, place=PLACE).code
        == code
    )


@pytest.mark.parametrize(
    "text",
    [
        'maker = "X"\n[code]\n1 = { means = "SHUF_JAMM" }',
        'maker = "X"\n[code]\n1 = { means = "ROUND_DEALT", over = true }',
        'maker = "X"\n[code]\n1 = { means = "SHUF_JAM", ignore = true }',
        'maker = "X"\ncodes = 1',
        "maker =",
    ],
)
def test_a_table_that_cannot_be_used_stops_the_start_and_says_where(text):
    with pytest.raises(BadTable, match=r"x\.toml"):
        vendor.read(text, where="x.toml")


def test_a_table_for_a_model_comes_before_the_makers_own():
    every = vendor.read('maker = "X"', where="")
    one = vendor.read('maker = "X"\nmodels = ["M 2"]', where="")
    assert vendor.choose([every, one], maker="x", model="M 2") is one
    assert vendor.choose([every, one], maker="X", model="M 1") is every
    assert vendor.choose([every, one], maker="Y", model="M 1") is vendor.PLAIN
