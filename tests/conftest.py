"""Fixtures that every kind of test may use."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import hypothesis
import pytest
import time_machine
from django.db import connection

from tests import flushing
from tests.services import Valkey, running_valkey

flushing.allow()
# How long an example takes tells of the machine's load, not of the rule.
hypothesis.settings.register_profile(
    "pitstand", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("pitstand")


class Clock:
    """The time that the site sees. Stands still until it is moved."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self._traveller = traveller

    def now(self) -> datetime:
        return datetime.now(UTC)

    def to(self, instant: datetime) -> datetime:
        self._traveller.move_to(instant)
        return self.now()

    def forward(self, **amount: float) -> datetime:
        """`clock.forward(minutes=5)`; gives the new time."""
        return self.to(self.now() + timedelta(**amount))


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that stands at 18:00 UTC on 4 March 2026 (13:00 in New York) until the test moves it."""
    with time_machine.travel(datetime(2026, 3, 4, 18, tzinfo=UTC), tick=False) as traveller:
        yield Clock(traveller)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The test database, given up by everybody before it is dropped.

    Threads that asynchronous tests leave behind keep a session each, and PostgreSQL drops no database in use.
    """
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[Valkey]:
    """One real Valkey for the whole run."""
    with running_valkey() as server:
        yield server


@pytest.fixture
def valkey(valkey_server: Valkey, settings) -> Iterator[Valkey]:
    """A real, empty Valkey which the settings of this test and child processes speak to."""
    if valkey_server.process is None:
        valkey_server.start()
    import redis

    with redis.Redis.from_url(valkey_server.url) as client:
        client.flushall()
    settings.REDIS_URL = valkey_server.url
    return valkey_server


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the data folder that tests.settings made for this run; a worker of xdist leaves it to the others."""
    if hasattr(config, "workerinput"):
        return
    if folder := os.environ.pop("PITSTAND_TEST_DATA", None):
        shutil.rmtree(folder, ignore_errors=True)
