"""Checks of a round step by step: where dealing starts, wagers, hands, and what a void round still allows."""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from pit.rules.model import HOUSE, Rules
from tables.domain import parameters, position, rounds, wagers
from tables.domain.context import Context
from tables.domain.round_facts import RoundFacts
from tables.domain.state import Device, ProgressiveSpec, TableState
from tables.domain.wrong import Wrong, is_whole


def _facts(context: Context) -> RoundFacts:
    return rounds.facts_now(context.state)


def _device(context: Context, kind: str) -> Device | None:
    return next((one for one in context.state.devices if one.kind == kind), None)


def positions(context: Context) -> int:
    """Positions that are counted: the seats, and further ones where a game counts them (A-46)."""
    return context.config.seats + context.config.extra_positions


def methods(state: TableState, rules: Rules) -> frozenset[str]:
    """What finds the starting position here: "shaker", "rng", both or nothing (c)."""
    if state.config is None:
        return frozenset()
    found = {"shaker"} if "shaker" in rules.game.uses and state.config.shaker else set()
    return frozenset(found | ({"rng"} if any(one.kind == "rng" for one in state.devices) else set()))


# --- starting position (c) ---


def shaker_configured(context: Context, clause: str) -> Refused | None:
    if "shaker" in context.game.uses and context.config.shaker:
        return None
    return context.refuse("METHOD_NOT_CONFIGURED", clause, "No shaker finds the starting position here.")


def generator_configured(context: Context, clause: str) -> Refused | None:
    if _device(context, "rng") is not None:
        return None
    return context.refuse(
        "METHOD_NOT_CONFIGURED", clause, "No number generator finds the starting position here."
    )


def rng_approved(context: Context, clause: str) -> Refused | None:
    device = _device(context, "rng")
    if device is None or device.approval_ref:
        return None
    return context.refuse("RNG_NOT_APPROVED", clause, "The number generator has no approval on record.")


def rng_in_range(context: Context, clause: str) -> Refused | None:
    found = position.by_generator(
        context.get("number"), positions=positions(context), reading=parameters.rng_range(context.rules)
    )
    return context.wrong(found, clause, "The generator cannot show that number at this table", field="number")


def dice_here(context: Context, clause: str) -> Refused | None:
    if any(one.shaker for one in context.state.dice):
        return None
    return context.refuse("NO_DICE_HERE", clause, "No dice are in the shaker.", next_step="Place dice")


def shaker_closed(context: Context, clause: str) -> Refused | None:
    if not context.state.shaker_open:
        return None
    return context.refuse(
        "SHAKER_NOT_CLOSED",
        clause,
        "The shaker has not been covered and shaken once since the last deal.",
        next_step="Cover the shaker and shake it once",
    )


def shaker_uncovered(context: Context, clause: str) -> Refused | None:
    if context.state.shaker_open:
        return None
    return context.refuse("OUT_OF_SEQUENCE", clause, "The shaker is covered.")


def shakes_enough(context: Context, clause: str) -> Refused | None:
    least = context.rules.param("shakes_least") or 1
    shakes = context.get("shakes")
    if is_whole(shakes) and shakes >= least:
        return None
    code = "AT_LEAST_THREE_SHAKES" if is_whole(shakes) else "NOT_AN_INTEGER"
    return context.refuse(
        code, clause, f"The dice are shaken at least {least} times.", fields={"shakes": f"{least} or more"}
    )


def faces(context: Context) -> tuple[int, ...]:
    """The dice as they were told, together or one by one."""
    together: tuple[int, ...] = context.get("dice")
    single = [context.get(f"die_{nth}") for nth in (1, 2, 3)]
    return together or tuple(one for one in single if one is not None)


def dice_totalled(context: Context, clause: str) -> Refused | None:
    found = position.by_shaker(
        positions=positions(context), dice=faces(context), announced=context.get("announced")
    )
    return context.wrong(found, clause, "The dice and what was announced do not agree", field="dice")


def start_known(context: Context, clause: str) -> Refused | None:
    """Marking: only once it is known."""
    if _facts(context).start is not None:
        return None
    return context.refuse("OUT_OF_SEQUENCE", clause, "The starting position is not known yet.")


def start_found(context: Context, clause: str) -> Refused | None:
    """Dealing, where a method finds the start and rounds are recorded step by step."""
    if not rounds.by_steps(context.state, context.rules):
        return None
    facts = _facts(context)
    if not methods(context.state, context.rules) or facts.start is not None:
        return None
    if facts.no_roll:
        return context.refuse(
            "NO_ROLL", clause, "It was no roll: no position follows from it.", next_step="Shake again"
        )
    return context.refuse(
        "START_NOT_FOUND", clause, "The starting position has not been found.", next_step="Shake the dice"
    )


def shaker_conforms(context: Context, clause: str) -> Refused | None:
    if "shaker" not in context.game.uses or not context.config.shaker or context.config.shaker_bears_name:
        return None
    return context.refuse(
        "SHAKER_NOT_CONFORMING", clause, "The shaker does not bear the house's name or logo."
    )


def shaker_hides(context: Context, clause: str) -> Refused | None:
    if "shaker" not in context.game.uses or not context.config.shaker or context.config.shaker_opaque:
        return None
    return context.refuse("SHAKER_NOT_CONFORMING", clause, "The dice can be seen while the shaker is shaken.")


# --- no more bets, progressive wagers (d)(1), (l) ---


def _binds(context: Context) -> bool:
    """Shoe deals, and hand deals where the house says so (A-51), at tables whose rounds are recorded step by step."""
    if not context.game.has_cards or not rounds.by_steps(context.state, context.rules):
        return False
    return context.config.deal_mode != "hand" or bool(
        context.rules.house.get("hand_deal_announces_no_more_bets", True)
    )


def _first_card(context: Context, clause: str, code: str) -> Refused | None:
    if not _binds(context):
        return None
    facts, spec = _facts(context), context.config.progressive
    told = wagers.RoundOpen(
        no_more_bets=facts.bets_closed_at is not None,
        progressive_offered=spec is not None and not context.state.link_lost,
        locked_out=facts.locked_out,
        chips=facts.chips or 0,
        accepted=facts.accepted or 0,
        in_tray=facts.in_tray,
    )
    if not any(one.code == code for one in wagers.may_deal(told)):
        return None
    text, step = _SAID[code]
    bound = HOUSE if context.config.deal_mode == "hand" else clause
    return context.refuse(code, bound, text, next_step=step)


_SAID = {
    "NO_MORE_BETS_FIRST": ("“No more bets” has not been announced.", "Announce “no more bets”"),
    "PROGRESSIVE_NOT_LOCKED": ("Progressive wagers are not locked out.", "Press the lock-out"),
    "CHIP_COUNT_MISMATCH": (
        "The chips are not as many as the wagers that the system accepted.",
        "Count the chips",
    ),
    "CHIPS_NOT_IN_TRAY": ("The progressive chips are not in the tray.", "Put the chips in the tray"),
}


def bets_closed(context: Context, clause: str) -> Refused | None:
    return _first_card(context, clause, "NO_MORE_BETS_FIRST")


def progressive_locked(context: Context, clause: str) -> Refused | None:
    if context.name == "VerifyChips":
        if _facts(context).locked_out:
            return None
        return context.refuse("PROGRESSIVE_NOT_LOCKED", clause, *_SAID["PROGRESSIVE_NOT_LOCKED"][:1])
    return _first_card(context, clause, "PROGRESSIVE_NOT_LOCKED")


def chips_match(context: Context, clause: str) -> Refused | None:
    if context.name != "VerifyChips":
        return _first_card(context, clause, "CHIP_COUNT_MISMATCH")
    told, known = context.get("accepted"), _facts(context).accepted
    accepted = known if known is not None else told
    if accepted is not None and context.get("chips") == accepted and told in (None, accepted):
        return None
    text = f"{context.get('chips')} chips lie there and {accepted if accepted is not None else 'no'} wagers were accepted."
    return context.refuse("CHIP_COUNT_MISMATCH", clause, text)


def chips_in_tray(context: Context, clause: str) -> Refused | None:
    return _first_card(context, clause, "CHIPS_NOT_IN_TRAY")


def chips_verified(context: Context, clause: str) -> Refused | None:
    facts = _facts(context)
    if facts.chips is not None and facts.chips == facts.accepted:
        return None
    return context.refuse(
        "CHIP_COUNT_MISMATCH", clause, "The chips have not been verified.", next_step="Count the chips"
    )


def chips_counted(context: Context, clause: str) -> Refused | None:
    """Numbers of chips and wagers a table can have."""
    for name in ("chips", "accepted"):
        told = context.get(name)
        if told is not None and not 0 <= told <= 1_000:
            return context.refuse("OUT_OF_RANGE", clause, "From 0 to 1000.", fields={name: "from 0 to 1000"})
    return None


def _progressive(context: Context) -> ProgressiveSpec | None:
    if context.name == "SetUpTable":
        told: ProgressiveSpec | None = context.get("progressive")
        return told
    return context.config.progressive


def progressive_here(context: Context, clause: str) -> Refused | None:
    if context.config.progressive is not None:
        return None
    return context.refuse("NO_PROGRESSIVE_HERE", clause, "No progressive wager is offered at this table.")


def progressive_approved(context: Context, clause: str) -> Refused | None:
    spec = _progressive(context)
    if spec is None or spec.approval_ref:
        return None
    return context.refuse(
        "PROGRESSIVE_NOT_APPROVED", clause, "The progressive system has no approval on record."
    )


def progressive_devices(context: Context, clause: str) -> Refused | None:
    spec = _progressive(context)
    seats = context.get("seats") if context.name == "SetUpTable" else context.config.seats
    if spec is None or spec.position_devices >= seats:
        return None
    return context.refuse(
        "PROGRESSIVE_DEVICE_MISSING", clause, "Each betting position has its wagering device.",
        fields={"progressive": "a device at every position"},
    )  # fmt: skip


def progressive_lockout(context: Context, clause: str) -> Refused | None:
    spec = _progressive(context)
    if spec is None or spec.lock_out:
        return None
    return context.refuse(
        "LOCKOUT_MISSING", clause, "A lock-out keeps late wagers from being taken.",
        fields={"progressive": "a lock-out"},
    )  # fmt: skip


def progressive_procedures(context: Context, clause: str) -> Refused | None:
    spec = _progressive(context)
    if spec is None or spec.procedures_ref:
        return None
    return context.refuse(
        "PROCEDURES_MISSING", clause, "Written procedures of the progressive system are named.",
        fields={"progressive": "the document"},
    )  # fmt: skip


# --- hands and wagers (e)(2), (m)–(s) ---


def hand_fixed(context: Context, clause: str) -> Refused | None:
    state = context.state
    if not state.round_open or context.get("hand") == state.hand:
        return None
    return context.refuse(
        "HAND_FIXED_FOR_ROUND", clause, "The hand that holds the deck is not changed during a round."
    )


def hand_may_go(context: Context, clause: str) -> Refused | None:
    """(m): a hand that is held stays; a whole round, and the cards themselves, wait for it."""
    held, seat = context.state.held_hands, context.get("seat")
    meant = [one for one in held if context.name != "CollectHand" or one == seat]
    if context.name == "LoadShuffler" and context.batch != context.state.last_batch:
        return None
    if not meant:
        return None
    return context.refuse(
        "HAND_STAYS_UNTIL_DOCUMENTED",
        clause,
        f"The winning hand of seat {meant[0]} stays until its documents are complete.",
        next_step="Complete the documents",
    )


def hand_is_held(context: Context, clause: str) -> Refused | None:
    if context.get("seat") in context.state.held_hands:
        return None
    return context.refuse("NO_HAND_HELD", clause, "No hand of that seat is held.")


def light_works(context: Context, clause: str) -> Refused | None:
    if context.get("seat") not in context.state.lights_out:
        return None
    return context.refuse(
        "SIDE_WAGER_LIGHT_FAULT",
        clause,
        f"The light of seat {context.get('seat')} does not work: no side wager there.",
    )


def underlying_first(context: Context, clause: str) -> Refused | None:
    if context.get("underlying"):
        return None
    return context.refuse(
        "UNDERLYING_WAGER_FIRST", clause, "First comes the wager on the game itself, then a side wager."
    )


def progressive_reachable(context: Context, clause: str) -> Refused | None:
    if not context.get("progressive") or not context.state.link_lost:
        return None
    return context.refuse("PROGRESSIVE_OUT_OF_REACH", clause, "The progressive system is out of reach.")


def bets_still_open(context: Context, clause: str) -> Refused | None:
    if _facts(context).bets_closed_at is None:
        return None
    return context.refuse("BETS_ARE_CLOSED", clause, "“No more bets” has been announced.")


def verbal_cash_here(context: Context, clause: str) -> Refused | None:
    found = wagers.verbal_wager_with_cash(context.game.key, games=context.rules.param("verbal_cash_games"))
    if not isinstance(found, Wrong) or found.code == "NOT_GOVERNED_BY_RULE":
        return None
    return context.refuse(
        found.code, clause, f"No verbal wager with cash is accepted at {context.game.name}."
    )


def dealt_in_stacks(context: Context, clause: str) -> Refused | None:
    if context.config.deal_mode == "stacks":
        return None
    return context.refuse("OUT_OF_SEQUENCE", clause, "No stacks are dealt at this table.")


CHECKS: dict[str, Callable[[Context, str], Refused | None]] = {
    one.__name__: one
    for one in (
        bets_closed,
        bets_still_open,
        chips_counted,
        chips_in_tray,
        chips_match,
        chips_verified,
        dealt_in_stacks,
        dice_here,
        dice_totalled,
        generator_configured,
        hand_fixed,
        hand_is_held,
        hand_may_go,
        light_works,
        progressive_approved,
        progressive_devices,
        progressive_here,
        progressive_locked,
        progressive_lockout,
        progressive_procedures,
        progressive_reachable,
        rng_approved,
        rng_in_range,
        shaker_closed,
        shaker_configured,
        shaker_conforms,
        shaker_hides,
        shaker_uncovered,
        shakes_enough,
        start_found,
        start_known,
        underlying_first,
        verbal_cash_here,
    )
}
