"""The ladder of roles (requirements §1): who may order what. Neutral keys; the words of the place come from the pack."""

from __future__ import annotations

LADDER: tuple[tuple[str, ...], ...] = (
    ("dealer", "stickperson", "boxperson"),
    ("floorperson", "table_games_supervisor"),
    ("pit_manager", "poker_shift_manager"),
    ("assistant_table_games_shift_manager",),
    ("table_games_shift_manager",),
)
"""Lowest first. Floorperson and table games supervisor are one rank (A-33); a boxperson stands below it."""

RANK: dict[str, int] = {role: rank for rank, roles in enumerate(LADDER, start=1) for role in roles}

OUTSIDE: frozenset[str] = frozenset(
    {
        "commission_staff",
        "surveillance",
        "security",
        "compliance",
        "technician",
        "administrator",
        "device",
        "system",
    }
)
"""Outside the ladder: they order nothing at a table."""


def rank(role: str) -> int:
    """Rung of the ladder, 1 the lowest; 0 for everyone outside it and for a role that nobody knows."""
    return RANK.get(role, 0)


def at_least(role: str, needed: str) -> bool:
    """True when `role` holds at least the power of `needed`; a superior holds what an inferior may (A-33)."""
    return rank(role) >= RANK[needed]
