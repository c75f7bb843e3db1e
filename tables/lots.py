"""What the edge knows about a card set or dice that comes to a table: whether the house has registered the lot, and since
when its clock runs at another table (K11, A-18). The decider sees no database, so these are facts of the command; a
person cannot type them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pit.floor.models import Article
from pit.record.codec import loads
from pit.record.models import Stream
from tables.domain.state import TableState
from tables.models import Table

KINDS: Mapping[str, str] = {"ReceiveCards": "card_set", "ReplaceDeck": "card_set", "PlaceDice": "dice"}
TOLD = ("registered", "first_placed_at")


def with_facts(command: str, fields: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """The fields of the press, with what the house knows in place of what anybody may have typed."""
    kind, number = KINDS.get(command), fields.get("set_id")
    if kind is None:
        return dict(fields)
    told = {name: value for name, value in fields.items() if name not in TOLD}
    if not isinstance(number, str) or not number:
        return told
    told |= {"registered": registered(table, kind, number)}
    if kind == "dice":
        told |= {"first_placed_at": placed_elsewhere(table, number)}
    return {name: value for name, value in told.items() if value is not None}


def registered(table: Table, kind: str, number: str) -> bool | None:
    """Whether the house has this lot; None where it keeps no register of such articles."""
    articles = Article.objects.filter(property_id=table.property_id, kind=kind)
    if not articles.exists():
        return None
    return articles.filter(number=number).exists()


def placed_elsewhere(table: Table, number: str) -> datetime | None:
    """Since when the clock of this set runs that another table has, or had last; None when it was at none."""
    rows = Stream.objects.filter(
        property_id=table.property_id, kind="table", state__contains=f'"{number}"'
    ).exclude(name=table.stream)
    found = [
        one.placed_at
        for text in rows.values_list("state", flat=True)
        for state in [loads(text, TableState)]
        for one in (*state.dice, *state.dice_gone)
        if one.id == number
    ]
    return max(found, default=None)
