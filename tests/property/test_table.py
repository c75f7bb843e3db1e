"""Random sequences of commands on every game that a pack governs: what must hold whatever is pressed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pit.record.contract import By, Refused
from pit.rules import load
from pit.rules.model import Rules
from pit.rules.roles import OUTSIDE, RANK
from tables.domain import faults, irregular, stages
from tables.domain.commands import COMMANDS, Command, SetUpTable
from tables.domain.context import Ground
from tables.domain.decide import decide
from tables.domain.evolve import evolve
from tables.domain.offers import likely, needs, offers, track
from tables.domain.state import BatchSpec, DeviceSpec, TableState
from tests.unit.floor_of_one import DEALER, FLOOR, MANAGER, NOON, SHUFFLER, TWO_BATCHES, Table, rules

GOVERNED = sorted(
    (place, game)
    for place in load.jurisdictions()
    for game in load.games()
    if load.pack_on(place, NOON.date()).governs_game(game)
)
DEVICES = [
    (),
    (SHUFFLER,),
    (DeviceSpec(id="SH-1", kind="continuous", approval_ref="IC-1"),),
    (DeviceSpec(id="SH-1", kind="counting", approval_ref="LAB", counts=True),),
]
SMALL = st.integers(min_value=-1, max_value=9)
WORD = st.sampled_from(
    ["", "A", "B", "SH-1", "DS-1", "P1", "seat", "READY", "SHUFFLED", "SHUFFLE_DUE", "improper_cut", "why"]
)


FACTS: list[dict[str, Any]] = [
    {},
    {"who": "player", "dealt": 4, "expected": 5},
    {"who": ["dealer", "community"]},
    {"dice": [1, 2, 3], "announced": 9, "first_dealt": True},
    {"uncovered": True},
    {"cards": 30, "device": "SH-1"},
    {"who": 7, "dice": "six", "flat": -1, "found_this_round": "many"},
]


def field_of(name: str, kind: Any) -> st.SearchStrategy[Any]:
    """Values that a form could bring, good and bad."""
    special: dict[str, st.SearchStrategy[Any]] = {
        "sources": st.lists(st.sampled_from(["shuffler", "shoe", "discard_rack", "pocket"]), max_size=4).map(
            tuple
        ),
        "batches": st.sampled_from(
            [(), TWO_BATCHES, (BatchSpec(id="A", back="red"),), (BatchSpec(id="A", back="red"),) * 2]
        ),
        "devices": st.sampled_from(DEVICES),
        "antes": st.none() | st.lists(SMALL, max_size=4).map(tuple),
        "delivered": st.none() | st.lists(SMALL, max_size=4).map(tuple),
        "first_placed_at": st.none() | st.just(NOON - timedelta(hours=20)),
        "checks": st.sampled_from([(), ("well",)]),
        "dice": st.lists(SMALL, max_size=4).map(tuple),
        "irregularity": st.integers(min_value=0, max_value=4),
        "facts": st.sampled_from(FACTS),
        "code": st.sampled_from([*faults.CODES, "TEA"]),
        "game": st.sampled_from([*load.games(), "whist"]),
        "count": st.integers(min_value=-2, max_value=2_000),
        "depth": st.none() | st.integers(min_value=-5, max_value=500) | st.just(20.5),
        "cards": st.none() | st.integers(min_value=-5, max_value=500) | st.just(51.5),
        "effective_at": st.just(NOON),
        "commission_at": st.none() | st.just(NOON - timedelta(hours=1)),
        "surveillance_at": st.none() | st.just(NOON - timedelta(hours=1)) | st.just(NOON),
        "option": st.sampled_from(["last_cutter", "next_entitled", None, ""]),
        "ground": st.sampled_from(["improper_cut", "integrity_or_fairness", None, "player_asked"]),
        "back_to": st.sampled_from([*stages.WORDS, "NOWHERE"]),
        "to": st.sampled_from([*stages.WORDS, "Dora"]),
        "kind": st.sampled_from(
            [
                *sorted(set(irregular.GROUPED.values())),
                "shoe_short",
                "shoe_stopped",
                "shuffler_stopped",
                "idle_reminder",
                "dice_over:DS-1",
                "dice_warning:DS-1:30",
                "card_set_life",
                "tea",
            ]
        ),
    }
    if name == "terms":
        return _terms(kind.__args__[0])
    if name == "device" and "DeviceSpec" in str(kind):
        return st.none() | st.just(SHUFFLER)
    if name == "progressive":
        return st.booleans() if kind is bool else st.none()
    if name == "number" and kind is str:
        return st.just("7")
    if name == "number" and type(None) in getattr(kind, "__args__", ()):
        return st.none() | SMALL
    if name in special:
        return special[name]
    return st.from_type(kind) if kind is bool else WORD if kind is str else small_or(kind)


def _terms(shape: type[Any]) -> st.SearchStrategy[Any]:
    """Matters of a notice, known and strange."""
    texts = {
        "matter": st.sampled_from(["pay_table", "procedure", "limits"]),
        "item": st.sampled_from(["blackjack pays", "cut_mode", "deal_mode", ""]),
    }
    rest = {name: st.sampled_from(["3:2", "6:5", "offered", ""]) for name in shape.__struct_fields__}
    return st.lists(st.builds(shape, **rest | texts), max_size=3).map(tuple)


def small_or(kind: Any) -> st.SearchStrategy[Any]:
    """Literal choices as they are declared, numbers small, None where it may stand."""
    options = getattr(kind, "__args__", ())
    words = [
        one for part in (kind, *options) for one in getattr(part, "__args__", ()) if isinstance(one, str)
    ]
    found: st.SearchStrategy[Any] = st.sampled_from(words) if words else SMALL
    return st.none() | found if type(None) in options else found


def comes_through_the_door(command: Command) -> bool:
    """The door decodes a press before the decider sees it: what has a wrong type never comes so far."""
    try:
        return msgspec.json.decode(msgspec.json.encode(command), type=type(command)) == command
    except msgspec.ValidationError:
        return False


def any_command() -> st.SearchStrategy[Command]:
    """Every command with fields good and bad; the door refuses wrong types before the decider sees them."""
    made = []
    for cls in COMMANDS.values():
        hints = {one.name: one for one in msgspec.structs.fields(cls)}
        fields = {name: field_of(name, info.type) for name, info in hints.items()}
        made.append(st.builds(cls, **fields).filter(comes_through_the_door))
    return st.one_of(made)


ROLES = st.sampled_from(sorted({*RANK, *OUTSIDE, "player", ""}))
PEOPLE = st.one_of(
    st.sampled_from([FLOOR, MANAGER, DEALER, FLOOR, FLOOR]),
    st.builds(
        By,
        id=st.just(7),
        name=st.just("Somebody"),
        role=ROLES,
        signed=st.booleans(),
        second=st.sampled_from([None, DEALER]),
    ),
)
SIGNED_MANAGER = msgspec.structs.replace(MANAGER, second=DEALER)
NEXT = st.tuples(st.just("next"), st.integers(min_value=0, max_value=99), st.just(SIGNED_MANAGER))
OFFERED = st.tuples(st.just("offer"), st.integers(min_value=0, max_value=99), st.just(SIGNED_MANAGER))
PRESS = st.one_of(
    *[NEXT] * 6,
    *[OFFERED] * 4,
    st.tuples(st.just("offer"), st.integers(min_value=0, max_value=99), PEOPLE),
    st.tuples(st.just("any"), any_command(), PEOPLE),
)
PRESSES = st.lists(PRESS, min_size=20, max_size=40)
WITH_CARDS = [one for one in GOVERNED if load.games()[one[1]].has_cards]
TABLES = st.tuples(
    st.sampled_from([*WITH_CARDS * 3, *GOVERNED]), st.sampled_from(DEVICES), st.just(True) | st.booleans()
)


def a_table(
    place: str, game: str, devices: Sequence[DeviceSpec], open_: bool, *, of: Rules | None = None
) -> Table:
    """Set up as far as the pack lets this equipment be used at this game."""
    by_steps = {"rounds_recorded_by": "steps"} if len(devices) != 1 else {}
    table = Table(of or rules(place, game, house=by_steps))
    facts = load.games()[game]
    for equipment in (devices, ()):
        command = SetUpTable(
            number="7",
            game=game,
            seats=min(6, facts.seats[1]),
            devices=equipment if facts.has_cards else (),
            batches=TWO_BATCHES,
            rack_decks=facts.decks[0] if facts.decks else None,
            shaker="SHK-1" if "shaker" in facts.uses else "",
            internal_controls_ref="IC-1",
        )
        if not isinstance(table.ask(command, by=MANAGER), Refused):
            table.do(command, by=MANAGER)
            break
    if open_:
        for name in ("ReceiveCards", "InspectCards", "OpenTable"):
            command_ = COMMANDS[name](**({"set_id": "CS-1"} if name == "ReceiveCards" else {}))
            if not isinstance(table.ask(command_), Refused):
                table.do(command_)
    return table


def command_of(table: Table, press: tuple[str, Any, By]) -> tuple[Command | None, By]:
    """What this press asks for at this table now."""
    how, what, by = press
    if how == "any":
        return what, by
    found = offers(table.state, table.rules, by=by, now=table.now)
    if how == "next":
        found = tuple(one for one in found if one.next) or tuple(
            one for one in found if one.lawful and one.command in PLAY
        )
    if not found:
        return None, by
    offer = found[what % len(found)]
    return COMMANDS[offer.command](
        **offer.fields | likely(offer.command, Ground(table.state, table.rules))
    ), by


PLAY = frozenset(
    {
        "AdvanceRounds",
        "StartRound",
        "EndRound",
        "RecordCoverCardOut",
        "DirectReshuffle",
        "RecordNoGamingActivity",
        "PlayersLeave",
        "OrderRecut",
    }
)


def play(table: Table, presses: Sequence[tuple[str, Any, By]]) -> list[tuple[TableState, Command, By, Any]]:
    """All presses, ten minutes apart; gives each with the state it met and its answer."""
    seen = []
    for press in presses:
        command, by = command_of(table, press)
        if command is None:
            continue
        answer = table.ask(command, by=by)
        seen.append((table.state, command, by, answer))
        if not isinstance(answer, Refused):
            table.fold(command, answer, by)
        table.wait(minutes=10)
    return seen


FEW = settings(
    max_examples=25,
    deadline=None,
    phases=[
        Phase.explicit,
        Phase.reuse,
        Phase.generate,
        Phase.shrink,
    ],  # explaining traces every line: too slow here
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@FEW
@given(TABLES, PRESSES)
def test_every_press_is_answered_and_every_refusal_says_code_and_clause(kind: Any, presses: Any) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    for _, _, _, answer in play(table, presses):
        for one in (answer, *answer.also) if isinstance(answer, Refused) else ():
            assert one.code == one.code.upper() != ""
            assert one.clause in {*table.rules.pack.clauses, "house", "pitstand"}
            assert one.message
            assert one.cite


@FEW
@given(TABLES, PRESSES)
def test_the_same_question_gets_the_same_answer(kind: Any, presses: Any) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    for state, command, by, answer in play(table, presses):
        again = decide(state, command, by=by, rules=table.rules, now=NOON)
        assert again == decide(state, command, by=by, rules=table.rules, now=NOON)
        assert isinstance(answer, Refused) or len(answer) > 0


@FEW
@given(TABLES, PRESSES)
def test_the_fold_of_the_entries_is_the_state_and_survives_storing(kind: Any, presses: Any) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    play(table, presses)
    state = TableState()
    for entry in table.entries:
        state = evolve(state, entry)
    assert state == table.state
    assert msgspec.json.decode(msgspec.json.encode(state), type=TableState) == state
    for entry in table.entries:
        kept = msgspec.json.encode(entry.event)
        assert msgspec.json.decode(kept, type=type(entry.event)) == entry.event


@FEW
@given(TABLES, PRESSES)
def test_counting_rounds_changes_the_counter_and_nothing_else(kind: Any, presses: Any) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    play(table, presses)
    kept = [entry for entry in table.entries if not entry.event.counted]
    state = TableState()
    for entry in kept:
        state = evolve(msgspec.structs.replace(state, round=entry.round), entry)
    assert msgspec.structs.replace(state, round=table.state.round) == table.state


@FEW
@given(TABLES, PRESSES)
def test_no_card_is_dealt_past_a_hold_or_out_of_sequence(kind: Any, presses: Any) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    for state, command, _, answer in play(table, presses):
        if type(command).__name__ not in ("StartRound", "AdvanceRounds") or isinstance(answer, Refused):
            continue
        assert not [one for one in state.holds if one.blocks in ("dealing", "next_round", "everything")]
        assert state.stage in (stages.READY, stages.ACTIVE, stages.IDLE_NO_SPREAD_DUTY)
        assert state.open
        assert not state.round_open


@FEW
@given(TABLES, PRESSES)
def test_no_table_comes_to_play_without_cut_after_a_shuffle_where_the_cut_is_governed(
    kind: Any, presses: Any
) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    play(table, presses)
    fresh = False
    for entry in table.entries:
        name, stage = type(entry.event).__name__, getattr(entry.event, "stage", "")
        if name in ("CardsShuffled", "BatchRemoved", "RecutOrdered"):
            fresh = False
        if name == "CardsCut":
            fresh = True
        if (
            name in ("ShoeLoaded", "DeckTakenInHand")
            and stage == stages.READY
            and table.rules.param("min_cut")
        ):
            assert fresh


@FEW
@given(TABLES, PRESSES)
def test_the_screens_get_an_answer_at_every_stage(kind: Any, presses: Any) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    for state, _, by, _ in play(table, presses):
        found = offers(state, table.rules, by=by, now=table.now)
        assert sum(one.next for one in found) <= 1
        for one in found:
            assert one.lawful is (one.refused is None)
            assert one.cite
        needs(state, table.rules)
        track(state, table.rules)


TIGHTER = {
    "min_cut": 20,
    "dealer_min_from_top": 20,
    "hand_deal_most_decks": 1,
    "dice_hours": 1,
    "count_every_rounds": 1,
}


@FEW
@given(TABLES, PRESSES)
def test_a_tighter_parameter_never_accepts_more(kind: Any, presses: Any) -> None:
    (place, game), devices, open_ = kind
    table = a_table(place, game, devices, open_)
    pack = table.rules.pack
    params = {key: TIGHTER.get(key, value) for key, value in pack.params.items()}
    tight = load.with_pack(
        msgspec.structs.replace(pack, params=params), load.games()[game], house=table.rules.house
    )
    for state, command, by, answer in play(table, presses):
        if isinstance(answer, Refused):
            assert isinstance(decide(state, command, by=by, rules=tight, now=table.now), Refused)
