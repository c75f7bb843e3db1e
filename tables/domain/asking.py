"""What only a person knows about a command: the questions of its form, with the answers that the table allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

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


def _leaves(context: Context) -> tuple[Ask, ...]:
    return (seats("seat", "Seat", taken(context.state)),)


def _requested(context: Context) -> tuple[Ask, ...]:
    return (seats("seat", "Seat", taken(context.state), optional=True),)


def _batch(context: Context) -> tuple[Ask, ...]:
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


def _relieve(context: Context) -> tuple[Ask, ...]:
    dice = any(one.shaker for one in context.state.dice)
    accepted = (choice("dice_accepted", "Dice handed over", ("true", "false")),) if dice else ()
    return (text("to", "Dealer who takes over", optional=True), *accepted)


def _working(context: Context) -> tuple[Ask, ...]:
    known = [one.id for one in context.state.devices if not one.failed]
    return (choice("device", "Device", known), text("fault", "What is wrong", optional=True))


def _failed(context: Context) -> tuple[Ask, ...]:
    return (choice("device", "Device", [one.id for one in context.state.devices if one.failed]),)


def _returned(context: Context) -> tuple[Ask, ...]:
    return (*_failed(context), text("repair", "What was repaired"))


def _count(context: Context) -> tuple[Ask, ...]:
    return (number("cards", "Cards counted", optional=False), *_batch(context))


def _replace(context: Context) -> tuple[Ask, ...]:
    return (text("set_id", "New card set"), text("reason", "Why"))


def _reason(context: Context) -> tuple[Ask, ...]:
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


def _all_seats(context: Context, label: str = "Seat") -> Ask:
    return seats("seat", label, range(1, context.config.seats + 1))


def _dice_rolled(context: Context) -> tuple[Ask, ...]:
    faces = [str(one) for one in range(1, 7)]
    return (
        *(choice(f"die_{nth}", f"Die {nth}", faces) for nth in (1, 2, 3)),
        number("announced", "Total announced", optional=False),
        number("shakes", "Times shaken"),
    )


def _chips(context: Context) -> tuple[Ask, ...]:
    return (
        number("chips", "Chips on the layout", optional=False),
        number("accepted", "Wagers the system accepted"),
    )


def _irregularity(context: Context) -> tuple[Ask, ...]:
    from tables.domain import irregular

    found = irregular.choices(context.state, context.rules)
    options = tuple((one.kind, one.words) for one in found)
    return (Ask(name="kind", kind="choice", label="What happened", options=options),)


def _ruling(context: Context) -> tuple[Ask, ...]:
    one = next((o for o in context.state.irregularities if o.id == context.get("irregularity")), None)
    if one is None:
        return ()
    prompt = " ".join(one.prompts)
    asked = [text("instruction", "What the dealer was told", optional=True)]
    if one.consequences.get("wagers_returned") is None and one.prompts:
        pick = choice("wagers", "Wagers", ("returned", "stand"), optional=True)
        asked.append(msgspec.structs.replace(pick, help=prompt))
    if one.consequences.get("reshuffle") is None and one.prompts:
        asked.append(choice("reshuffle", "Shuffle the cards again", ("true", "false"), optional=True))
    return tuple(asked)


def _player_choice(context: Context) -> tuple[Ask, ...]:
    return (
        choice("choice", "The player", ("play_out", "void_own_hand")),
        choice("looked", "After a look at the other cards?", ("false", "true")),
    )


def _fault(context: Context) -> tuple[Ask, ...]:
    from tables.domain import faults

    codes = tuple((code, kind.words) for code, kind in faults.CODES.items())
    return (
        choice("device", "Device", [one.id for one in context.state.devices]),
        Ask(name="code", kind="choice", label="What it shows", options=codes),
        seats("seat", "Seat", range(1, context.config.seats + 1), optional=True),
    )


def _emptied(context: Context) -> tuple[Ask, ...]:
    return (number("cards", "Cards found inside"),)


def _card(context: Context) -> tuple[Ask, ...]:
    from tables.domain import checks_integrity

    backs = [one.back for one in context.state.batches]
    return (
        choice("finding", "What is wrong", checks_integrity.FINDINGS),
        choice("rank", "Rank", checks_integrity.RANKS),
        choice("suit", "Suit", checks_integrity.SUITS),
        choice("back", "Back", backs, optional=True),
    )


def _replaced_card(context: Context) -> tuple[Ask, ...]:
    return tuple(one for one in _card(context) if one.name != "finding")


def _sample(context: Context) -> tuple[Ask, ...]:
    return (
        number("cards", "Cards looked at", optional=False),
        choice("in_order", "In factory order?", ("false", "true")),
    )


MORE: dict[str, Callable[[Context], tuple[Ask, ...]]] = {
    "RecordDice": _dice_rolled,
    "RecordRngNumber": lambda context: (number("number", "Number shown", optional=False),),
    "VerifyChips": _chips,
    "CollectHand": _leaves,
    "HoldHand": lambda context: (_all_seats(context, "Winning seat"),),
    "RecordPayoutDocuments": lambda context: (text("reference", "Documents"),),
    "TakeSideWager": lambda context: (
        _all_seats(context),
        choice("underlying", "Wager on the game stands?", ("true", "false")),
    ),
    "RecordIrregularity": _irregularity,
    "RecordRuling": _ruling,
    "RecordPlayerChoice": _player_choice,
    "ReportFault": _fault,
    "ReleaseFault": _reason,
    "EmptyDevice": _emptied,
    "RepairDevice": lambda context: (text("repair", "What was repaired"),),
    "TestDevice": lambda context: (
        choice("passed", "Passed?", ("true", "false")),
        text("detail", "Remark", optional=True),
    ),
    "RecordSpill": lambda context: (*_batch(context), text("detail", "Where", optional=True)),
    "RequireCount": lambda context: (_reason(context)[0], *_batch(context)),
    "ReportCard": _card,
    "ReplaceCard": _replaced_card,
    "SampleCards": _sample,
}
ASKS: dict[str, Callable[[Context], tuple[Ask, ...]]] = {
    "SetUpTable": _set_up,
    "ReceiveCards": _receive,
    "PlayerArrives": _arrives,
    "PlayerLeaves": _leaves,
    "RecordSpread": _spread,
    "RecordShuffle": _batch,
    "TurnFaceDown": _batch,
    "RecordWash": _batch,
    "LoadShuffler": _batch,
    "CompleteShuffle": _batch,
    "RemoveBatch": _batch,
    "RefuseCut": _leaves,
    "RecordCut": _cut,
    "InsertCoverCard": _depth,
    "TakeInHand": _hand,
    "OrderRecut": _recut,
    "AdvanceRounds": _rounds,
    "RecordCoverCardOut": _cover,
    "WithdrawIdle": _reason,
    "RemoveCards": _remove,
    "RequestFaceUp": _requested,
    "RequestReshuffle": _requested,
    "PlaceDice": _place_dice,
    "RemoveDice": _dice,
    "HandOverDice": _hand_over,
    "RelieveDealer": _relieve,
    "DeclareOutOfOrder": _working,
    "CoverDevice": _failed,
    "SignDevice": _failed,
    "ReturnDevice": _returned,
    "RecordCount": _count,
    "ReplaceDeck": _replace,
    "CorrectEntry": _correct,
    **MORE,
}


def asks(context: Context) -> tuple[Ask, ...]:
    """The questions of a command; none where the table knows it all."""
    found = ASKS.get(context.name)
    return found(context) if found else ()
