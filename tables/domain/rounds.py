"""Button and delivery of a round at this table, told by the calculators of `button`."""

from __future__ import annotations

from collections.abc import Sequence

from pit.rules.model import Rules
from tables.domain import button, parameters
from tables.domain.ring import Place
from tables.domain.round_facts import RoundFacts
from tables.domain.state import TableState


def has_button(state: TableState, rules: Rules) -> bool:
    """NJ (b): the procedure binds where stacks come from an automated dealing shoe."""
    return (
        rules.governed
        and state.config is not None
        and state.config.deal_mode == "stacks"
        and parameters.count_every(rules) is not None
    )


def button_and_delivery(
    state: TableState, rules: Rules, antes: Sequence[int] | None
) -> tuple[Place, tuple[Place, ...]]:
    """Where the button stands in the next round, and the places in the order in which the stacks go out.

    `antes` None: everybody who sits has placed one.
    """
    occupied = [one.seat for one in state.players]
    place = (
        button.first_button() if state.button is None else button.next_button(state.button, occupied=occupied)
    )
    wagering = occupied if antes is None else [one for one in antes if one in occupied]
    return place, button.delivery_order(place, wagering=wagering, first_stack=parameters.first_stack(rules))


def by_steps(state: TableState, rules: Rules) -> bool:
    """This table's rounds are recorded step by step: as its set-up says, else as the house does."""
    told = state.config.rounds_by if state.config else ""
    return (told or rules.house.get("rounds_recorded_by")) == "steps"


def facts_now(state: TableState) -> RoundFacts:
    """What is recorded of the round that is open or about to open; nothing of an older one."""
    return state.facts if state.facts.number == state.round else RoundFacts(number=state.round)
