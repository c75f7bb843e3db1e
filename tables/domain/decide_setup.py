"""Set-up, receiving and inspecting cards, opening, closing, corrections and what the clock says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pit.record.contract import Refused
from pit.rules.model import Game
from tables.domain import deadlines, stages
from tables.domain.commands import SetUpTable
from tables.domain.context import Context
from tables.domain.events import (
    CardsReceived,
    CardsTakenAway,
    CardsVerified,
    DueSaid,
    EntryCorrected,
    Event,
    TableClosed,
    TableOpened,
    TableSetUp,
)
from tables.domain.state import Config
from tables.domain.wrong import is_whole


def set_up_table(context: Context) -> Sequence[Event] | Refused:
    command = context.command
    assert isinstance(command, SetUpTable)
    game = context.rules.games.get(command.game)
    if game is None:
        return context.refuse(
            "UNKNOWN_GAME", "pitstand", "There is no such game.", status=422, fields={"game": "no such game"}
        )
    config = config_of(command, game)
    problems = _problems(config, game)
    if problems:
        told = "; ".join(f"{field}: {text}" for field, text in problems.items())
        return context.refuse(
            "OUT_OF_RANGE", "pitstand", f"The set-up does not fit {game.name}: {told}.", fields=problems
        )
    return [TableSetUp(config=config)]


def config_of(command: SetUpTable, game: Game) -> Config:
    """What is left out is the game's own."""
    return Config(
        number=command.number,
        game=command.game,
        seats=command.seats,
        decks=command.decks or (game.decks[0] if game.decks else 0),
        cards_per_deck=command.cards_per_deck or game.cards_per_deck,
        deal_mode=command.deal_mode or (game.deal_modes[0] if game.deal_modes else ""),
        cut_mode=command.cut_mode or game.cut_mode,
        batches=command.batches,
        devices=command.devices,
        drop_box=command.drop_box,
        tip_box_side=command.tip_box_side,
        rack_decks=command.rack_decks,
        rack_mark_decks=command.rack_mark_decks,
        shaker=command.shaker,
        stack_size=command.stack_size or game.stack_size,
        internal_controls_ref=command.internal_controls_ref,
        extra_positions=command.extra_positions,
        rounds_by=command.rounds_by,
        shaker_bears_name=command.shaker_bears_name,
        shaker_opaque=command.shaker_opaque,
        progressive=command.progressive,
    )


def _problems(config: Config, game: Game) -> dict[str, str]:
    """Fields that do not fit the game."""
    found = {}
    least, most = game.seats
    if not is_whole(config.seats) or not least <= config.seats <= most:
        found["seats"] = f"from {least} to {most}"
    if not config.number.strip():
        found["number"] = "needed"
    if game.has_cards and config.decks not in game.decks:
        found["decks"] = f"one of {', '.join(map(str, game.decks))}"
    if game.has_cards and config.deal_mode not in game.deal_modes:
        found["deal_mode"] = f"one of {', '.join(game.deal_modes)}"
    if config.cut_mode not in ("offered", "dealer_only"):
        found["cut_mode"] = "offered or dealer_only"
    if game.has_cards and not 1 <= config.cards_per_deck <= 60:
        found["cards_per_deck"] = "from 1 to 60"
    for field, ids in (
        ("batches", [b.id for b in config.batches]),
        ("devices", [d.id for d in config.devices]),
    ):
        if len(set(ids)) != len(ids) or not all(ids):
            found[field] = "each with its own id"
    return found


def receive_cards(context: Context) -> Sequence[Event] | Refused:
    batches = context.get("batches") or context.config.batches
    ids = [one.id for one in batches]
    if not context.get("set_id").strip() or len(set(ids)) != len(ids):
        return context.refuse(
            "OUT_OF_RANGE",
            "pitstand",
            "A card set has an id, and each batch its own.",
            fields={"set_id": "needed"},
        )
    if context.get("preshuffled") and not (context.get("seal") and context.get("receipt")):
        return context.refuse(
            "TEXT_REQUIRED",
            "house",
            "A pre-shuffled set bears the number of its seal and of its receipt.",
            fields={"seal": "needed", "receipt": "needed"},
        )
    return [
        CardsReceived(
            **context.staged(),
            set_id=context.get("set_id"),
            batches=batches,
            preshuffled=context.get("preshuffled"),
            seal=context.get("seal"),
            receipt=context.get("receipt"),
            handed_by=context.get("handed_by"),
            received_by=context.by.name,
        )
    ]


def inspect_cards(context: Context) -> Sequence[Event]:
    second = context.by.second
    return [
        CardsVerified(
            **context.staged(), inspected_by=second.name if second else "", verified_by=context.by.name
        )
    ]


def open_table(context: Context) -> Sequence[Event] | Refused:
    state = context.state
    if state.open:
        return context.refuse("TABLE_IS_OPEN", "house", "The table is open already.")
    staged = context.staged()
    if state.stage == stages.CARDS_RECEIVED:  # pre-shuffled and pre-inspected: on to the cut
        staged["stage"] = stages.SHUFFLED
    return [TableOpened(**staged)]


def close_table(context: Context) -> Sequence[Event]:
    count = bool(context.rules.house.get("count_at_close")) and context.state.card_set is not None
    return [TableClosed(**context.staged(), checks=context.get("checks"), count=count)]


def take_cards_away(context: Context) -> Sequence[Event] | Refused:
    if context.state.open:
        return context.refuse(
            "TABLE_IS_OPEN", "house", "The table is open for gaming.", next_step="Close the table"
        )
    return [CardsTakenAway(**context.staged(), handed_to=context.get("handed_to"))]


def correct_entry(context: Context) -> Sequence[Event]:
    return [
        EntryCorrected(
            stage=context.get("back_to"), clause="house", of=context.get("of"), reason=context.get("reason")
        )
    ]


def say_due(context: Context) -> Sequence[Event] | Refused:
    kind = context.get("kind")
    due = next((one for one in deadlines.deadlines(context.state, context.rules) if one.kind == kind), None)
    if due is None or context.now < due.due_at:
        return context.refuse("NOTHING_DUE", "pitstand", "There is nothing to say any more.")
    return [DueSaid(kind=kind, due_at=due.due_at)]


HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "SetUpTable": set_up_table,
    "ReceiveCards": receive_cards,
    "InspectCards": inspect_cards,
    "OpenTable": open_table,
    "CloseTable": close_table,
    "TakeCardsAway": take_cards_away,
    "CorrectEntry": correct_entry,
    "SayDue": say_due,
}
