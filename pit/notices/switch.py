"""Changes that fall due switch by themselves: notice and tables in one transaction, all of them or none, once.

Run by the beat, at any time, twice or in parallel: the door's receipts and the notice's state make one switch of it.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import connection

from pit.notices import told
from pit.notices.domain import commands as c
from pit.notices.models import Change
from pit.notices.registry import floor
from pit.notices.service import SYSTEM, ask, state_of
from pit.record import door
from pit.record.contract import Answer

log = logging.getLogger(__name__)

ON_TIME = timedelta(seconds=60)
"""The beat goes round every few seconds: within this it is its time, and the entry bears it. Later is late."""


def switch_due(now: datetime) -> int:
    """Puts every change in force whose time has come by `now`; gives how many. A failing one leaves the others alone."""
    due = Change.objects.filter(status="ISSUED", effective_at__lte=now).order_by("effective_at", "pk")
    done = 0
    for change in list(due):
        try:
            done += switch(change, now=now)
        except Exception:
            if not connection.is_usable():
                raise
            log.exception("Change %s could not be put in force", change.pk)
    return done


def switch(change: Change, *, now: datetime) -> bool:
    """One change; False when it was refused. Then nothing switched, and the change says why and alarms."""
    told.reconcile(change, now=now)
    state = state_of(change)
    assert state.matter is not None
    late = now - state.matter.effective_at > ON_TIME
    command = floor().switch(state, late)
    presses = [(change.stream, c.TakeEffect(late=late)), *((table, command) for table in state.matter.tables)]
    at = None if late else state.matter.effective_at
    answers = door.submit_all(presses, by=SYSTEM, key=f"effect:{state.number}", now=now, at=at)
    why = reasons(answers, (change.number, *state.matter.numbers))
    if not why:
        return not any(one.again for one in answers)  # another beat was first
    log.error("Notice %s did not take effect: %s", state.number, why)
    ask(change, c.RecordBlocked(why=why), by=SYSTEM, key=f"blocked:{state.number}", now=now)
    return False


def reasons(answers: tuple[Answer, ...], names: tuple[str, ...]) -> str:
    """What was refused and where, in words; the parts that were refused with another are passed over."""
    found = [
        f"{name}: {one.message} ({one.code})"
        for name, answer in zip(names, answers, strict=True)
        if answer.refused is not None
        for one in (answer.refused, *answer.refused.also)
        if one.code != "OTHER_PART_REFUSED"
    ]
    return " ".join(found)
