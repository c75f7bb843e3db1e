"""The property's way through the one door."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from pit.floor.domain.state import PropertyRules, PropertyState
from pit.floor.kind import rules
from pit.floor.models import Property
from pit.record import codec, door, streams
from pit.record.contract import Answer, By, Refused
from pit.record.models import Stream

IMPORT = By(kind="system", name="import_floor")
"""Who stands behind what a floor file sets up."""


def state(property: Property) -> PropertyState:
    """What the property's stream says; the initial state when there is none yet."""
    text = Stream.objects.filter(name=property.stream).values_list("state", flat=True).first()
    return codec.loads(text, PropertyState) if text else PropertyState()


def rules_for(property: Property, *, now: datetime) -> PropertyRules:
    """The settings and readings that there are at this property, and those in force."""
    held = state(property)
    return rules(held, held, now)


def ask(
    property: Property,
    command: Any,
    *,
    now: datetime,
    by: By = IMPORT,
    key: str = "",
    wrong: Sequence[Refused] = (),
) -> Answer:
    """One command to the property's stream, which is opened with its first. `wrong`: what the edge found against it."""
    streams.create(property.stream, property_id=property.pk, topic=property.stream, by=by, now=now)
    return door.submit(command, stream=property.stream, by=by, key=key or uuid4().hex, now=now, wrong=wrong)
