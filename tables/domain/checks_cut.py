"""Checks of the cut, the cover card and the recut."""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from tables.domain import cutting, depth, parameters, sequence, stages
from tables.domain.context import Context
from tables.domain.wrong import whole_in

GROUNDS = ("improper_cut", "integrity_or_fairness")
OPTIONS = ("last_cutter", "next_entitled")
_OFFERABLE = frozenset({stages.SHUFFLED, stages.CUT_OFFERED, stages.RECUT_REQUIRED})
_AFTER_THE_WINDOW = frozenset({stages.ACTIVE, stages.SHUFFLE_DUE, stages.GAMING_CEASED, stages.CLOSING})


def not_counting_device(context: Context, clause: str) -> Refused | None:
    if sequence.shuffling(context.state, context.rules) != "counting":
        return None
    if context.name == "RecordSpread" and context.state.idle is None:
        return None  # laying cards out at the opening is another section's matter; only the idle spread is waived
    return context.refuse(
        "NOT_APPLICABLE_COUNTING_DEVICE",
        clause,
        "With a device that reshuffles and counts this step does not apply.",
    )


def continuous_has_stack(context: Context, clause: str) -> Refused | None:
    if sequence.shuffling(context.state, context.rules) != "continuous":
        return None
    return context.refuse(
        "NO_STACK_TO_CUT_CONTINUOUS_DEVICE", clause, "With a continuous shuffler there is no stack to cut."
    )


def cut_is_offered_here(context: Context, clause: str) -> Refused | None:
    if context.config.cut_mode != cutting.DEALER_ONLY:
        return None
    if context.name == "RecordCut" and context.get("seat") is None:
        return None
    return context.refuse(
        "CUT_NOT_OFFERED_IN_THIS_GAME",
        clause,
        f"At {context.game.name} the {context.rules.word('dealer')} cuts.",
    )


def cutter_next(context: Context, clause: str) -> Refused | None:
    seat = context.get("seat")
    if seat is None or context.state.stage not in _OFFERABLE:
        return None
    asked = cutting.asked_now(context.state, context.rules)
    if asked is not None and asked.seat == seat:
        return None
    turn = f"seat {asked.seat}" if asked else f"the {context.rules.word('dealer')}"
    return context.refuse(
        "NOT_NEXT_IN_ROTATION",
        clause,
        f"It is not the turn of seat {seat} but of {turn}.",
        next_step=f"Offer the cut to {turn}" if asked else f"The {context.rules.word('dealer')} cuts",
    )


def everyone_asked(context: Context, clause: str) -> Refused | None:
    if context.get("seat") is not None or context.state.stage not in _OFFERABLE:
        return None
    asked = cutting.asked_now(context.state, context.rules)
    if asked is None:
        return None
    return context.refuse(
        "PLAYERS_NOT_ALL_ASKED",
        clause,
        f"Seat {asked.seat} has not been asked yet.",
        next_step=f"Offer the cut to seat {asked.seat}",
    )


def cut_depth(context: Context, clause: str) -> Refused | None:
    """A player's cut, and the dealer's where the text has no rule of its own for it."""
    told = context.get("depth")
    if told is None or _by_dealers_hand(context):
        return None
    found = depth.player_cut(
        told, total=cutting.stack_cards(context.state), minimum=parameters.least_cut(context.rules)
    )
    return context.wrong(found, clause, "The cut does not lie where it may", field="depth")


def hand_cut_depth(context: Context, clause: str) -> Refused | None:
    """The dealer's one-handed cut."""
    told = context.get("depth")
    if told is None or not _by_dealers_hand(context):
        return None
    least = parameters.dealer_min_from_top(context.rules)
    found = depth.one_hand_cut(told, total=cutting.stack_cards(context.state), minimum=least)
    return context.wrong(found, clause, "The cut does not lie where it may", field="depth")


def _by_dealers_hand(context: Context) -> bool:
    return context.get("seat") is None and parameters.dealer_min_from_top(context.rules) is not None


def cover_depth(context: Context, clause: str) -> Refused | None:
    told = context.get("depth")
    if told is None:
        return None
    if not context.rules.governed:
        found_: object = whole_in(told, low=1, high=max(1, context.config.stack_cards - 1))
        return context.wrong(found_, clause, "The cover card does not lie in the stack", field="depth")
    found = depth.cover_card(
        told,
        total=context.config.stack_cards,
        cards_per_deck=context.config.cards_per_deck,
        rule=parameters.cover_rule(context.rules),
    )
    return context.wrong(found, clause, "The cover card does not lie where it may", field="depth")


def single_stack(context: Context, clause: str) -> Refused | None:
    if context.get("stacks", 1) == 1:
        return None
    return context.refuse(
        "SINGLE_STACK", clause, "All cards are put in one single stack.", fields={"stacks": "one"}
    )


def recut_adopted(context: Context, clause: str) -> Refused | None:
    if context.rules.reading("A-15") == "neighbours":
        return None
    return context.refuse(
        "NOT_GOVERNED_BY_RULE", clause, "The text does not deal with a recut, and the house has none."
    )


def recut_window(context: Context, clause: str) -> Refused | None:
    stage = context.state.stage
    if stage in (stages.CUT, stages.COVERED) or (stage == stages.READY and _may_recut_in_shoe(context)):
        return None
    if stage == stages.READY or stage in _AFTER_THE_WINDOW:
        return context.refuse(
            "WINDOW_CLOSED",
            clause,
            "A recut can no longer be ordered for this stack.",
            next_step="Order a reshuffle",
        )
    return context.refuse("NO_CUT_YET", clause, "The cards have not been cut.")


def _may_recut_in_shoe(context: Context) -> bool:
    """NY: until a card is dealt, a burned one closing it (A-14); PA: not once the stack is in the shoe."""
    if context.rules.param("recut_window_end") == "loaded":
        return False
    return not (context.state.burned and context.rules.reading("A-14") is not False)


def ground_given(context: Context, clause: str) -> Refused | None:
    if context.get("ground") in GROUNDS:
        return None
    return context.refuse(
        "DETERMINATION_REQUIRED",
        clause,
        "A recut needs the finding that the cut was improper or could affect integrity or fairness.",
        fields={"ground": "choose one"},
    )


def option_given(context: Context, clause: str) -> Refused | None:
    if context.get("option") in OPTIONS:
        return None
    return context.refuse(
        "RECUT_OPTION_REQUIRED",
        clause,
        "Say who cuts again: the last cutter, or the next who is entitled.",
        fields={"option": "choose one"},
    )


CHECKS: dict[str, Callable[[Context, str], Refused | None]] = {
    one.__name__: one
    for one in (
        continuous_has_stack,
        cover_depth,
        cut_depth,
        cut_is_offered_here,
        cutter_next,
        everyone_asked,
        ground_given,
        hand_cut_depth,
        not_counting_device,
        option_given,
        recut_adopted,
        recut_window,
        single_stack,
    )
}
