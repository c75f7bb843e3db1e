"""The checks of the closed list (`pit.rules.checks`): each answers with a refusal under the pack's clause, or None.

A check never raises and looks only at the state, the command, the rules and the moment. `in_sequence` is asked last:
a pack's own reason is more use to a person than "out of sequence".
"""

from __future__ import annotations

from collections.abc import Callable

from pit.record.contract import Refused
from tables.domain import (
    checks_cards,
    checks_cut,
    checks_equipment,
    checks_integrity,
    checks_irregular,
    checks_play,
    checks_round,
    terms,
)
from tables.domain.context import Context

Check = Callable[[Context, str], Refused | None]

CHECKS: dict[str, Check] = {
    **checks_cards.CHECKS,
    **checks_cut.CHECKS,
    **checks_equipment.CHECKS,
    **checks_play.CHECKS,
    **checks_round.CHECKS,
    **checks_irregular.CHECKS,
    **checks_integrity.CHECKS,
    **terms.CHECKS,
}
DECISIVE = frozenset({"recut_adopted", "not_counting_device"})
"""When the whole matter does not apply here, nothing else about it is worth telling."""
FALLBACK = "in_sequence"


def told(context: Context) -> list[Refused]:
    """All reasons against this command that the pack's guards find, in the pack's order."""
    guards = context.rules.guards(context.name)
    reasons = [
        found for one in guards if one.check != FALLBACK and (found := CHECKS[one.check](context, one.clause))
    ]
    if not any(one.status == 409 for one in reasons):
        last = [
            found
            for one in guards
            if one.check == FALLBACK and (found := CHECKS[FALLBACK](context, one.clause))
        ]
        # Out of sequence, what a field says cannot be judged: only what is malformed in itself stands beside it.
        return [*reasons, *last]
    return reasons


def decisive(context: Context) -> Refused | None:
    """The matter does not apply at this table at all."""
    for one in context.rules.guards(context.name):
        if one.check in DECISIVE and (found := CHECKS[one.check](context, one.clause)):
            return found
    return None


def out_of_sequence(context: Context) -> Refused:
    """The command has no row here at all."""
    clause = context.rules.command(context.name).clause
    return CHECKS[FALLBACK](context, clause) or context.refuse(
        "OUT_OF_SEQUENCE", clause, "Not at this point."
    )
