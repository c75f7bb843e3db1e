"""What is in force at a table in the matters of (t): procedures, vigorish and rake percentages, pay tables.

They are stated once, and from then on change by a notice alone: `PutInForce` at its effective time, when commission
staff and surveillance were told strictly before. Limits, rosters and seats are none of these matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from pit.record.contract import Entry, Refused
from pit.rules.model import HOUSE
from tables.domain import events as e
from tables.domain import notice
from tables.domain.commands import PutInForce, RecordTerms, SetUpTable
from tables.domain.context import Context
from tables.domain.events import Event
from tables.domain.state import Config, TableState, Term, TermChange, TermSpec

PROCEDURE = "procedure"
OF_SET_UP = ("cut_mode", "deal_mode")
"""Items of the procedure that the set-up itself holds: they switch there too."""
TOLD = {
    "COMMISSION_NOT_NOTIFIED": "Onsite commission staff have not been notified of this change.",
    "SURVEILLANCE_NOT_NOTIFIED": "Surveillance has not been notified of this change.",
    "COMMISSION_NOTICE_NOT_PRIOR": "Onsite commission staff were not notified before the change takes effect.",
    "SURVEILLANCE_NOTICE_NOT_PRIOR": "Surveillance was not notified before the change takes effect.",
}


def in_force(state: TableState, matter: str, item: str) -> str:
    """What stands now, "" where nothing was ever stated."""
    found = next((one.value for one in state.terms if (one.matter, one.item) == (matter, item)), "")
    if not found and matter == PROCEDURE and item in OF_SET_UP and state.config is not None:
        found = getattr(state.config, item)
    return found


def matters_known(context: Context, clause: str) -> Refused | None:
    """Each names one of the four matters, an item and a value, and none stands twice."""
    told = context.get("terms", ())
    keys = [(one.matter, one.item) for one in told]
    texts = [one.item for one in told] + [one.value if isinstance(one, TermSpec) else one.now for one in told]
    if told and len(set(keys)) == len(keys) and all(text.strip() for text in texts):
        strange = sorted({matter for matter, _ in keys if not notice.needs_notice(matter)})
        if not strange:
            return None
        text = f"{', '.join(strange)}: no matter of a notice. There are: {', '.join(sorted(notice.KINDS))}."
    else:
        text = "At least one matter, each once, with an item and a value."
    return context.refuse("MALFORMED", clause, text, status=422, fields={"terms": text})


def stated_first_time(context: Context, clause: str) -> Refused | None:
    """What stands already is changed by a notice and in no other way."""
    for one in context.get("terms", ()):
        stands = in_force(context.state, one.matter, one.item)
        if stands and stands != one.value:
            return _notice_first(context, clause, f"{one.item.replace('_', ' ')} is {stands}")
    return None


def no_change_untold(context: Context, clause: str) -> Refused | None:
    """A set-up anew may not change a procedure that is in force."""
    config, command = context.state.config, context.command
    if config is None or not isinstance(command, SetUpTable) or config.game != command.game:
        return None
    for item in OF_SET_UP:
        wanted, stands = getattr(command, item), getattr(config, item)
        if wanted and wanted != stands:
            return _notice_first(context, clause, f"{item.replace('_', ' ')} is {stands}")
    return None


def _notice_first(context: Context, clause: str, what: str) -> Refused:
    return context.refuse(
        "NOTICE_FIRST",
        clause,
        f"{what[:1].upper()}{what[1:]}. It changes by a change notice only.",
        next_step="Draft a change",
    )


def both_notified_before(context: Context, clause: str) -> Refused | None:
    """Strictly before, for both recipients; the first reason is told and the other stands in its words."""
    command = context.command
    assert isinstance(command, PutInForce)
    if clause == HOUSE and not context.rules.house.get("change_notice_required", True):
        return None
    found = notice.may_take_effect(
        effective_at=command.effective_at,
        commission_at=command.commission_at,
        surveillance_at=command.surveillance_at,
    )
    if not found:
        return None
    text = " ".join(TOLD[one.code] for one in found)
    return context.refuse(found[0].code, clause, text, next_step="Notify both, then a new effective time")


def effective_time_come(context: Context, clause: str) -> Refused | None:
    command = context.command
    assert isinstance(command, PutInForce)
    if context.now >= command.effective_at:
        return None
    return context.refuse("NOT_YET", clause, "The effective time has not come.")


def from_is_in_force(context: Context, clause: str) -> Refused | None:
    """The change starts from what stands here; a notice about something else does not switch this table."""
    for one in context.get("terms", ()):
        stands = in_force(context.state, one.matter, one.item)
        if stands != one.was:
            text = f"{one.item.replace('_', ' ')} is {stands or 'not stated'} here, not {one.was or 'not stated'}."
            return context.refuse("OTHER_IN_FORCE", clause, text[:1].upper() + text[1:])
        if one.was == one.now:
            return context.refuse(
                "NOTHING_CHANGES", clause, f"{one.item.replace('_', ' ')} stands so already."
            )
        if one.item == "deal_mode" and context.state.open:
            text = "The way of dealing changes while the table is closed."
            return context.refuse("TABLE_IS_OPEN", clause, text, next_step="Close the table")
    return None


def value_fits(context: Context, clause: str) -> Refused | None:
    """A way of cutting or dealing is one that the game knows."""
    known = {"cut_mode": ("offered", "dealer_only"), "deal_mode": context.game.deal_modes}
    for one in context.get("terms", ()):
        value = one.value if isinstance(one, TermSpec) else one.now
        if one.matter == PROCEDURE and value not in known.get(one.item, (value,)):
            text = f"{one.item.replace('_', ' ').capitalize()} is one of {', '.join(known[one.item])}."
            return context.refuse("OUT_OF_RANGE", clause, text, fields={"terms": text})
    return None


def record_terms(context: Context) -> Sequence[Event] | Refused:
    command = context.command
    assert isinstance(command, RecordTerms)
    new = tuple(one for one in command.terms if in_force(context.state, one.matter, one.item) != one.value)
    if not new:
        return context.refuse("NOTHING_CHANGES", "pitstand", "It stands so already.")
    return [e.TermsRecorded(terms=new)]


def put_in_force(context: Context) -> Sequence[Event]:
    command = context.command
    assert isinstance(command, PutInForce)
    return [
        e.TermsPutInForce(
            notice=command.notice, terms=command.terms, effective_at=command.effective_at, late=command.late
        )
    ]


def terms_recorded(state: TableState, entry: Entry, event: e.TermsRecorded) -> TableState:
    for one in event.terms:
        state = _with(state, Term(matter=one.matter, item=one.item, value=one.value, since=entry.at))
    return state


def terms_put_in_force(state: TableState, entry: Entry, event: e.TermsPutInForce) -> TableState:
    for one in event.terms:
        term = Term(matter=one.matter, item=one.item, value=one.now, since=entry.at, notice=event.notice)
        state = replace(_with(state, term), config=_set_up(state.config, one))
    return state


def _with(state: TableState, term: Term) -> TableState:
    rest = tuple(one for one in state.terms if (one.matter, one.item) != (term.matter, term.item))
    return replace(state, terms=(*rest, term))


def _set_up(config: Config | None, change: TermChange) -> Config | None:
    if config is None or change.matter != PROCEDURE or change.item not in OF_SET_UP:
        return config
    return replace(config, **{change.item: change.now})


CHECKS = {
    function.__name__: function
    for function in (
        both_notified_before,
        effective_time_come,
        from_is_in_force,
        matters_known,
        no_change_untold,
        stated_first_time,
        value_fits,
    )
}
HANDLERS: dict[str, Callable[[Context], Sequence[Event] | Refused]] = {
    "RecordTerms": record_terms,
    "PutInForce": put_in_force,
}
APPLY: dict[str, Callable[[TableState, Entry, Any], TableState]] = {
    "TermsRecorded": terms_recorded,
    "TermsPutInForce": terms_put_in_force,
}
