"""Kinds of case that the decider answers: idle tables, recuts, batches, devices out of order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pit.record.contract import By, Refused
from pit.rules.model import Rules
from tables.conformance.calculators import need
from tables.conformance.case import Case, Got, Malformed
from tables.conformance.rules import rules_of
from tables.conformance.table import DEALER, Table
from tables.domain import cutting, stages
from tables.domain.batches import may_discard
from tables.domain.state import BatchSpec, DeviceSpec

TWO = (BatchSpec(id="A", back="red"), BatchSpec(id="B", back="blue"))
SHUFFLER_AND_TABLE = (BatchSpec(id="table", back="red"), BatchSpec(id="shuffler", back="blue"))
ONE = (BatchSpec(id="A", back="red"),)
SHUFFLER = DeviceSpec(id="SHF-1", kind="shuffler")
COUNTING = DeviceSpec(id="SHF-1", kind="counting", approval_ref="APPROVED", reshuffles=True, counts=True)


Put = Callable[[Table, Mapping[str, Any]], Refused | None]
"""Puts an event of a case to the decider as the command that it is."""


def said(refused: Refused | None) -> Got:
    """Accepted, or every code of the refusal."""
    codes = [] if refused is None else [refused.code, *(one.code for one in refused.also)]
    return {"accepted": refused is None, "codes": codes or ["OK"]}


# --- idle ---


def idle(case: Case) -> Any:
    """An open table in play, its players gone; then the events of the case, one answer each."""
    mode, events = need(case.data, "mode", "events")
    if not isinstance(events, list) or not all(isinstance(one, dict) for one in events):
        raise Malformed("events is a list of objects")
    table = _table(rules_of(case, home="ny"), mode, case)
    table.play()
    if table.state.players:
        table.must("PlayersLeave")
    return [_event(table, one) for one in events]


def _table(rules: Rules, mode: Any, case: Case) -> Table:
    """By hand, with a shuffler and two batches, with a continuous device, or with one that reshuffles and counts."""
    deal_mode = "hand" if mode == "hand" else str(case.data.get("deal_mode", ""))
    if case.data.get("counting_device") is True or case.overrides.get("counting_device"):
        mode = "counting_device"
    if deal_mode and deal_mode not in rules.game.deal_modes:
        raise Malformed(f"{rules.game.name} is not dealt by {deal_mode!r}")
    if mode in ("manual", "hand"):
        return Table(rules, batches=ONE, deal_mode=deal_mode)
    if mode == "automated":
        two = SHUFFLER_AND_TABLE if rules.param("idle_sources") == "shoe_and_rack" else TWO
        return Table(rules, batches=two, devices=[SHUFFLER], deal_mode=deal_mode)
    if mode == "continuous":
        return _continuous(rules, case)
    if mode in COUNTING_MODES:
        return Table(rules, batches=ONE, devices=[COUNTING], deal_mode=deal_mode)
    raise Malformed(f"no mode {mode!r}; there are manual, hand, automated, continuous, counting_device")


COUNTING_MODES = ("counting_device", "counting", "counting_shuffler")


def _continuous(rules: Rules, case: Case) -> Table:
    """A-09: with an approval on which its departures stand there is no stack to cut, and one batch is enough."""
    told = case.overrides.get("continuous_shuffler", {})
    if not isinstance(told, dict) or told.get("batches", 2) not in (1, 2):
        raise Malformed("continuous_shuffler says batches (1 or 2), cut_steps and approval_reference")
    approval = "" if told.get("cut_steps") is True else str(told.get("approval_reference", ""))
    device = DeviceSpec(id="SHF-1", kind="continuous", approval_ref=approval)
    return Table(rules, batches=TWO[: told.get("batches", 2)], devices=[device])


def _event(table: Table, event: Mapping[str, Any]) -> Got:
    (name,) = need(event, "event")
    put = _meant(name) if isinstance(name, str) else None
    if put is None:
        raise Malformed(f"no event {name!r}; there are {', '.join(sorted(EVENTS))}")
    refused = put(table, event)
    return {**said(refused), "state": table.state.stage}


def _meant(name: str) -> Put | None:
    """The command of an event; a player's request is for face up, or else for the other batch to be laid out."""
    if name.startswith("player_request"):
        return _plain("RequestFaceUp" if "face_up" in name else "RequestReshuffle")
    return EVENTS.get(name)


def _plain(command: str, **renamed: str) -> Put:
    """An event that is one command; `renamed` says which word of the event is which field."""

    def put(table: Table, event: Mapping[str, Any]) -> Refused | None:
        fields = {renamed.get(key, key): value for key, value in event.items() if key != "event"}
        return table.ask(command, **fields)

    return put


def _arrives(table: Table, event: Mapping[str, Any]) -> Refused | None:
    taken = {one.seat for one in table.state.players}
    free = next(seat for seat in range(1, 100) if seat not in taken)
    return table.ask("PlayerArrives", seat=event.get("seat", free))


def _leaves(table: Table, event: Mapping[str, Any]) -> Refused | None:
    first = min((one.seat for one in table.state.players), default=1)
    return table.ask("PlayerLeaves", seat=event.get("seat", first))


def _cut(table: Table, event: Mapping[str, Any]) -> Refused | None:
    """Who may cut does, at the depth told, if any."""
    may = cutting.asked_now(table.state, table.rules) if table.state.stage in stages.STACK else None
    seat = event.get("seat", may.seat if may else None)
    return table.ask("RecordCut", seat=seat, depth=event.get("depth"))


def _shuffles(table: Table, event: Mapping[str, Any]) -> Refused | None:
    return table.ask("RecordShuffle", method="manual", batch=event.get("batch", ""))


def _spread(table: Table, event: Mapping[str, Any]) -> Refused | None:
    """Laid out as the place has it for an idle table, unless the case says which face."""
    face = event.get("face", table.rules.param("idle_face") or "up")
    return table.ask("RecordSpread", **{key: event[key] for key in event if key != "event"} | {"face": face})


EVENTS: Mapping[str, Put] = {
    "no_gaming_activity": _plain("RecordNoGamingActivity"),
    "remove_cards": _plain("RemoveCards", **{"from": "sources"}),
    "spread": _spread,
    "player_arrives": _arrives,
    "player_leaves": _leaves,
    "players_all_leave": _plain("PlayersLeave"),
    "inspection_afforded": _plain("AffordInspection"),
    "turn_face_down": _plain("TurnFaceDown"),
    "wash": _plain("RecordWash"),
    "stack": _plain("StackCards"),
    "shuffle_manual": _shuffles,
    "shuffle": _shuffles,
    "reshuffle": _shuffles,
    "load_shuffler": _plain("LoadShuffler"),
    "shuffle_complete": _plain("CompleteShuffle"),
    "remove_batch_from_shuffler": _plain("RemoveBatch"),
    "offer_cut": _plain("OfferCut"),
    "refuse_cut": _plain("RefuseCut"),
    "cut": _cut,
    "insert_cover_card": _plain("InsertCoverCard"),
    "load_shoe": _plain("LoadShoe"),
    "take_in_hand": _plain("TakeInHand"),
    "deal": _plain("StartRound"),
    "end_round": _plain("EndRound"),
    "cover_card_out": _plain("RecordCoverCardOut"),
    "recorded_in_error": _plain("WithdrawIdle"),
    "close_table": _plain("CloseTable"),
}
"""Events of `idle` in the words of the case → the command that the pit gives."""

# --- recut ---

MOMENTS: Mapping[str, tuple[str, ...]] = {
    "shuffled_not_cut": (stages.SHUFFLED, stages.READY),
    "cut_offered_not_cut": (stages.CUT_OFFERED, stages.READY),
    "cut_made_stack_on_table": (stages.CUT, stages.READY),
    "shoe_cover_card_inserted_stack_on_table": (stages.COVERED, stages.READY),
    "in_shoe_no_card_dealt": (stages.READY,),
    "in_shoe_first_card_burned": (stages.READY,),
    "first_card_dealt": (stages.ACTIVE,),
    "round_in_progress": (stages.ACTIVE,),
    "round_over": (stages.ACTIVE,),
}
"""Words of `recut_order` → the stage of that moment; READY stands in where a table has no such stage."""


def recut_order(case: Case) -> Got:
    """May this role order a recut at this moment, on this ground?"""
    moment, role = need(case.data, "stage", "role")
    if moment not in MOMENTS:
        raise Malformed(f"no stage {moment!r}; there are {', '.join(MOMENTS)}")
    table = _at_moment(case, moment)
    by = By(id=9, name="Somebody", role=str(role), badge="S9", signed=True, second=DEALER)
    refused = table.ask(
        "OrderRecut",
        by=by,
        ground=case.data.get("determination", "improper_cut"),
        option=case.data.get("option", "last_cutter"),
    )
    told = said(refused)
    return {"allowed": told["accepted"], "codes": told["codes"]}


def _at_moment(case: Case, moment: str) -> Table:
    table = _table(rules_of(case, home="ny"), "manual", case)
    table.bring(*MOMENTS[moment])
    if moment == "in_shoe_first_card_burned":
        table.must("RecordBurn")
    if moment == "round_over":
        table.must("EndRound")
    return table


# --- batches and devices ---


def alternation(case: Case) -> Got:
    """Batch after batch comes out of the shuffler for its use; a refused attempt is no use (A-28)."""
    (sequence,) = need(case.data, "sequence")
    if not isinstance(sequence, list) or not all(isinstance(one, str) for one in sequence):
        raise Malformed("sequence is a list of batches")
    table = Table(rules_of(case, home="ny"), batches=TWO, devices=[SHUFFLER])
    table.bring(stages.INSPECTED)
    _into_the_shuffler(table, next((one for one in sequence if one in ("A", "B")), "A"))
    return {"accepted": [_use(table, one) for one in sequence]}


def _into_the_shuffler(table: Table, batch: str) -> None:
    """Turned down and washed where it lies open, put in, shuffled."""
    for name in ("TurnFaceDown", "RecordWash", "LoadShuffler", "CompleteShuffle"):
        table.ask(name, batch=batch)


def _use(table: Table, batch: str) -> bool:
    """One use: out of the device, the other one in, cut, played until the cover card is out."""
    if table.ask("RemoveBatch", batch=batch) is not None:
        return False
    for other in table.state.batches:
        if other.id != batch:
            _into_the_shuffler(table, other.id)
    table.bring(stages.ACTIVE)
    table.must("EndRound")
    table.must("RecordCoverCardOut", on="dealer")
    return True


def discard_rack(case: Case) -> Got:
    rack, adding = need(case.data, "rack_holds", "adding")
    if not isinstance(rack, list) or not isinstance(adding, str):
        raise Malformed("rack_holds is a list of batches, adding is one")
    found = may_discard(adding, rack=rack)
    return {"accepted": found is None, "code": found.code if found else "OK"}


def backs(case: Case) -> Got:
    """Two batches of these backs are received at a table with a shuffler."""
    told = [_back(name, case.data.get(name)) for name in ("batch_a", "batch_b")]
    table = Table(rules_of(case, home="ny"), batches=TWO, devices=[SHUFFLER])
    return said(table.ask("ReceiveCards", set_id="CS-1", batches=told))


def _back(name: str, told: Any) -> BatchSpec:
    if not isinstance(told, dict) or not isinstance(told.get("color"), str):
        raise Malformed(f"{name} says color and design")
    return BatchSpec(id=name, back=told["color"], design=str(told.get("design", "")))


def out_of_order(case: Case) -> Got:
    """A shuffle is due at a table whose device works or has failed, is covered or signed or neither."""
    device, method = need(case.data, "device", "method")
    if method not in ("device", "manual", "other_device") or device not in ("working", "failed"):
        raise Malformed("device is working or failed, method is device, manual or other_device")
    table = Table(rules_of(case, home="ny"), batches=TWO, devices=[SHUFFLER])
    table.play()
    table.must("RecordCoverCardOut", on="dealer")
    if device == "failed":
        table.must("DeclareOutOfOrder", device="SHF-1", fault="jammed")
    for name, command in (("covered", "CoverDevice"), ("sign", "SignDevice")):
        if case.data.get(name) is True and device == "failed":
            table.must(command, device="SHF-1")
    used = table.state.last_batch
    if method != "device":
        return said(table.ask("RecordShuffle", method=method, batch=used))
    for other in table.state.batches:
        table.ask("RemoveBatch", batch=other.id)  # the batch that waits in the device makes room
    return said(table.ask("LoadShuffler", batch=used))
