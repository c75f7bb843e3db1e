"""Questions of rounds step by step, irregularities, faults and cards; and `asks`, which knows those of every command."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tables.domain import checks_integrity, faults, irregular
from tables.domain.asking import ASKS, batch, choice, number, reason, seats, text, who_sits
from tables.domain.context import Context
from tables.domain.offer import Ask


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
    codes = tuple((code, kind.words) for code, kind in faults.CODES.items())
    return (
        choice("device", "Device", [one.id for one in context.state.devices]),
        Ask(name="code", kind="choice", label="What it shows", options=codes),
        seats("seat", "Seat", range(1, context.config.seats + 1), optional=True),
    )


def _emptied(context: Context) -> tuple[Ask, ...]:
    return (number("cards", "Cards found inside"),)


def _card(context: Context) -> tuple[Ask, ...]:
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


def _relieve(context: Context) -> tuple[Ask, ...]:
    dice = any(one.shaker for one in context.state.dice)
    accepted = (choice("dice_accepted", "Dice handed over", ("true", "false")),) if dice else ()
    return (text("to", "Dealer who takes over", optional=True), *accepted, *_checks(context))


def _checks(context: Context) -> tuple[Ask, ...]:
    wanted = checks_integrity.checklist(context)
    options = tuple((one, one[:1].upper() + one[1:]) for one in wanted)
    return (Ask(name="checks", kind="choices", label="Checked", options=options),) if wanted else ()


MORE: dict[str, Callable[[Context], tuple[Ask, ...]]] = {
    "CloseTable": _checks,
    "RelieveDealer": _relieve,
    "RecordDice": _dice_rolled,
    "RecordRngNumber": lambda context: (number("number", "Number shown", optional=False),),
    "VerifyChips": _chips,
    "CollectHand": who_sits,
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
    "ReleaseFault": reason,
    "EmptyDevice": _emptied,
    "RepairDevice": lambda context: (text("repair", "What was repaired"),),
    "TestDevice": lambda context: (
        choice("passed", "Passed?", ("true", "false")),
        text("detail", "Remark", optional=True),
    ),
    "RecordSpill": lambda context: (*batch(context), text("detail", "Where", optional=True)),
    "RequireCount": lambda context: (reason(context)[0], *batch(context)),
    "ReportCard": _card,
    "ReplaceCard": _replaced_card,
    "SampleCards": _sample,
}
EVERY = ASKS | MORE


def asks(context: Context) -> tuple[Ask, ...]:
    """The questions of a command; none where the table knows it all."""
    found = EVERY.get(context.name)
    return found(context) if found else ()
