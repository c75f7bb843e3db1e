"""The decider of a table: total, deterministic, no clock, no I/O.

Order: is the table set up → does the matter apply here → rank, signature, second person → the pack's guards → the
event. All reasons are told at once, rank before malformed before rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from pit.record.contract import By, Refused, refusal
from pit.rules.model import CommandRule, Rules
from pit.rules.roles import at_least
from tables.domain import (
    attest,
    checks,
    commands_integrity,
    commands_play,
    decide_cards,
    decide_cut,
    decide_equipment,
    decide_faults,
    decide_integrity,
    decide_irregular,
    decide_play,
    decide_round,
    decide_setup,
    terms,
)
from tables.domain.commands import AttestThrough, Command, SetUpTable
from tables.domain.context import Context, Ground
from tables.domain.events import Event
from tables.domain.state import TableState

Handler = Callable[[Context], Sequence[Event] | Refused]

HANDLERS: dict[str, Handler] = {
    **decide_setup.HANDLERS,
    **terms.HANDLERS,
    **decide_cards.HANDLERS,
    **decide_cut.HANDLERS,
    **decide_play.HANDLERS,
    **decide_equipment.HANDLERS,
    **decide_round.HANDLERS,
    **decide_irregular.HANDLERS,
    **decide_faults.HANDLERS,
    **decide_integrity.HANDLERS,
}

WITHOUT_ROW = frozenset(
    {
        "SetUpTable",
        "RecordTerms",
        "PutInForce",
        "PlayerArrives",
        "PlayerLeaves",
        "PlayersLeave",
        "EndRound",
        "PlaceDice",
        "RemoveDice",
        "HandOverDice",
        "RelieveDealer",
        "DeclareOutOfOrder",
        "CoverDevice",
        "SignDevice",
        "ReturnDevice",
        "RecordCount",
        "CorrectEntry",
        "SayDue",
        "AttestThrough",
        *(one.__name__ for one in (*commands_play.COMMANDS, *commands_integrity.COMMANDS)),
    }
) - {"ContinueRound"}
"""Commands that take no row of a sequence. Every other needs one, whether or not its pack has it checked."""


def decide(
    state: TableState, command: Command, *, by: By, rules: Rules, now: datetime
) -> Sequence[Event] | Refused:
    """The events of a command, or why it is refused. `now` is the moment the act took place."""
    return answer(Context(Ground(state, rules), command, by=by, now=now))


def answer(context: Context) -> Sequence[Event] | Refused:
    """The same for a decision whose ground is shared with others."""
    if refused := refuses(context):
        return refused
    if isinstance(context.command, AttestThrough):
        return attest.through(context, answer)
    return HANDLERS[context.name](context)


def refuses(context: Context) -> Refused | None:
    """All that stands against the command, as one refusal."""
    if context.state.config is None and not isinstance(context.command, SetUpTable):
        return context.refuse("TABLE_NOT_SET_UP", "pitstand", "This table has not been set up yet.")
    if refused := checks.decisive(context):
        return refused
    reasons = [*standing(context), *checks.told(context)]
    if not reasons and context.name not in WITHOUT_ROW and context.step is None:
        reasons = [checks.out_of_sequence(context)]
    return refusal(reasons) if reasons else None


def standing(context: Context) -> list[Refused]:
    """Rank, signature and second person of the one who asks."""
    rule, by = context.rules.command(context.name), context.by
    if not may_give(by, rule):
        word = context.rules.word(rule.rank)
        text = f"This takes a {word} or above."
        code, called = "ROLE_NOT_PERMITTED", f"Call a {word}"
        return [context.refuse(code, rule.rank_clause, text, status=403, next_step=called)]
    reasons = []
    if rule.signed and not by.signed:
        reasons.append(
            context.refuse(
                "SIGNATURE_REQUIRED", "house", "This is signed with your PIN.", status=403, next_step="Sign"
            )
        )
    if rule.second and (refused := _second(context, rule)):
        reasons.append(refused)
    return reasons


def may_give(by: By, rule: CommandRule) -> bool:
    """The role stands high enough, or is one of those outside the ladder that the pack names for this command."""
    return (
        by.role in rule.also
        or (by.kind == "system" and "system" in rule.also)
        or at_least(by.role, rule.rank)
    )


def _second(context: Context, rule: CommandRule) -> Refused | None:
    by, second, word = context.by, context.by.second, context.rules.word(rule.second)
    if second is None or not second.signed or not at_least(second.role, rule.second):
        return context.refuse(
            "SECOND_PERSON_REQUIRED",
            "house",
            f"A second person signs too: the {word}.",
            status=403,
            next_step=f"Have the {word} sign",
        )
    same = second.id == by.id if second.id is not None and by.id is not None else second.name == by.name
    if not same:
        return None
    return context.refuse("SAME_PERSON_TWICE", "house", "Two people sign, not one twice.", status=403)
