"""Checks of irregularities, rulings, void rounds and a shoe that is filled again."""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from pit.rules.roles import at_least
from tables.domain import irregular, rounds, stages
from tables.domain.command import MOST
from tables.domain.context import Context
from tables.domain.round_facts import Irregularity
from tables.domain.wrong import is_whole

SUPERVISOR = "floorperson"
_WAITING = {
    "floorperson": ("FLOORPERSON_REQUIRED", "The {floorperson} is called first: {words}."),
    "settlement": ("SETTLE_WAGERS_FIRST", "The wagers are settled first: {words}."),
    "choice": ("CHOICE_PENDING", "The {player} chooses first: {words}."),
    "ruling": ("RULING_REQUIRED", "The {floorperson} confirms first what the text leaves open: {words}."),
}


def open_one(context: Context) -> Irregularity | None:
    """The irregularity that the command speaks of."""
    wanted = context.get("irregularity")
    return next((one for one in context.state.irregularities if one.id == wanted), None)


def irregularity_known(context: Context, clause: str) -> Refused | None:
    if not _plain_facts(context.get("facts", {})):
        return context.refuse(
            "OUT_OF_RANGE", clause, "Facts are words, numbers and yes or no.", fields={"facts": "too much"}
        )
    seat = irregular.complete("", context.get("facts", {}), context.state).get("seat")
    if seat is not None and not (is_whole(seat) and 1 <= seat <= context.config.seats):
        text = f"The table has seats 1 to {context.config.seats}."
        return context.refuse("SEAT_OUT_OF_RANGE", clause, text, fields={"facts": text})
    found = irregular.foresee(context.state, context.rules, context.get("kind"), context.get("facts", {}))
    return found if isinstance(found, Refused) else None


def _plain_facts(facts: object) -> bool:
    """Few facts, each a word, a number, yes or no, or a short list of these."""
    if not isinstance(facts, dict) or len(facts) > 20:
        return False
    values = [
        one for value in facts.values() for one in (value if isinstance(value, list | tuple) else [value])
    ]
    return len(values) <= 60 and all(_plain(one) for one in (*values, *facts))


def _plain(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= 200
    return value is None or (isinstance(value, bool | int) and abs(value) <= MOST)


def irregularity_fits(context: Context, clause: str) -> Refused | None:
    """A shoe can be too short only while it is in play, once at a time."""
    if context.get("kind") != "shoe_short":
        return None
    if context.state.stage in stages.IN_PLAY and context.state.refill is None:
        return None
    return context.refuse("OUT_OF_SEQUENCE", clause, "No cards are being dealt from a shoe.")


def irregularity_open(context: Context, clause: str) -> Refused | None:
    wanted = {"RecordPlayerChoice": ("choice",), "SettleWagers": ("settlement",)}.get(
        context.name, ("floorperson", "ruling")
    )
    found = open_one(context)
    if found is not None and set(wanted) & set(found.needs):
        return None
    return context.refuse("NOTHING_OPEN", clause, "Nothing of that kind is open under this number.")


def ruling_agrees(context: Context, clause: str) -> Refused | None:
    """A ruling adds what the text leaves open; it never says otherwise than the text."""
    one = open_one(context)
    if one is None:
        return None
    stated, told = one.consequences, context.command
    bound = one.clauses[0] if one.clauses else clause
    void = stated.get("round_void") or stated.get("hands_void")
    if context.get("round") == "void" and stated.get("round_void") is False:
        return context.refuse("ROUND_NOT_VOID_H5", bound, "The text does not let this round be void.")
    if context.get("round") == "stands" and void:
        return context.refuse("ROUND_IS_VOID", bound, "The text says that it is void.")
    if context.get("wagers") == "stand" and stated.get("wagers_returned"):
        return context.refuse("CONTRADICTS_RULE", bound, "The text says that the wagers are returned.")
    if getattr(told, "reshuffle", None) is False and stated.get("reshuffle"):
        return context.refuse("SHUFFLE_DUE", bound, "The text says that the cards are re-shuffled.")
    return None


def ruling_words(context: Context, clause: str) -> Refused | None:
    strange = {
        "wagers": context.get("wagers") not in ("", "returned", "stand"),
        "round": context.get("round") not in ("", "void", "stands"),
    }
    fields = {name: "choose one" for name, wrong in strange.items() if wrong}
    return (
        context.refuse("OUT_OF_RANGE", clause, "Choose what is offered.", fields=fields) if fields else None
    )


def choice_known(context: Context, clause: str) -> Refused | None:
    one = open_one(context)
    options = one.consequences.get("player_option") if one else None
    if not options or context.get("choice") in options:
        return None
    return context.refuse("OUT_OF_RANGE", clause, "Choose what is offered.", fields={"choice": "choose one"})


def choice_blind(context: Context, clause: str) -> Refused | None:
    if not context.get("looked"):
        return None
    return context.refuse(
        "CHOICE_MUST_BE_BLIND", clause, "The player chooses without a look at the unexposed cards."
    )


def supervisor_present(context: Context, clause: str) -> Refused | None:
    by = context.by
    there = [by.role, *([by.second.role] if by.second is not None and by.second.signed else [])]
    if any(at_least(role, SUPERVISOR) for role in there):
        return None
    word = context.rules.word(SUPERVISOR)
    return context.refuse("SUPERVISOR_REQUIRED", clause, f"A {word} is present.", next_step=f"Call a {word}")


def rulings_done(context: Context, clause: str) -> Refused | None:
    """Nothing is dealt and no round is closed while a ruling or an instruction is still open."""
    for one in context.state.irregularities:
        for need in one.needs:
            if context.name == "EndRound" and need == "ruling":
                continue
            code, text = _WAITING[need]
            words = {"floorperson": context.rules.word(SUPERVISOR), "player": context.rules.word("player")}
            said = text.format(words=one.words, **words)
            bound = one.clauses[0] if one.clauses else clause
            return context.refuse(code, bound, said, next_step=_NEXT[need].format(**words))
    return None


_NEXT = {
    "floorperson": "Call a {floorperson}",
    "settlement": "Settle the wagers",
    "choice": "Record the {player}'s choice",
    "ruling": "Record the ruling",
}


def round_not_void(context: Context, clause: str) -> Refused | None:
    void = rounds.facts_now(context.state).void
    if not void or not context.state.round_open:
        return None
    return context.refuse(
        "ROUND_IS_VOID",
        void,
        "This round is void and is not closed as played.",
        next_step="Call the round void",
    )


def may_void(context: Context, clause: str) -> Refused | None:
    if context.state.refill is not None:
        return context.refuse(
            "ROUND_NOT_VOID_H5",
            clause,
            "Too few cards do not void a round: it is completed from the filled shoe.",
        )
    if rounds.facts_now(context.state).void:
        return None
    return context.refuse("NO_GROUND_TO_VOID", clause, "Nothing was recorded that voids this round.")


def filled_and_burned(context: Context, clause: str) -> Refused | None:
    """(h)(5): no card of the filled shoe is dealt before one was burned, and the round ends only after it went on."""
    refill = context.state.refill
    if refill is None:
        return None
    if context.state.stage == stages.READY and not refill.burned:
        return context.refuse(
            "BURN_FIRST", clause, "The first card of the filled shoe is burned.", next_step="Burn a card"
        )
    if context.name == "ContinueRound":
        return None
    return context.refuse("OUT_OF_SEQUENCE", clause, "The shoe is filled first, then the round goes on.")


CHECKS: dict[str, Callable[[Context, str], Refused | None]] = {
    one.__name__: one
    for one in (
        choice_blind,
        choice_known,
        filled_and_burned,
        irregularity_fits,
        irregularity_known,
        irregularity_open,
        may_void,
        round_not_void,
        ruling_agrees,
        ruling_words,
        rulings_done,
        supervisor_present,
    )
}
