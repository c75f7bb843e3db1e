"""The decider of a change: total, deterministic, no clock, no I/O.

All reasons are told at once: rank before malformed before rule. What a person may do stands in `MAY`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from pit.notices.domain import commands as c
from pit.notices.domain import events as e
from pit.notices.domain.state import BEFORE_ISSUE, OPEN, RECIPIENTS, ChangeState, Matter, NoticeRules
from pit.record.contract import By, Refused, refusal
from pit.rules import notice

KEEPERS = frozenset({"compliance", "table_games_shift_manager", "assistant_table_games_shift_manager"})
"""Who drafts, approves, issues and withdraws changes."""
SIGNED = frozenset({"SignChange", "ApproveChange", "IssueNotice", "WithdrawChange"})
BY_SYSTEM = frozenset({"RecordNotified", "TakeEffect", "RecordBlocked", "RecordSuperseded"})
LONGEST = {"item": 80, "was": 200, "now": 200, "reason": 2_000}
TOLD = {
    "COMMISSION_NOT_NOTIFIED": "Onsite commission staff have not been notified.",
    "SURVEILLANCE_NOT_NOTIFIED": "Surveillance has not been notified.",
    "COMMISSION_NOTICE_NOT_PRIOR": "Onsite commission staff must be notified before it takes effect, not at its time.",
    "SURVEILLANCE_NOTICE_NOT_PRIOR": "Surveillance must be notified before it takes effect, not at its time.",
}


class Decision:
    """One decision and the reasons found against it."""

    def __init__(self, state: ChangeState, command: Any, by: By, rules: NoticeRules, now: datetime) -> None:
        self.state, self.command, self.by, self.rules, self.now = state, command, by, rules, now
        self.reasons: list[Refused] = []

    def against(self, code: str, message: str, *, clause: str = "house", **more: Any) -> None:
        cite = self.rules.cite if clause == self.rules.clause else ""
        self.reasons.append(Refused(code=code, clause=clause, cite=cite, message=message, **more))

    def malformed(self, field: str, message: str, code: str = "MALFORMED") -> None:
        self.against(code, message, status=422, fields={field: message})

    def not_prior(self, effective_at: datetime, told: dict[str, datetime | None]) -> None:
        """The refusals of (t), each by its own code."""
        for code in notice.objections(
            effective_at=effective_at,
            commission_at=told[RECIPIENTS[0]],
            surveillance_at=told[RECIPIENTS[1]],
        ):
            self.against(
                code,
                TOLD[code],
                clause=self.rules.clause,
                next_step="Choose an effective time after the notice",
            )


def decide(
    state: ChangeState, command: Any, *, by: By, rules: NoticeRules, now: datetime
) -> Sequence[e.Event] | Refused:
    """The events that follow from the command, or every reason against it."""
    decision = Decision(state, command, by, rules, now)
    _authority(decision)
    if not decision.reasons:
        events = HANDLERS[type(command).__name__](decision)
    return refusal(decision.reasons) if decision.reasons else events


def _authority(d: Decision) -> None:
    name = type(d.command).__name__
    if name in BY_SYSTEM:
        allowed = d.by.kind == "system"
    elif name == "DraftChange" and d.by.kind == "system":
        allowed = True  # an import drafts and does nothing else; two people sign it
    elif name == "RecordAcknowledged":
        allowed = d.by.kind == "person" and d.by.role == d.command.group
    else:
        allowed = d.by.kind == "person" and d.by.role in KEEPERS
    if not allowed:
        text = "Changes are drafted, signed and issued by compliance or a table games shift manager."
        d.against("ROLE_NOT_PERMITTED", text, status=403)
    elif name in SIGNED and not d.by.signed:
        d.against("SIGNATURE_REQUIRED", "This is signed with your PIN.", status=403, next_step="Sign")


def _draft(d: Decision) -> list[e.Event]:
    if d.state.status:
        d.against("DRAFTED_ALREADY", "This change is drafted already.")
    _matter(d, d.command.matter)
    return [e.ChangeDrafted(matter=d.command.matter, supersedes=d.command.supersedes)]


def _edit(d: Decision) -> list[e.Event]:
    if d.state.status not in BEFORE_ISSUE:
        text = "The notice is out: what it says stays. Write a new one in its place."
        d.against("NOTICE_IS_ISSUED", text, next_step="Draft a new notice")
    if d.command.matter == d.state.matter:
        d.against("NOTHING_CHANGES", "It says so already.")
    _matter(d, d.command.matter)
    return [e.ChangeEdited(matter=d.command.matter)]


def _matter(d: Decision, told: Matter) -> None:
    """What the change says can be said, and lies far enough ahead."""
    if not notice.KINDS.issuperset({told.matter}):
        kinds = ", ".join(sorted(notice.KINDS)).replace("_", " ")
        d.malformed("matter", f"This is no matter of a notice. There are: {kinds}.", "NOT_A_T_CHANGE")
    for field, longest in LONGEST.items():
        text = getattr(told, field)
        if len(text) > longest or (field not in ("reason", "was") and not text.strip()):
            d.malformed(field, f"1 to {longest} characters are needed.")
    if told.was == told.now:
        d.malformed("now", "From and to are the same.", "NOTHING_CHANGES")
    if not told.tables or len(set(told.tables)) != len(told.tables):
        d.malformed("tables", "At least one table, each once.", "NO_TABLES")
    _ahead(d, told)


def _ahead(d: Decision, told: Matter) -> None:
    """Nobody can be told before a time that has come; the house may ask for more (no text gives a lead time)."""
    if told.effective_at <= d.now:
        if d.rules.required:
            d.not_prior(told.effective_at, dict.fromkeys(RECIPIENTS, d.now))
        else:
            d.malformed("effective_at", "This time has passed.", "EFFECTIVE_TIME_PASSED")
        return
    lead = d.rules.lead_minutes(told.matter)
    if told.effective_at < d.now + timedelta(minutes=lead):
        text = f"The house asks for {lead} minutes between the notice and the change."
        d.against("LEAD_TIME", text, next_step="Choose a later effective time")


def _sign(d: Decision) -> list[e.Event]:
    if d.state.status != "DRAFT":
        d.against("NOT_A_DRAFT", "Only a draft is signed by its author.")
    return [e.ChangeSigned()]


def _approve(d: Decision) -> list[e.Event]:
    if d.state.status != "SIGNED":
        d.against("AUTHOR_SIGNS_FIRST", "The author signs first.", next_step="Have the author sign")
    elif d.state.author is not None and d.state.author.id == d.by.id:
        text = "Two people sign: whoever approves is not the author."
        d.against(
            "SAME_PERSON_TWICE", text, status=403, next_step="Ask a shift manager or compliance officer"
        )
    return [e.ChangeApproved()]


def _issue(d: Decision) -> list[e.Event]:
    if d.state.status != "APPROVED" or d.state.matter is None:
        d.against("APPROVAL_FIRST", "A notice goes out after both signatures.", next_step="Have it approved")
    else:
        _ahead(d, d.state.matter)
    if not d.command.number:
        d.malformed("number", "A notice bears a number.")
    return [e.NoticeIssued(number=d.command.number)]


def _notified(d: Decision) -> list[e.Event]:
    command = d.command
    if command.group not in RECIPIENTS:
        d.malformed("group", "Not a recipient of change notices.")
    elif not d.state.number:
        d.against("NOT_ISSUED", "The notice is not out yet.")
    elif command.group in d.state.told:
        d.against("NOTIFIED_ALREADY", "This recipient was notified already; the first time stands.")
    return [
        e.RecipientNotified(
            group=command.group, sent_at=command.sent_at, who=command.who, channel=command.channel
        )
    ]


def _acknowledged(d: Decision) -> list[e.Event]:
    if not d.state.number:
        d.against("NOT_ISSUED", "The notice is not out yet.")
    return [e.NoticeAcknowledged(group=d.command.group)]


def _take_effect(d: Decision) -> list[e.Event]:
    matter = d.state.matter
    if d.state.status != "ISSUED" or matter is None:
        d.against("NOT_ISSUED", "Only an issued notice takes effect.")
        return []
    if d.now < matter.effective_at:
        d.against("NOT_YET", "The effective time has not come.")
    if d.rules.required:
        d.not_prior(matter.effective_at, {group: d.state.told.get(group) for group in RECIPIENTS})
    return [e.ChangeTookEffect(effective_at=matter.effective_at, late=d.command.late)]


def _blocked(d: Decision) -> list[e.Event]:
    if d.state.status != "ISSUED":
        d.against("NOT_ISSUED", "Only an issued notice can be kept from its effect.")
    return [e.ChangeBlocked(why=d.command.why)]


def _withdraw(d: Decision) -> list[e.Event]:
    if d.state.status not in OPEN:
        d.against("NOT_OPEN", "This change is not open any more.")
    if not d.command.reason.strip():
        d.malformed("reason", "Say why.")
    return [e.ChangeWithdrawn(reason=d.command.reason)]


def _superseded(d: Decision) -> list[e.Event]:
    if d.state.status not in ("ISSUED", "BLOCKED"):
        d.against("NOT_OPEN", "Only an issued notice that has not taken effect is superseded.")
    return [e.ChangeSuperseded(number=d.command.number)]


HANDLERS: dict[str, Callable[[Decision], list[e.Event]]] = {
    "DraftChange": _draft,
    "EditChange": _edit,
    "SignChange": _sign,
    "ApproveChange": _approve,
    "IssueNotice": _issue,
    "RecordNotified": _notified,
    "RecordAcknowledged": _acknowledged,
    "TakeEffect": _take_effect,
    "RecordBlocked": _blocked,
    "WithdrawChange": _withdraw,
    "RecordSuperseded": _superseded,
}
assert set(HANDLERS) == set(c.COMMANDS)
