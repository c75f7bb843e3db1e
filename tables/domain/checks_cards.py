"""Checks of receiving, spreading, washing, shuffling and idle clearing."""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from pit.rules.model import Rules
from tables.domain import batches, sequence, stages
from tables.domain.context import Context
from tables.domain.state import BatchSpec, TableState

_SOURCES = {"shuffler": "the shuffler", "shoe": "the shoe", "discard_rack": "the discard rack"}


def in_sequence(context: Context, clause: str) -> Refused | None:
    if context.step is not None:
        return None
    stage = stages.WORDS[context.state.stage]
    return context.refuse("OUT_OF_SEQUENCE", clause, f"Not at this point: the table stands at “{stage}”.")


def inspection_afforded(context: Context, clause: str) -> Refused | None:
    if context.state.stage not in stages.AWAITING_LOOK:
        return None
    player = context.rules.word("player")
    return context.refuse(
        "INSPECTION_NOT_YET_AFFORDED",
        clause,
        f"The first {player} has not yet had the chance to look at the cards.",
    )


def cards_inspected(context: Context, clause: str) -> Refused | None:
    held = context.state.card_set
    if context.state.stage != stages.CARDS_RECEIVED or (held is not None and held.preshuffled):
        return None
    return context.refuse("INSPECTION_INCOMPLETE", clause, "The decks have not been inspected and verified.")


def face_as_pack_says(context: Context, clause: str) -> Refused | None:
    wanted, face, idle = context.rules.param("idle_face"), context.get("face"), context.state.idle
    if wanted == "up" and face == "down":
        return context.refuse("MUST_BE_FACE_UP", clause, "The cards are spread face up.")
    if wanted != "down" or idle is None or context.state.stage == stages.REQUESTED_MUST_SPREAD:
        return None  # the face of the spread that a player has asked for is not stated
    asked = context.get("player_requested") or idle.face_up_requested
    if face == "up" and not asked:
        return context.refuse(
            "FACE_UP_ONLY_ON_PLAYER_REQUEST",
            clause,
            "The cards are spread face down unless a player asks for face up.",
        )
    if face == "down" and asked:
        return context.refuse("MUST_BE_FACE_UP", clause, "A player asked for the cards to be spread face up.")
    return None


def face_request_met(context: Context, clause: str) -> Refused | None:
    idle = context.state.idle
    if idle is None or not idle.face_up_requested or context.state.spread_face == "up":
        return None
    return context.refuse(
        "MUST_BE_FACE_UP",
        clause,
        "A player asked for face up and the cards lie face down.",
        next_step="Spread face up",
    )


def batches_spread_apart(context: Context, clause: str) -> Refused | None:
    if len(context.state.batches) < 2 or context.get("batches_separate"):
        return None
    return context.refuse(
        "BATCHES_MUST_BE_SPREAD_SEPARATELY",
        clause,
        "The batches are spread apart from each other, not together.",
    )


def one_batch_at_a_time(context: Context, clause: str) -> Refused | None:
    state = context.state
    if state.stage != stages.INSPECTED or context.get("batch") or len(state.batches) < 2:
        return None
    if sequence.shuffling(state, context.rules) != "automated":
        return None
    return context.refuse("ONE_BATCH_AT_A_TIME", clause, "Say which batch: each is handled on its own.")


def batch_known(context: Context, clause: str) -> Refused | None:
    wanted = context.get("batch", "")
    if not wanted or context.state.batch(wanted) is not None:
        return None
    return context.refuse(
        "UNKNOWN_BATCH", clause, "There is no such batch at this table.", fields={"batch": "no such batch"}
    )


def batch_shuffled(context: Context, clause: str) -> Refused | None:
    wanted = context.get("batch", "")
    inside = [one for one in context.state.batches if one.progress in ("DEPOSITED", "SHUFFLED")]
    meant = [one for one in inside if one.id == wanted] if wanted else inside
    if not meant or any(one.progress == "SHUFFLED" for one in meant):
        return None
    return context.refuse(
        "SHUFFLE_DUE",
        clause,
        "The shuffler has not finished this batch.",
        next_step="Wait until the shuffler has finished",
    )


def alternates(context: Context, clause: str) -> Refused | None:
    known = [one.id for one in context.state.batches]
    if len(known) < 2 or not context.batch or context.state.batch(context.batch) is None:
        return None
    found = batches.may_use(context.batch, last=context.state.last_batch or None, batches=known)
    return context.wrong(found, clause, f"Batch {context.batch} was in play last; the batches alternate")


def waiting_batch_first(context: Context, clause: str) -> Refused | None:
    """Of two batches in the shuffler the one that waited there comes out; a single one may be used again (A-47)."""
    batch = context.batch
    waiting = [one.id for one in context.state.batches if one.place == "device" and one.id != batch]
    if not waiting or batch != context.state.last_batch:
        return None
    return context.refuse(
        "BATCH_MUST_ALTERNATE",
        clause,
        f"Batch {batch} was in play last; batch {waiting[0]} waits in the shuffler.",
        next_step=f"Take batch {waiting[0]} out",
    )


def next_batch_first(context: Context, clause: str) -> Refused | None:
    """The batch whose turn it is goes into an empty shuffler before the one that was in play last."""
    state, batch = context.state, context.batch
    out = [
        one.id for one in state.batches if one.id != batch and one.progress in ("USED", "WAITING", "SPREAD")
    ]
    if state.stage != stages.SHUFFLE_DUE or batch != state.last_batch or not out:
        return None
    return context.refuse(
        "BATCH_MUST_ALTERNATE",
        clause,
        f"Batch {out[0]} is next and has not been shuffled.",
        next_step=f"Put batch {out[0]} in the shuffler first",
    )


def shuffler_empty(context: Context, clause: str) -> Refused | None:
    if context.rules.reading("A-25") is False:
        return None
    inside = [one.id for one in context.state.batches if one.place == "device" and one.id != context.batch]
    if not inside:
        return None
    return context.refuse(
        "SHUFFLER_HOLDS_THE_OTHER_BATCH",
        clause,
        f"Batch {inside[0]} is still in the shuffler.",
        next_step=f"Take batch {inside[0]} out first",
    )


def one_batch_in_rack(context: Context, clause: str) -> Refused | None:
    rack = [one.id for one in context.state.batches if one.place == "rack"]
    if len(context.state.batches) < 2 or not context.state.next_batch:
        return None
    found = batches.may_discard(context.state.next_batch, rack=rack)
    if found is None:
        return None
    return context.refuse(
        found.code,
        clause,
        f"Cards of batch {', '.join(rack)} are still in the discard rack.",
        next_step="Put the used batch in the shuffler",
    )


def completes_removal(context: Context, clause: str) -> Refused | None:
    missing = required_sources(context.state, context.rules) - set(context.get("sources", ()))
    if not missing:
        return None
    left = ", ".join(_SOURCES.get(one, one) for one in sorted(missing))
    return context.refuse(
        "INCOMPLETE_REMOVAL",
        clause,
        f"All cards come out; still to be emptied: {left}.",
        fields={"sources": left},
    )


def required_sources(state: TableState, rules: Rules) -> frozenset[str]:
    """What must be emptied: every shuffling and dealing device that the table has and the rack, or shoe and rack."""
    found = {"discard_rack"}
    if state.config is not None and state.config.deal_mode != "hand":
        found.add("shoe")
    if rules.param("idle_sources") != "shoe_and_rack" and state.shuffler is not None:
        found.add("shuffler")
    return frozenset(found)


def backs_differ(context: Context, clause: str) -> Refused | None:
    told: tuple[BatchSpec, ...] = context.get("batches") or (
        context.state.config.batches if context.state.config else ()
    )
    backs = [batches.Back(color=one.back, design=one.design) for one in told]
    for nth, one in enumerate(backs):
        for other in backs[nth + 1 :]:
            if found := batches.wrong_backs(one, other):
                return context.wrong(
                    found, clause, "The batches must have backs of different colours", field="batches"
                )
    return None


def two_batches_registered(context: Context, clause: str) -> Refused | None:
    shuffler = context.state.shuffler
    told = context.get("batches") or context.config.batches
    if shuffler is None or shuffler.kind == "counting" or len(told) == 2:
        return None
    if sequence.shuffling(context.state, context.rules) != "automated":
        return None
    return context.refuse(
        "TWO_BATCHES_REQUIRED",
        clause,
        "With a shuffler two batches are used.",
        fields={"batches": "two are needed"},
    )


def cards_on_table(context: Context, clause: str) -> Refused | None:
    if context.state.card_set is not None:
        return None
    return context.refuse("NO_CARDS_HERE", clause, "There is no card set at this table.")


CHECKS: dict[str, Callable[[Context, str], Refused | None]] = {
    one.__name__: one
    for one in (
        alternates,
        backs_differ,
        batch_known,
        batch_shuffled,
        batches_spread_apart,
        cards_inspected,
        cards_on_table,
        completes_removal,
        face_as_pack_says,
        face_request_met,
        in_sequence,
        inspection_afforded,
        next_batch_first,
        one_batch_at_a_time,
        one_batch_in_rack,
        shuffler_empty,
        two_batches_registered,
        waiting_batch_first,
    )
}
