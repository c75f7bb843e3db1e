"""What only a person knows about a command: the questions of its form, with the answers that the table allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tables.domain import checks_play, cutting, stages
from tables.domain.checks_cut import GROUNDS, OPTIONS
from tables.domain.context import Context
from tables.domain.offer import Ask
from tables.domain.state import TableState

_WORDS = {
    "improper_cut": "The cut was performed improperly",
    "integrity_or_fairness": "It could affect integrity or fairness",
    "last_cutter": "The one who cut last",
    "next_entitled": "The next who is entitled",
    "up": "Face up",
    "down": "Face down",
    "seat": "On a player's spot",
    "dealer": "On the dealer's hand",
    "nobody": "First card of a round: on nobody's",
    "left": "Left hand",
    "right": "Right hand",
    "shuffler": "Shuffler",
    "shoe": "Shoe",
    "discard_rack": "Discard rack",
    "manual": "By hand",
    "other_device": "With another device",
    "true": "Yes",
    "false": "No",
    "returned": "Go back to the players",
    "stand": "Stand",
    "play_out": "Plays the hand out",
    "void_own_hand": "Has the hand void",
    "wrong_back": "Wrong back",
    "none": "No suit",
}


def choice(name: str, label: str, values: Iterable[str], *, optional: bool = False) -> Ask:
    """One of a few."""
    options = tuple((one, _WORDS.get(one, one)) for one in values)
    return Ask(name=name, kind="choice", label=label, options=options, optional=optional)


def text(name: str, label: str, *, optional: bool = False) -> Ask:
    """A few words."""
    return Ask(name=name, kind="text", label=label, optional=optional)


def number(name: str, label: str, *, optional: bool = True) -> Ask:
    """A whole number; depths are optional (A-39)."""
    return Ask(name=name, kind="number", label=label, optional=optional)


def seats(name: str, label: str, which: Iterable[int], *, optional: bool = False) -> Ask:
    """A seat of the ring."""
    options = tuple((str(one), f"Seat {one}") for one in which)
    return Ask(name=name, kind="seat", label=label, options=options, optional=optional)


def free(state: TableState) -> tuple[int, ...]:
    """Seats that nobody sits in."""
    taken = {one.seat for one in state.players}
    return tuple(one for one in range(1, (state.config.seats if state.config else 0) + 1) if one not in taken)


def taken(state: TableState) -> tuple[int, ...]:
    """Seats that somebody sits in."""
    return tuple(one.seat for one in state.players)


def _set_up(context: Context) -> tuple[Ask, ...]:
    return ()


def _receive(context: Context) -> tuple[Ask, ...]:
    return (
        text("set_id", "Card set"),
        text("handed_by", "Handed over by", optional=True),
        choice("preshuffled", "Pre-shuffled", ("true", "false"), optional=True),
        text("seal", "Seal (pre-shuffled)", optional=True),
        text("receipt", "Machine receipt (pre-shuffled)", optional=True),
    )


def _arrives(context: Context) -> tuple[Ask, ...]:
    return (seats("seat", "Seat", free(context.state)),)


def who_sits(context: Context) -> tuple[Ask, ...]:
    return (seats("seat", "Seat", taken(context.state)),)


def _requested(context: Context) -> tuple[Ask, ...]:
    return (seats("seat", "Seat", taken(context.state), optional=True),)


def batch(context: Context) -> tuple[Ask, ...]:
    known = [one.id for one in context.state.batches]
    return (choice("batch", "Batch", known, optional=len(known) < 2),) if len(known) > 1 else ()


def _spread(context: Context) -> tuple[Ask, ...]:
    return (choice("face", "Face", ("up", "down")),) if context.rules.param("idle_face") == "down" else ()


def _cut(context: Context) -> tuple[Ask, ...]:
    asked = cutting.asked_now(context.state, context.rules)
    who = (seats("seat", "Cut by", [asked.seat], optional=True),) if asked else ()
    return (*who, number("depth", "Cards above the cover card"))


def _depth(context: Context) -> tuple[Ask, ...]:
    return (number("depth", "Cards behind the cover card"),)


def _hand(context: Context) -> tuple[Ask, ...]:
    return (choice("hand", "Hand", ("left", "right")),)


def _recut(context: Context) -> tuple[Ask, ...]:
    return (choice("ground", "Ground", GROUNDS), choice("option", "Cut again by", OPTIONS))


def _cover(context: Context) -> tuple[Ask, ...]:
    count = context.config.seats
    return (
        choice("on", "It came out", ("seat", "dealer", "nobody")),
        seats("seat", "Spot", range(1, count + 1), optional=True),
    )


def _rounds(context: Context) -> tuple[Ask, ...]:
    return (number("count", "Rounds dealt", optional=True),)


def _remove(context: Context) -> tuple[Ask, ...]:
    options = tuple((one, _WORDS[one]) for one in ("shuffler", "shoe", "discard_rack"))
    return (Ask(name="sources", kind="choices", label="All cards out of", options=options),)


def _place_dice(context: Context) -> tuple[Ask, ...]:
    return (
        text("set_id", "Dice set"),
        text("responsible", "Responsible dealer", optional=True),
        text("handed_by", "Handed over by", optional=True),
        choice(
            "reinspected", "Inspected again since it was last at a table", ("true", "false"), optional=True
        ),
    )


def _dice(context: Context) -> tuple[Ask, ...]:
    return (choice("set_id", "Dice set", [one.id for one in context.state.dice]),)


def _hand_over(context: Context) -> tuple[Ask, ...]:
    return (*_dice(context), text("to", "Dealer who takes over"))


def _working(context: Context) -> tuple[Ask, ...]:
    known = [one.id for one in context.state.devices if not one.failed]
    return (choice("device", "Device", known), text("fault", "What is wrong", optional=True))


def _failed(context: Context) -> tuple[Ask, ...]:
    return (choice("device", "Device", [one.id for one in context.state.devices if one.failed]),)


def _returned(context: Context) -> tuple[Ask, ...]:
    return (*_failed(context), text("repair", "What was repaired"))


def _count(context: Context) -> tuple[Ask, ...]:
    return (number("cards", "Cards counted", optional=False), *batch(context))


def _replace(context: Context) -> tuple[Ask, ...]:
    return (text("set_id", "New card set"), text("reason", "Why"))


def reason(context: Context) -> tuple[Ask, ...]:
    return (text("reason", "Why"),)


def _correct(context: Context) -> tuple[Ask, ...]:
    back = checks_play.back_stages(context.state, context.rules)
    steps = Ask(
        name="back_to",
        kind="choice",
        label="Back to",
        options=tuple((one, stages.WORDS[one]) for one in back),
    )
    return (number("of", "Number of the entry", optional=False), text("reason", "Why"), steps)


ASKS: dict[str, Callable[[Context], tuple[Ask, ...]]] = {
    "SetUpTable": _set_up,
    "ReceiveCards": _receive,
    "PlayerArrives": _arrives,
    "PlayerLeaves": who_sits,
    "RecordSpread": _spread,
    "RecordShuffle": batch,
    "TurnFaceDown": batch,
    "RecordWash": batch,
    "LoadShuffler": batch,
    "CompleteShuffle": batch,
    "RemoveBatch": batch,
    "RefuseCut": who_sits,
    "RecordCut": _cut,
    "InsertCoverCard": _depth,
    "TakeInHand": _hand,
    "OrderRecut": _recut,
    "AdvanceRounds": _rounds,
    "RecordCoverCardOut": _cover,
    "WithdrawIdle": reason,
    "RemoveCards": _remove,
    "RequestFaceUp": _requested,
    "RequestReshuffle": _requested,
    "PlaceDice": _place_dice,
    "RemoveDice": _dice,
    "HandOverDice": _hand_over,
    "DeclareOutOfOrder": _working,
    "CoverDevice": _failed,
    "SignDevice": _failed,
    "ReturnDevice": _returned,
    "RecordCount": _count,
    "ReplaceDeck": _replace,
    "CorrectEntry": _correct,
}
