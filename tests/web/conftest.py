"""A small house with one table, and who looks at it."""

import pytest

from tests.people import make_property, make_staff
from tests.pit import make_table


@pytest.fixture
def place(db, clock):
    return make_property()


@pytest.fixture
def table(place):
    return make_table(place)


@pytest.fixture
def floorperson(place):
    return make_staff(place, "floorperson", pits=(1,))


@pytest.fixture
def signed_in(client, floorperson):
    """The floorperson's tablet."""
    client.force_login(floorperson)
    return client
