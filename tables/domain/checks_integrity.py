"""Checks of card integrity: finished shuffles, device modes, counts, batches, replaced cards, registered lots (K1–K18)."""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from tables.domain import faults, stages
from tables.domain.context import Context
from tables.domain.state import SHUFFLERS, Batch

FINDINGS = ("damaged", "marked", "missing", "extra", "duplicate", "wrong_back", "flawed")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "joker")
SUITS = ("spades", "hearts", "diamonds", "clubs", "none")


def shuffle_finished(context: Context, clause: str) -> Refused | None:
    """K1: no card is dealt unless a shuffle of this very batch was finished after it was put together last."""
    state = context.state
    batch = state.batch(state.next_batch)
    if (
        batch is None
        or batch.shuffled_at is not None
        or state.stage not in (*stages.IN_PLAY, stages.COVERED, stages.CUT)
    ):
        return None
    if state.card_set is not None and state.card_set.preshuffled and batch.loaded_at is None:
        return None
    return context.refuse(
        "SHUFFLE_DUE",
        clause,
        f"No finished shuffle of batch {batch.id} is on record since it was put together.",
        next_step="Order a reshuffle",
    )


def _batch(context: Context) -> Batch | None:
    return context.state.batch(context.batch)


def mode_is_shuffle(context: Context, clause: str) -> Refused | None:
    mode = context.get("mode", "").strip().upper()
    if mode in ("", "SHUFFLE"):
        return None
    return context.refuse(
        "WRONG_MODE",
        clause,
        f"The shuffler ran in mode {mode}: the cards are not shuffled.",
        next_step="Shuffle again",
    )


def cycle_moved(context: Context, clause: str) -> Refused | None:
    batch, cycles = _batch(context), context.get("cycles")
    if batch is None or cycles is None or batch.cycles is None or cycles > batch.cycles:
        return None
    return context.refuse(
        "NOT_CYCLED",
        clause,
        "The shuffler's counter has not moved since the cards went in.",
        next_step="Start the shuffler",
    )


def back_matches(context: Context, clause: str) -> Refused | None:
    batch, back = _batch(context), context.get("back", "").strip()
    if batch is None or not back or back.casefold() == batch.back.strip().casefold():
        return None
    return context.refuse(
        "WRONG_BATCH",
        clause,
        f"Batch {batch.id} has {batch.back} backs, not {back}.",
        next_step="Take the right batch",
    )


def fault_known(context: Context, clause: str) -> Refused | None:
    kind = faults.CODES.get(context.get("code"))
    if kind is None:
        return context.refuse(
            "UNKNOWN_FAULT", clause, "There is no such fault.", fields={"code": "no such fault"}
        )
    if kind.seat and context.get("seat") is None and context.name == "ReportFault":
        return context.refuse("SEAT_OUT_OF_RANGE", clause, "Say at which seat.", fields={"seat": "needed"})
    return None


def fault_open(context: Context, clause: str) -> Refused | None:
    found = faults.standing(context.state, context.get("device"), context.get("code"), context.get("seat"))
    if found is not None:
        return None
    return context.refuse("NOTHING_OPEN", clause, "No such fault is open.")


def met_first(context: Context, clause: str) -> Refused | None:
    found = faults.standing(context.state, context.get("device"), context.get("code"), context.get("seat"))
    if found is None or faults.may_release(found):
        return None
    kind = faults.CODES[found.code]
    asked = {"count": "a count", "shuffle": "a reshuffle"}.get(kind.meets, "a count or a reshuffle")
    return context.refuse(
        "COUNT_OR_RESHUFFLE_FIRST",
        clause,
        f"Since “{kind.words}” {asked} of these cards has not been recorded.",
        next_step="Count the deck" if kind.meets != "shuffle" else "Shuffle the cards",
    )


def reason_given(context: Context, clause: str) -> Refused | None:
    for name in ("reason", "repair", "reference"):
        told = context.get(name)
        if told is not None and not told.strip():
            return context.refuse(
                "TEXT_REQUIRED", clause, "Say why or what, in words.", fields={name: "needed"}
            )
    return None


def device_emptied(context: Context, clause: str) -> Refused | None:
    """K7: a device comes back, or another takes its place, only with no card of ours inside."""
    wanted = context.get("replaces") if context.name == "SwapDevice" else context.get("device")
    device = context.state.device(wanted) if isinstance(wanted, str) else None
    if device is None or device.kind not in SHUFFLERS or not context.rules.house.get("return_checks", True):
        return None
    if context.name == "SwapDevice" and not device.failed and not _holds_cards(context):
        return None
    if device.emptied_at is not None:
        return None
    return context.refuse(
        "DEVICE_NOT_EMPTIED", clause, f"{device.id} has not been emptied and its cards reconciled.",
        next_step="Empty the device",
    )  # fmt: skip


def _holds_cards(context: Context) -> bool:
    return any(one.place == "device" for one in context.state.batches)


def device_tested(context: Context, clause: str) -> Refused | None:
    device = context.state.device(context.get("device"))
    if device is None or device.tested_at is not None or not context.rules.house.get("return_checks", True):
        return None
    return context.refuse(
        "DEVICE_NOT_TESTED",
        clause,
        f"{device.id} has not passed a test since it failed.",
        next_step="Test the device",
    )


def device_new(context: Context, clause: str) -> Refused | None:
    spec, replaces = context.get("device"), context.get("replaces")
    if spec is None and not replaces:
        return context.refuse("TEXT_REQUIRED", clause, "Say which device.", fields={"device": "needed"})
    if replaces and context.state.device(replaces) is None:
        return context.refuse(
            "UNKNOWN_DEVICE", clause, "There is no such device here.", fields={"replaces": "not here"}
        )
    if spec is None:
        return None
    if not spec.id.strip() or (spec.id != replaces and context.state.device(spec.id) is not None):
        return context.refuse(
            "OUT_OF_RANGE", clause, "A device has an id of its own.", fields={"device": "its own id"}
        )
    return None


def card_described(context: Context, clause: str) -> Refused | None:
    wrong = {
        "finding": "finding" in context.command.__struct_fields__ and context.get("finding") not in FINDINGS,
        "rank": context.get("rank") not in RANKS,
        "suit": context.get("suit") not in SUITS,
    }
    fields = {name: "choose one" for name, holds in wrong.items() if holds}
    return context.refuse("OUT_OF_RANGE", clause, "Say which card it is.", fields=fields) if fields else None


def card_exact(context: Context, clause: str) -> Refused | None:
    """K6: exactly the card that is to be replaced."""
    waiting = [one for one in context.state.bad_cards if not one.replaced]
    if not waiting:
        return context.refuse("NOTHING_OPEN", clause, "No card waits to be replaced.")
    told = (context.get("rank"), context.get("suit"), context.get("back").strip().casefold())
    if any((one.rank, one.suit, one.back.strip().casefold()) == told for one in waiting):
        return None
    one = waiting[0]
    return context.refuse(
        "WRONG_CARD", clause, f"The card to be replaced is {one.rank} of {one.suit}, {one.back} back."
    )


def house_count_in_time(context: Context, clause: str) -> Refused | None:
    every = context.rules.house.get("count_every_rounds", 0)
    if not isinstance(every, int) or not every or not context.game.has_cards:
        return None
    count = context.get("count", 1)
    ahead = context.state.round + (count if isinstance(count, int) else 1)
    if ahead - context.state.house_counted_round <= every:
        return None
    return context.refuse(
        "COUNT_OVERDUE",
        clause,
        f"The house counts the cards every {every} rounds.",
        next_step="Count the deck",
    )


def sample_taken(context: Context, clause: str) -> Refused | None:
    """K8: a pre-shuffled set is sampled before it comes into play."""
    held = context.state.card_set
    if held is None or not held.preshuffled or held.sampled_at is not None:
        return None
    if not context.rules.house.get("preshuffled_sample", False):
        return None
    return context.refuse(
        "SAMPLE_FIRST",
        clause,
        "No sample of this pre-shuffled set has been looked at.",
        next_step="Sample the cards",
    )


def sample_here(context: Context, clause: str) -> Refused | None:
    held = context.state.card_set
    if held is None or not held.preshuffled:
        return context.refuse("NOTHING_OPEN", clause, "No pre-shuffled set lies here.")
    if 1 <= context.get("cards") <= context.config.stack_cards:
        return None
    return context.refuse("OUT_OF_RANGE", clause, "Say how many cards.", fields={"cards": "how many"})


def registered_lot(context: Context, clause: str) -> Refused | None:
    """K11: the edge looks the lot up; where nobody looked there is nothing to say."""
    if context.get("registered") is not False or not context.rules.house.get("registered_lots_only", True):
        return None
    return context.refuse(
        "NOT_REGISTERED", clause, f"{context.get('set_id')} is no lot that the house has registered.",
        fields={"set_id": "not registered"},
    )  # fmt: skip


def duties_separate(context: Context, clause: str) -> Refused | None:
    """K16: whoever handed the cards over does not inspect or verify them."""
    held = context.state.card_set
    if held is None or not held.handed_by:
        return None
    people = [context.by.name, *([context.by.second.name] if context.by.second else [])]
    if held.handed_by not in people:
        return None
    return context.refuse(
        "SEPARATION_OF_DUTIES", clause, f"{held.handed_by} handed these cards over and does not inspect them."
    )


def checklist(context: Context) -> tuple[str, ...]:
    """What the house has ticked at a close or at a relief."""
    told = context.rules.house.get("closing_checks" if context.name == "CloseTable" else "relief_checks")
    return tuple(one.strip() for one in told.split(",") if one.strip()) if isinstance(told, str) else ()


def checklist_done(context: Context, clause: str) -> Refused | None:
    """K17: what the house has checked at a close or at a relief."""
    missing = [one for one in checklist(context) if one not in context.get("checks")]
    if not missing:
        return None
    text = f"Not yet checked: {', '.join(str(one).replace('_', ' ') for one in missing)}."
    return context.refuse("CHECKLIST_INCOMPLETE", clause, text, fields={"checks": text})


def counted_before_leaving(context: Context, clause: str) -> Refused | None:
    if not any(one.blocks == "closing" for one in context.state.holds):
        return None
    return context.refuse(
        "COUNT_REQUIRED", clause, "The cards are counted before they leave.", next_step="Count the deck"
    )


def counted_cards(context: Context, clause: str) -> Refused | None:
    """There is something to count."""
    if context.state.card_set is not None:
        return None
    return context.refuse("NO_CARDS_HERE", clause, "There is no card set at this table.")


CHECKS: dict[str, Callable[[Context, str], Refused | None]] = {
    one.__name__: one
    for one in (
        back_matches,
        card_described,
        card_exact,
        checklist_done,
        counted_before_leaving,
        counted_cards,
        cycle_moved,
        device_emptied,
        device_new,
        device_tested,
        duties_separate,
        fault_known,
        fault_open,
        house_count_in_time,
        met_first,
        mode_is_shuffle,
        reason_given,
        registered_lot,
        sample_here,
        sample_taken,
        shuffle_finished,
    )
}
