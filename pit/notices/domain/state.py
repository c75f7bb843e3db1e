"""What is known of one change: what it changes, who signed it, who was told when, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import msgspec

Status = Literal[
    "", "DRAFT", "SIGNED", "APPROVED", "ISSUED", "EFFECTIVE", "BLOCKED", "WITHDRAWN", "SUPERSEDED"
]
OPEN = frozenset({"DRAFT", "SIGNED", "APPROVED", "ISSUED", "BLOCKED"})
"""A change that may still take effect, or waits for somebody's decision."""
BEFORE_ISSUE = frozenset({"DRAFT", "SIGNED", "APPROVED"})
COMMISSION, SURVEILLANCE = "commission_staff", "surveillance"
RECIPIENTS = (COMMISSION, SURVEILLANCE)
"""Who is told before: by (t) both, each of its own."""


class Matter(msgspec.Struct, frozen=True, kw_only=True):
    """What is changed: `item` of the matter `matter`, from `was` to `now`, at these tables (streams, and their numbers)."""

    matter: str
    item: str
    was: str
    now: str
    tables: tuple[str, ...]
    numbers: tuple[str, ...]
    effective_at: datetime
    reason: str


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """Who signed, with the PIN, and when."""

    id: int | None
    name: str
    role: str
    at: datetime


class ChangeState(msgspec.Struct, frozen=True, kw_only=True):
    """One change. `told` and `acknowledged` by recipient group; the first time stands."""

    status: Status = ""
    matter: Matter | None = None
    version: int = 0
    drafted_by: str = ""
    author: Signature | None = None
    approver: Signature | None = None
    supersedes: str = ""
    number: str = ""
    issued_at: datetime | None = None
    told: Mapping[str, datetime] = {}
    acknowledged: Mapping[str, datetime] = {}
    in_force_since: datetime | None = None
    late: bool = False
    why: str = ""
    """Why it was withdrawn, superseded or could not take effect."""


class NoticeRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules for changes at this property: `clause` is the text's own, or "house" where a house setting asks for it."""

    version: str
    house: Mapping[str, object]
    clause: str
    cite: str
    required: bool = True
    zone: str = "UTC"
    words: Mapping[str, str] = {}

    def lead_minutes(self, matter: str) -> int:
        """House lead time between notice and effect; no text gives one."""
        found = self.house.get(f"notice_lead_{matter}_minutes", 0)
        return found if isinstance(found, int) else 0

    def word(self, role: str) -> str:
        """The place's own word for a role."""
        return self.words.get(role, role.replace("_", " "))
