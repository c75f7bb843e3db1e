"""Checks of set-up, equipment, devices, dice and deck counts."""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from pit.rules.model import HOUSE, Game
from tables.domain import batches, button, dice, parameters, wagers
from tables.domain.context import Context
from tables.domain.state import DiceSet
from tables.domain.wrong import Wrong


def _game(context: Context) -> Game | None:
    """The game that a set-up speaks of, which is not yet the table's."""
    return context.rules.games.get(context.get("game", ""))


def _deal_mode(context: Context) -> str:
    game = _game(context)
    told: str = context.get("deal_mode", "") or (game.deal_modes[0] if game and game.deal_modes else "")
    return told


def table_closed(context: Context, clause: str) -> Refused | None:
    if not context.state.open and context.state.stage == "CLOSED":
        return None
    return context.refuse(
        "TABLE_IS_OPEN",
        clause,
        "What an open table is changes only while it is closed, and after those who must be told were told.",
        next_step="Close the table",
    )


def table_open(context: Context, clause: str) -> Refused | None:
    if context.state.open:
        return None
    return context.refuse(
        "TABLE_NOT_OPEN", clause, "The table is not open for gaming.", next_step="Open the table"
    )


def hand_deal_decks(context: Context, clause: str) -> Refused | None:
    setting_up = context.name == "SetUpTable"
    mode = _deal_mode(context) if setting_up else context.config.deal_mode
    if mode != "hand":
        return None
    game = _game(context)
    decks = (
        context.get("decks") or (game.decks[0] if game and game.decks else 0)
        if setting_up
        else context.config.decks
    )
    found = wagers.hand_deal(decks, most=context.rules.param("hand_deal_most_decks"))
    return context.wrong(found, clause, "At most two decks are dealt by hand", field="decks")


def stack_size(context: Context, clause: str) -> Refused | None:
    game, needed = _game(context), context.rules.param("stack_size")
    if (
        _deal_mode(context) != "stacks"
        or game is None
        or needed is None
        or not context.rules.pack.governs_game(game.key)
    ):
        return None
    if (context.get("stack_size") or game.stack_size) == needed:
        return None
    return context.refuse(
        "STACK_SIZE_MUST_BE_3",
        clause,
        "The automated shoe delivers stacks of three.",
        fields={"stack_size": "three"},
    )


def internal_controls(context: Context, clause: str) -> Refused | None:
    if _deal_mode(context) != "stacks" or context.get("internal_controls_ref"):
        return None
    return context.refuse(
        "INTERNAL_CONTROLS_REF_REQUIRED",
        clause,
        "An automated dealing shoe needs the reference of the internal controls it is used under.",
        fields={"internal_controls_ref": "needed"},
    )


def approved_counting_device(context: Context, clause: str) -> Refused | None:
    found = [one for one in context.get("devices", ()) if one.kind == "counting"]
    if all(one.approval_ref and one.reshuffles and one.counts for one in found):
        return None
    return context.refuse(
        "COUNTING_DEVICE_NOT_APPROVED",
        clause,
        "A device that reshuffles and counts needs both functions and its approval reference.",
        fields={"devices": "approval, reshuffling and counting"},
    )


def counting_shuffler(context: Context, clause: str) -> Refused | None:
    if all(one.counts for one in context.get("devices", ()) if one.kind == "counting"):
        return None
    return context.refuse(
        "NOT_A_COUNTING_SHUFFLER",
        clause,
        "A counting shuffler counts after each shuffle and shows whether all cards are there.",
        fields={"devices": "counts"},
    )


def drop_box_there(context: Context, clause: str) -> Refused | None:
    return None if context.config.drop_box else _missing(context, clause, "drop box")


def tip_box_there(context: Context, clause: str) -> Refused | None:
    if context.config.tip_box_side == "dealer":
        return None
    return context.refuse(
        "TIP_BOX_SIDE",
        clause,
        "The tip box is fixed on the dealer's side.",
        fields={"tip_box_side": "dealer"},
    )


def discard_rack_there(context: Context, clause: str) -> Refused | None:
    if not context.game.has_cards or context.config.rack_decks is not None:
        return None
    return _missing(context, clause, "discard rack")


def _missing(context: Context, clause: str, what: str) -> Refused:
    return context.refuse(
        "EQUIPMENT_MISSING", clause, f"The table has no {what}.", next_step="Complete the equipment"
    )


def discard_rack_height(context: Context, clause: str) -> Refused | None:
    config = context.config
    if not context.game.has_cards or config.rack_decks is None or config.deal_mode == "hand":
        return None
    if config.rack_decks == config.decks or (
        config.rack_decks > config.decks and config.rack_mark_decks is not None
    ):
        return None  # a mark for another number of decks is the next check's matter
    return context.refuse(
        "DISCARD_RACK_HEIGHT",
        clause,
        f"The discard rack stands for {config.rack_decks} decks and is not marked for the {config.decks} of this shoe.",
        next_step=f"Use a rack of {config.decks} decks, or a taller one marked for {config.decks}",
    )


def discard_rack_mark(context: Context, clause: str) -> Refused | None:
    config = context.config
    if not context.game.has_cards or config.rack_decks is None or config.deal_mode == "hand":
        return None
    if config.rack_decks <= config.decks or config.rack_mark_decks in (None, config.decks):
        return None
    return context.refuse(
        "DISCARD_RACK_HEIGHT",
        clause,
        f"The taller discard rack is marked for {config.rack_mark_decks} decks, not for the {config.decks} of this shoe.",
        next_step=f"Mark the rack for {config.decks} decks",
    )


def device_known(context: Context, clause: str) -> Refused | None:
    if context.state.device(context.get("device")) is not None:
        return None
    return context.refuse(
        "UNKNOWN_DEVICE",
        clause,
        "There is no such device at this table.",
        fields={"device": "no such device"},
    )


def device_out_of_order(context: Context, clause: str) -> Refused | None:
    device = context.state.device(context.get("device"))
    if device is None or device.failed:
        return None
    return context.refuse("DEVICE_IS_WORKING", clause, "The device has not been declared out of order.")


def device_in_order(context: Context, clause: str) -> Refused | None:
    by_device = context.name != "RecordShuffle" or context.get("method") == "device"
    return _may_shuffle(context, clause, by_device=True) if by_device else None


def cover_or_sign(context: Context, clause: str) -> Refused | None:
    if context.get("method") == "device":
        return None
    return _may_shuffle(context, clause, by_device=False)


def _may_shuffle(context: Context, clause: str, *, by_device: bool) -> Refused | None:
    device = context.state.shuffler
    if device is None:
        return None
    found = batches.may_shuffle(
        by_device=by_device,
        failed=device.failed,
        covered=device.covered_at is not None,
        sign=device.signed_at is not None,
    )
    if found is None:
        return None
    if by_device:
        return context.refuse(
            found.code, clause, f"{device.id} is out of order.", next_step="Shuffle by hand"
        )
    return context.refuse(
        found.code,
        clause,
        f"{device.id} is out of order and is neither covered nor signed.",
        next_step="Cover the device or put the sign on it",
    )


def dice_known(context: Context, clause: str) -> Refused | None:
    if context.state.dice_set(context.get("set_id")) is not None:
        return None
    return context.refuse(
        "UNKNOWN_DICE", clause, "That set of dice is not at this table.", fields={"set_id": "not here"}
    )


def dice_not_here(context: Context, clause: str) -> Refused | None:
    if context.state.dice_set(context.get("set_id")) is None:
        return None
    return context.refuse("DICE_ALREADY_HERE", clause, "That set of dice is at this table already.")


def dice_in_shaker(context: Context, clause: str) -> Refused | None:
    if "shaker" not in context.game.uses or context.get("shaker") or context.config.shaker:
        return None
    return context.refuse(
        "DICE_WITHOUT_SHAKER", clause, "The dice stay inside the shaker while at the table."
    )


def dice_number(context: Context, clause: str) -> Refused | None:
    if "shaker" not in context.game.uses or context.get("number") == (
        context.rules.param("dice_needed") or 3
    ):
        return None
    return context.refuse(
        "THREE_DICE_REQUIRED", clause, "The shaker holds three dice.", fields={"number": "three"}
    )


def dice_attended(context: Context, clause: str) -> Refused | None:
    left = [one.id for one in context.state.dice if one.shaker]
    if not left or (context.get("to") and context.get("dice_accepted")):
        return None
    return context.refuse(
        "DICE_WOULD_BE_UNATTENDED",
        clause,
        f"Dice {', '.join(left)} would be left unattended.",
        next_step="Hand the dice over to the next dealer, or remove them",
    )


def is_over(one: DiceSet, context: Context) -> bool:
    """More than its hours on the table: exactly at the deadline is still lawful (A-18)."""
    if one.due_at is None:
        return False
    return dice.status(one.placed_at, now=context.now, limit=one.due_at - one.placed_at) == "OVER_24H"


def dice_within_hours(context: Context, clause: str) -> Refused | None:
    over = [one for one in context.state.dice if is_over(one, context)]
    if not over:
        return None
    return context.refuse(
        "DICE_OVER_24H",
        clause if any(one.shaker for one in over) else HOUSE,
        f"Dice {', '.join(one.id for one in over)} have been on the table for longer than they may.",
        next_step="Remove the dice",
    )


def count_number(context: Context, clause: str) -> Refused | None:
    if context.get("cards") is None:
        if context.get("good") is not None:
            return None
        return context.refuse(
            "COUNT_OUT_OF_RANGE", clause, "Say the number counted.", fields={"cards": "needed"}
        )
    found = button.counted_by_hand(
        context.state.counted,
        cards=context.get("cards"),
        expected=expected_cards(context),
        after_round=context.state.round,
    )
    return context.wrong(found, clause, "That cannot be a count of this deck", field="cards")


def expected_cards(context: Context) -> int:
    """Cards that a right count finds."""
    told: int | None = context.rules.param("count_expected") if context.rules.governed else None
    return told or context.config.stack_cards


def deck_may_stay(context: Context, clause: str) -> Refused | None:
    if not context.state.counted.remove:
        return None
    return context.refuse(
        "DECK_MUST_BE_REMOVED",
        clause,
        "The count was wrong: this deck leaves the table.",
        next_step="Replace the deck",
    )


def count_in_time(context: Context, clause: str) -> Refused | None:
    if not context.rules.governed:
        return None
    count = context.get("count", 1)
    found = button.may_start(
        context.state.counted,
        round_number=context.state.round + (count if isinstance(count, int) else 1),
        every=parameters.count_every(context.rules),
    )
    if not isinstance(found, Wrong) or found.code != "COUNT_OVERDUE":
        return None
    return context.refuse(
        found.code, clause, "The deck has not been counted in time.", next_step="Count the deck"
    )


CHECKS: dict[str, Callable[[Context, str], Refused | None]] = {
    one.__name__: one
    for one in (
        approved_counting_device,
        count_in_time,
        count_number,
        counting_shuffler,
        cover_or_sign,
        deck_may_stay,
        device_in_order,
        device_known,
        device_out_of_order,
        dice_attended,
        dice_in_shaker,
        dice_known,
        dice_not_here,
        dice_number,
        dice_within_hours,
        discard_rack_height,
        discard_rack_mark,
        discard_rack_there,
        drop_box_there,
        hand_deal_decks,
        internal_controls,
        stack_size,
        table_closed,
        table_open,
        tip_box_there,
    )
}
