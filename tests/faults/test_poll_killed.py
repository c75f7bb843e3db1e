"""A worker killed at any moment neither loses nor doubles what a device told. Real Celery, real Valkey, real HTTP."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from kombu import Connection

from devices.models import Gateway, JournalEntry
from devices.tasks import poll as poll_task
from pit.record.verify import verify
from pit.web import clock
from tests.faults.processes import children
from tests.gateways import TOKEN, World, simulator
from tests.services import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]

KILLS = int(os.environ.get("PITSTAND_KILLS", "4"))
"""`make faults` asks for more."""
CHILD = Path(__file__).with_name("polling_worker.py")


class Worker:
    """A Celery worker with its pool, and ways to end it."""

    def __init__(self, secrets: Path, redis: str) -> None:
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "REDIS_URL": redis,
            "PITSTAND_GATEWAY_SECRETS": str(secrets),
            "PYTHONWARNINGS": "ignore",
        }
        self.log = secrets / "worker.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, str(CHILD), str(connection.settings_dict["NAME"])]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        wait_until(lambda: len(self.pool()) >= 2, "the worker's pool", seconds=60)

    def tick(self) -> None:
        """What beat does every second."""
        with Connection(self.environment["REDIS_URL"].replace("unix://", "redis+socket://")) as broker:
            poll_task.apply_async(connection=broker, expires=2)

    def pool(self) -> list[int]:
        assert self.process is not None
        return list(children(self.process.pid))

    def kill(self, *, whole: bool) -> None:
        """SIGKILL: to one process of the pool, or to all of the worker, which then starts again."""
        assert self.process is not None
        if not whole:
            os.kill(random.choice(self.pool()), signal.SIGKILL)
            return
        self.stop()
        self.start()

    def stop(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "gw-1.token").write_text(TOKEN)
    with simulator(now=clock.now) as sim:
        built = World(sim, Now(), tmp_path).build().in_play()
        Gateway.objects.update(interval_ms=200)
        yield built


class Now:
    """The real time, where a test otherwise moves its own."""

    def __call__(self):
        return clock.now()

    def forward(self, **amount: float) -> None:
        time.sleep(0.001)


@pytest.fixture
def worker(world: World, valkey) -> Iterator[Worker]:
    found = Worker(world.secrets, valkey.url)
    found.start()
    yield found
    found.stop()


def test_a_worker_killed_again_and_again_loses_and_doubles_nothing(world, worker):
    before, put = world.state.round, 0
    chance = random.Random(11)
    for nth in range(KILLS):
        until = time.monotonic() + chance.uniform(0.3, 1.2)
        while time.monotonic() < until:
            world.sim.put("CT-1", "ROUND_DEALT", count=1)
            put += 1
            worker.tick()
            time.sleep(chance.uniform(0.02, 0.08))
        worker.kill(whole=nth == KILLS - 1)

    def all_heard() -> bool:
        worker.tick()
        time.sleep(0.2)
        return JournalEntry.objects.count() >= put

    wait_until(all_heard, f"{put} entries ({worker.log.read_text()[-800:]})", seconds=60)
    assert world.state.round == before + put
    assert sorted(JournalEntry.objects.values_list("number", flat=True)) == list(range(1, put + 1))
    assert set(JournalEntry.objects.values_list("outcome", flat=True)) == {"applied"}
    assert list(verify()) == []
