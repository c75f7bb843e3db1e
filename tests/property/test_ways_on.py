"""Wherever a table's acts have led it, lawful steps lead on to the next dealt card: no sequence of a pack is a dead end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.conformance.case import Case
from tables.conformance.decided import COUNTING, ONE, SHUFFLER, SHUFFLER_AND_TABLE, TWO
from tables.conformance.rules import rules_of
from tables.conformance.table import Table
from tables.domain import faults, stages
from tables.domain.state import DeviceSpec

CONTINUOUS = DeviceSpec(id="SHF-1", kind="continuous", approval_ref="IC-1")
EQUIPMENT: dict[str, tuple[str, dict[str, Any]]] = {
    "New York by hand": ("ny", {"batches": ONE}),
    "New York with a shuffler": ("ny", {"batches": TWO, "devices": [SHUFFLER]}),
    "New York from the hand": ("ny", {"batches": ONE, "deal_mode": "hand"}),
    "New York continuous": ("ny", {"batches": ONE, "devices": [CONTINUOUS]}),
    "Pennsylvania by hand": ("pa", {"batches": ONE}),
    "Pennsylvania with a shuffler": ("pa", {"batches": SHUFFLER_AND_TABLE, "devices": [SHUFFLER]}),
    "Pennsylvania with a counting device": ("pa", {"batches": ONE, "devices": [COUNTING]}),
    "New Jersey": ("nj", {"batches": ONE}),
    "New Jersey with a shuffler": ("nj", {"batches": TWO, "devices": [SHUFFLER]}),
}
DEVICE = {"device": "SHF-1", "fault": "jam", "repair": "mended"}
ALL_SOURCES = {"sources": ["shuffler", "shoe", "discard_rack"]}
FIELDS: list[dict[str, Any]] = [{}, {"seat": 1}, {"seat": 2}, {"seat": 5}, {"face": "down"}]
ACTS = [
    "RecordNoGamingActivity",
    "RemoveCards",
    "RecordSpread",
    "PlayerArrives",
    "PlayerLeaves",
    "PlayersLeave",
    "AffordInspection",
    "TurnFaceDown",
    "RecordWash",
    "StackCards",
    "RecordShuffle",
    "LoadShuffler",
    "CompleteShuffle",
    "RemoveBatch",
    "OfferCut",
    "RefuseCut",
    "RecordCut",
    "InsertCoverCard",
    "LoadShoe",
    "TakeInHand",
    "OrderRecut",
    "StartRound",
    "EndRound",
    "RecordCoverCardOut",
    "DirectReshuffle",
    "RequestFaceUp",
    "RequestReshuffle",
    "DeclareOutOfOrder",
    "CoverDevice",
    "ReturnDevice",
    "WithdrawIdle",
    "ReportFault",
    "RecordIrregularity",
    "VoidRound",
    "RecordBurn",
    "RecordSpill",
    "ReportCard",
    "EmptyDevice",
    "TestDevice",
]
CODES = ("SHUF_JAM", "SHUF_NOT_CYCLED", "SHUF_COUNT_SHORT", "SHUF_INOP", "BATCH_SEQUENCE", "SHOE_JAM")
KINDS = ("wrong_card_count", "face_up_in_shoe", "shoe_short", "hole_card_exposed", "player_card_exposed")
CARD = {"finding": "damaged", "rank": "Q", "suit": "hearts"}
ACT = st.tuples(st.sampled_from(ACTS), st.integers(0, 29), st.sampled_from(FIELDS))


def opened(name: str) -> Table:
    place, equipment = EQUIPMENT[name]
    case = Case(id="x", kind="", data={"jurisdiction": place}, expected=None)
    return Table(rules_of(case, home=place), **equipment)


def act(table: Table, name: str, batch: int, fields: dict[str, Any]) -> None:
    here = table.state.batches
    told = {"batch": here[batch % len(here)].id} if here else {}
    common = {"batches_separate": True, "on": "dealer", "reason": "in error", "ground": "improper_cut"}
    common |= CARD | {
        "code": CODES[batch % len(CODES)],
        "kind": KINDS[batch % len(KINDS)],
        "facts": {"who": "player"},
    }
    table.ask(name, **common | DEVICE | ALL_SOURCES | {"option": "next_entitled"} | told | fields)


def leads_on(table: Table) -> bool:
    """To a round that is open, by whatever is lawful; out-of-order devices stay so, covered."""
    for _ in range(80):
        if table.state.round_open:
            return True
        for device in table.state.devices:
            if device.failed:
                table.ask("CoverDevice", device=device.id)
        if not any(table.ask(name, **fields) is None for name, fields in ways(table)):
            return False
    return False


def ways(table: Table) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = [("StartRound", {}), ("RecordCount", {"good": True})]
    asked = any(one.kind in ("count_due", "count_wrong") for one in table.state.holds)
    unmet = any(
        one.latched and one.met_at is None and faults.CODES[one.code].meets in ("count", "either")
        for one in table.state.faults
    )
    found = [
        one
        for one in found
        if one[0] != "RecordCount" or asked or unmet or table.state.counted.last_verified < table.state.round
    ]
    found += [
        ("ReleaseFault", {"device": one.device, "code": one.code, "reason": "checked"})
        for one in table.state.faults
        if one.latched
    ]
    for one in table.state.irregularities:
        for name in ("RecordRuling", "RecordPlayerChoice", "SettleWagers"):
            found.append((name, {"irregularity": one.id, "choice": "play_out"}))
    for card in table.state.bad_cards:
        found.append(("ReplaceCard", {"rank": card.rank, "suit": card.suit, "back": card.back}))
    if any(one.kind == "deck_to_be_removed" for one in table.state.holds):
        found.append(("ReplaceDeck", {"set_id": "CS-2", "reason": "count wrong"}))
    found += [("VoidRound", {}), ("RecordBurn", {}), ("ContinueRound", {})]
    if table.state.stage == stages.IDLE_MUST_CLEAR:
        found += [("RemoveCards", {"sources": ["shoe", "discard_rack"]}), ("RemoveCards", ALL_SOURCES)]
    found += list(table.steps())
    if table.state.stage in (stages.IDLE_MUST_SPREAD, stages.REQUESTED_MUST_SPREAD, stages.AWAIT_INSPECTION):
        found += [("RecordSpread", {"face": face, "batches_separate": True}) for face in ("down", "up")]
    return found


@pytest.mark.parametrize("name", EQUIPMENT)
@settings(max_examples=25, deadline=None)
@given(acts=st.lists(ACT, max_size=50))
def test_from_wherever_acts_have_led_there_is_a_way_to_the_next_card(name: str, acts: list[Any]) -> None:
    table = opened(name)
    table.bring(stages.INSPECTED if "counting" not in name else stages.READY)
    for one in acts:
        act(table, *one)
    before = (table.state.stage, table.state.batches, table.state.holds)
    assert leads_on(table), (before, table.state.stage, table.state.batches)
