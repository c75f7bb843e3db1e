"""From the rules in force to what the calculators take: the one place where names of a pack's parameters are read.

Both the decider and the conformance run ask here, so that neither can calculate with figures of its own.
"""

from __future__ import annotations

from typing import Any

from pit.rules.model import HOUSE, Rules
from tables.domain.button import FirstStack
from tables.domain.cut import CutRule
from tables.domain.depth import CoverRule
from tables.domain.position import RngRange


def cut_rule(rules: Rules) -> CutRule | None:
    """How the cut is offered; None where the text does not deal with cutting."""
    clauses = rules.param("cut_clauses")
    if not clauses:
        return None
    unstated = rules.param("rotation_unstated") or ()
    rotates = rules.reading("A-03") in (None, "rotate")
    return CutRule(
        step=rules.param("rotation_step"),
        clauses=clauses,
        rotates=dict.fromkeys(unstated, rotates),
        departed="far_right" if rules.reading("A-04") == "far_right" else "next_in_rotation",
    )


def min_cut(rules: Rules) -> int | None:
    """Cards that a cut leaves at either end; None where the text gives none."""
    return _whole(rules.param("min_cut"))


def least_cut(rules: Rules) -> int | None:
    """The text's least depth where it governs the game, else the house's own."""
    if rules.governed and min_cut(rules) is not None:
        return min_cut(rules)
    return max(1, _whole(rules.house.get("cut_least")) or 1)


def dealer_min_from_top(rules: Rules) -> int | None:
    """Cards that the dealer's one-handed cut takes off the top; None where the dealer cuts like a player."""
    return _whole(rules.param("dealer_min_from_top"))


def cover_rule(rules: Rules) -> CoverRule | None:
    """What must lie behind the dealer's cover card: one deck or a quarter."""
    rule = rules.param("shoe_cover_rule")
    return rule if rule in ("one_deck", "quarter") else None


def count_every(rules: Rules) -> int | None:
    """Rounds that may pass without a verified count; None where no count is asked for."""
    return _whole(rules.param("count_every_rounds"))


def first_stack(rules: Rules) -> FirstStack:
    """A-16."""
    return "far_left" if rules.reading("A-16") == "far_left" else "button"


def rng_range(rules: Rules) -> RngRange:
    """A-12."""
    return "positions" if rules.reading("A-12") == "positions" else "positions_and_dealer"


def dice_clause(rules: Rules, *, in_shaker: bool) -> str:
    """Under what the hours of dice run: the text's clause for a shaker's dice, else a house setting (A-50)."""
    governed = in_shaker and rules.param("dice_hours") is not None
    return rules.under(rules.command("RemoveDice").clause) if governed else HOUSE


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None
