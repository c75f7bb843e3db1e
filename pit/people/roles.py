"""Who may do what, in one place: a role's rights, read by every check and proved by the matrix test.

Roles are neutral keys; the words of the place ("table games supervisor") come from the rule pack. What a rank may
order at a table is the pack's matter; here stands only who signs in, what he sees, and where he may act.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Where = Literal["none", "duty", "property"]


@dataclass(frozen=True, kw_only=True)
class Rights:
    """What a role may do. `sees`/`acts`: nowhere, in the pits of the duty section, or in the whole property."""

    word: str
    login: bool = True
    sees: Where = "property"
    acts: Where = "none"
    acknowledges: bool = False
    """May acknowledge notices and notifications addressed to the role."""
    settings: bool = False
    """May change house settings and readings (signed)."""
    people: bool = False
    """May change staff, pits and duty in the admin."""
    devices: bool = False
    """May set up devices and gateways."""
    ends_idle: bool = True
    """Whether an idle session ends soon: those who act, and not those who only watch."""


RIGHTS: dict[str, Rights] = {
    "dealer": Rights(word="Dealer", login=False, sees="none"),
    "stickperson": Rights(word="Stickperson", login=False, sees="none"),
    "boxperson": Rights(word="Boxperson", login=False, sees="none"),
    "floorperson": Rights(word="Floorperson", acts="duty", acknowledges=True),
    "pit_manager": Rights(word="Pit manager", acts="duty", acknowledges=True),
    "poker_shift_manager": Rights(word="Poker shift manager", acts="duty", acknowledges=True),
    "assistant_table_games_shift_manager": Rights(
        word="Assistant table games shift manager", acts="property", acknowledges=True
    ),
    "table_games_shift_manager": Rights(word="Table games shift manager", acts="property", acknowledges=True),
    "commission_staff": Rights(word="Onsite commission staff", acknowledges=True, ends_idle=False),
    "surveillance": Rights(word="Surveillance", acknowledges=True, ends_idle=False),
    "security": Rights(word="Security", login=False, sees="none"),
    "compliance": Rights(word="Compliance", acknowledges=True, settings=True),
    "technician": Rights(word="Technician", devices=True),
    "administrator": Rights(word="Administrator", settings=True, people=True, devices=True),
}

NOBODY = Rights(word="", login=False, sees="none")
ROLE_WORDS = {key: rights.word for key, rights in RIGHTS.items()}
LOGIN_ROLES = frozenset(key for key, rights in RIGHTS.items() if rights.login)


def rights_of(role: str) -> Rights:
    """The rights of a role; an unknown role has none."""
    return RIGHTS.get(role, NOBODY)
