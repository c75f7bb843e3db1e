"""What passes through the one door: shapes only, no Django, no clock, no I/O.

Every stream kind (table, property, later device and notice) speaks in these. A decider gets a state, a command,
who asks (`By`) and the rules in force, and answers with events or with a `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec


class By(msgspec.Struct, frozen=True, kw_only=True):
    """Who stands behind a command. Built by the view, task or sweep; never by the decider.

    `role` is a neutral role key (see pit.rules.roles); `signed` says that this person gave the PIN for this very
    command; `second` is another person who gave theirs (the two-person rule), itself `signed`.
    """

    kind: Literal["person", "device", "system"] = "person"
    id: int | None = None
    name: str = ""
    role: str = ""
    badge: str = ""
    signed: bool = False
    second: By | None = None
    topics: frozenset[str] | None = None
    """Where this person may act ("pit:3"); None is the whole property."""
    property_id: int | None = None
    """The property this person belongs to; the door refuses a command to a stream of another. None is not asked."""


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal by a rule: a value, not an exception. `status` 403 rank, 422 malformed, 409 rule.

    `clause` is an id of the matrix ("NY-b-11-2"), "house" for a house setting or "pitstand" for the software's own
    conditions (stale view, replayed key). `next_step` is the next lawful step in the words of the place.
    `fields` names the fields of a malformed command. `also` holds the further reasons, in the same order.
    """

    code: str
    clause: str
    message: str
    next_step: str = ""
    status: Literal[403, 404, 409, 422] = 409
    cite: str = ""
    fields: Mapping[str, str] = {}
    also: tuple[Refused, ...] = ()


UNSIGNED = frozenset({"SIGNATURE_REQUIRED", "SECOND_PERSON_REQUIRED", "SAME_PERSON_TWICE"})
"""The codes with which a decider asks for a signature or for the second person. The same press given again with it is
the same press put right: such a refusal leaves the key free."""


def lacks_signature(refused: Refused) -> bool:
    """Whether a signature is all, or part, of what is missing."""
    return any(one.code in UNSIGNED for one in (refused, *refused.also))


def refusal(reasons: Sequence[Refused]) -> Refused:
    """All reasons as one: rank (403), then malformed (422), then rule (409); stable within each (design §3)."""
    order = {403: 0, 404: 0, 422: 1, 409: 2}
    first, *rest = sorted(reasons, key=lambda one: order[one.status])
    return msgspec.structs.replace(first, also=tuple(rest))


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a stream with what the Record says about it. `evolve` folds these.

    `at` is when it happened, `recorded_at` when it was written; both UTC. `round` is the round of play of that moment.
    """

    seq: int
    event: Any
    at: datetime
    recorded_at: datetime
    by: By
    round: int = 0
    clause: str = ""
    pack: str = ""


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A stored due time. One per (stream, kind); a kind may carry its object: "dice_over_24h:DS-7"."""

    kind: str
    due_at: datetime
    clause: str = ""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message that must reach somebody: an outbox row written in the command's transaction (design §7)."""

    notification: str
    """Class of notification: "unsuitable_card", "dice_over_24h" …"""
    to: tuple[str, ...]
    """Recipient groups by neutral role: "commission_staff", "surveillance" …"""
    subject: str
    body: str
    clause: str = ""


class StreamKind(msgspec.Struct, frozen=True, kw_only=True):
    """What an app registers so that the door can serve its streams; the kernel knows nothing else about them.

    Pure: decide, evolve, deadlines, messages. In the transaction: project. `commands` and `events` map the tag
    ("RecordSpread") to its struct. An event class with `counted = True` changes only the counter of rounds: it is
    folded and stored with the state, but no entry is written (design §3: a round is a counter, not an event).
    Its state then has a field `round: int`, and that field alone may change by a counted event: a replay sets it
    from the entries' `round`, and what else such an event changed would be lost (the door raises).
    `rules` gives something with `version: str` (kept as the entry's `pack`) and `house: Mapping` (`late_entry_minutes`).
    An older version of an event stands in `events` as "<name>.v<v>"; the newest has `v: ClassVar[int]` if not 1.
    """

    name: str
    state: type[Any]
    commands: Mapping[str, type[Any]]
    events: Mapping[str, type[Any]]
    initial: Callable[[], Any]
    decide: Callable[..., Sequence[Any] | Refused]
    """decide(state, command, *, by, rules, now) -> [event, …] | Refused; now is the moment the act took place."""
    evolve: Callable[[Any, Entry], Any]
    clause_of: Callable[[Any, Any, Any], str]
    """clause_of(command, event, rules) -> the clause under which this event stands."""
    rules: Callable[[Any, Any, datetime], Any]
    """rules(state, property_state, at) -> the rules in force for this stream at that moment."""
    due_command: Callable[[Any, Due], Any | None]
    """The command that says a passed deadline out loud, or None when there is nothing to say."""
    deadlines: Callable[[Any, Any], Sequence[Due]] = lambda state, rules: ()
    messages: Callable[[Any, Sequence[Entry], Any], Sequence[Message]] = lambda state, entries, rules: ()
    project: Callable[[str, Any, Sequence[Entry]], None] = lambda stream, state, entries: None
    """project(stream, state, entries): writes the rows that pages query; inside the transaction."""
    differs: Callable[[str, Any], str] = lambda stream, state: ""
    """differs(stream, state): what the projected rows have other than `state` says, in words, or "" (verify_record)."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the door says. `seq` is the stream's last change (not counting refusals); `again` marks a replayed key."""

    status: int
    seq: int
    state: Any
    refused: Refused | None = None
    events: tuple[Any, ...] = ()
    again: bool = False
