"""The lamp as a stream kind with a tile, and the live layer of this test's loop."""

from collections.abc import AsyncIterator, Iterator

import pytest
from channels.db import aclose_old_connections

from pit.live import process, registry
from pit.live import store as storing
from pit.live.store import store
from pit.record import registry as record
from tests.db import lamp
from tests.live.house import House, draw
from tests.people import make_property, make_staff


@pytest.fixture
def lamps() -> Iterator[None]:
    kind = lamp.kind()
    record.register(kind)
    registry.register_tile("lamp", draw)
    yield
    record.unregister("lamp")
    registry.forget_tile("lamp")


@pytest.fixture
def house(transactional_db, lamps, valkey) -> Iterator[House]:
    """A property with two pits and a real Valkey; commits are real."""
    yield House(make_property())
    store().close()
    storing._store.cache_clear()  # a breaker that this test has opened


@pytest.fixture
def floorperson(house):
    return make_staff(house.place, "floorperson", pits=(1,))


@pytest.fixture
async def live(house) -> AsyncIterator[process.Live]:
    """The live layer of this loop, with its subscription up."""
    yield await up()
    await process.stop()
    await aclose_old_connections()


@pytest.fixture
async def tidy(house) -> AsyncIterator[None]:
    """Gives back the connection of the thread that asynchronous tests reach the database with."""
    yield
    await aclose_old_connections()


async def up() -> process.Live:
    import asyncio

    found = process.live()
    async with asyncio.timeout(10):
        while not found.subscription.alive:
            await asyncio.sleep(0.01)
    return found
