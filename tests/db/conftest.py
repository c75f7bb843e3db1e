"""What the tests of the Record share: a registered lamp, its stream, and short ways to press."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from pit.record import registry
from pit.record.contract import Answer, StreamKind
from pit.record.door import submit
from pit.record.streams import create
from tests.db import lamp

NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)


@pytest.fixture
def lamps() -> Iterator[StreamKind]:
    """The kind "lamp", registered for this test."""
    kind = lamp.kind()
    registry.register(kind)
    yield kind
    registry.unregister("lamp")


def other_lamps(**changes: Any) -> None:
    """Serves lamps by a kind in which these fields are others, until the test ends."""
    registry.unregister("lamp")
    registry.register(lamp.kind(**changes))


@pytest.fixture
def light(lamps: StreamKind) -> str:
    """A lamp's stream in pit 1 of property 1. For tests marked with django_db."""
    create("lamp:1", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)
    return "lamp:1"


@pytest.fixture
def press(light: str) -> Callable[..., Answer]:
    """`press(command)`: to lamp:1 by the floorperson at NOW with a fresh key, unless told otherwise."""
    numbers = count(1)

    def pressed(command: Any, **told: Any) -> Answer:
        given = {"stream": light, "by": lamp.FLOOR, "key": f"press-{next(numbers)}", "now": NOW}
        return submit(command, **given | told)

    return pressed


@pytest.fixture
def heard(lamps: StreamKind) -> Iterator[list[registry.Change]]:
    """Every change announced after a commit during the test."""
    changes: list[registry.Change] = []

    def hear(announced: Any) -> None:
        changes.extend(announced)

    registry.after_commit(hear)
    yield changes
    registry.forget(hear)
