"""Button and delivery of a round at this table, told by the calculators of `button`."""

from __future__ import annotations

from collections.abc import Sequence

from pit.rules.model import Rules
from tables.domain import button, parameters
from tables.domain.ring import Place
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
