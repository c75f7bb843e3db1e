"""A house with devices for tests, and the simulator as a real HTTP server in a thread of the test."""

from __future__ import annotations

import asyncio
import itertools
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

from devices import poll
from devices.gateways.http_json import Client
from devices.gateways.simulator.floor import BoxSpec, Floor, FloorSpec, MachineSpec
from devices.gateways.simulator.play import Play, Tempo
from devices.gateways.simulator.server import Server, serve
from devices.models import Device, Gateway
from pit.floor.imports import Result, import_floor
from pit.record import codec, door
from pit.record.contract import Answer, By
from pit.record.models import Event, Stream
from tables.domain import commands as c
from tables.domain.state import TableState
from tables.models import Table
from tests.browser.site import free_port
from tests.services import wait_until

NOON = datetime(2026, 3, 4, 17, tzinfo=UTC)
DEALER = By(id=901, name="Dana Dealer", role="dealer", badge="D1", signed=True)
FLOOR = By(id=902, name="Fay Floor", role="floorperson", badge="F1", signed=True, second=DEALER)
TOKEN = "a-token-of-the-pit"

HOUSE = """
[property]
key = "house"
name = "House"
jurisdiction = "{place}"
zone = "America/New_York"

[[pit]]
number = 1
name = "Pit 1"

{tables}
[[gateway]]
name = "GW-1"
url = "{url}/GW-1"
credential = "gw-1"

[[gateway]]
name = "GW-2"
url = "{url}/GW-2"

{devices}
"""
SHUFFLER_TABLE = """
[[table]]
pit = 1
number = "BJ-01"
game = "{game}"
seats = 7
decks = {decks}
rack_decks = {decks}
batches = [{{ id = "A", back = "red" }}, {{ id = "B", back = "blue" }}]
devices = [{{ id = "SH-1", kind = "shuffler" }}]
"""
DEVICES = """
[[device]]
id = "SH-1"
kind = "shuffler"
serial = "AS-SH-1"
maker = "Ashford"
model = "Twin 6"
approval_ref = "LAB 12"
gateway = "GW-1"
table = "BJ-01"

[[device]]
id = "CT-1"
kind = "counter"
serial = "NO-CT-1"
maker = "Northline"
model = "Shoe C"
approval_ref = "LAB 13"
gateway = "GW-2"
table = "BJ-01"
"""
SPEC = FloorSpec(
    boxes=[
        BoxSpec(
            name="GW-1",
            token=TOKEN,
            devices=[
                MachineSpec(
                    id="SH-1",
                    kind="shuffler",
                    maker="Ashford",
                    model="Twin 6",
                    table="BJ-01",
                    backs=["red", "blue"],
                    cards=312,
                )
            ],
        ),
        BoxSpec(
            name="GW-2",
            devices=[
                MachineSpec(id="CT-1", kind="counter", maker="Northline", model="Shoe C", table="BJ-01"),
            ],
        ),
    ]
)


class Moment:
    """The time that everybody in the test sees; stands still until it is moved."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **amount: float) -> datetime:
        self.at += timedelta(**amount)
        return self.at


@contextmanager
def simulator(
    spec: FloorSpec = SPEC,
    *,
    now: Callable[[], datetime],
    tempo: Tempo | None = None,
    tls: ssl.SSLContext | None = None,
) -> Iterator[Sim]:
    """The simulator on a port of its own, in a loop of its own, until the block is left. Nobody deals by himself."""
    floor = Floor(spec, now=now)
    play = Play(floor, seed=7, tempo=tempo or Tempo(), deals=lambda table: tempo is not None)
    server = Server(floor, play, control=True)
    port, running = free_port(), Running()

    async def run() -> None:
        running.loop, running.until = asyncio.get_running_loop(), asyncio.Event()
        running.up.set()
        await serve(server, host="127.0.0.1", port=port, tick_s=0.02, until=running.until, tls=tls)

    thread = Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    assert running.up.wait(10)
    sim = Sim(server, f"http://127.0.0.1:{port}", running.loop)
    sim.wait()
    try:
        yield sim
    finally:
        running.loop.call_soon_threadsafe(running.until.set)
        thread.join(timeout=10)


class Running:
    """The loop of the simulator's thread, and how to end it."""

    loop: asyncio.AbstractEventLoop
    until: asyncio.Event

    def __init__(self) -> None:
        self.up = threading.Event()


class Sim:
    """A handle on the simulator; what changes it runs in its own loop."""

    def __init__(self, server: Server, url: str, loop: asyncio.AbstractEventLoop) -> None:
        self.server, self.url, self._loop = server, url, loop

    def wait(self) -> None:
        wait_until(self._answers, "the simulator")

    def _answers(self) -> bool:
        host, port = self.url.removeprefix("http://").split(":")
        with socket.socket() as probe:
            return probe.connect_ex((host, int(port))) == 0

    def do(self, **told: Any) -> Any:
        """A control command, as over HTTP."""
        done: list[Any] = []
        future = asyncio.run_coroutine_threadsafe(self._do(told, done), self._loop)
        future.result(timeout=10)
        return done[0]

    async def _do(self, told: dict[str, Any], done: list[Any]) -> None:
        done.append(self.server._do(told))

    def put(self, device: str, code: str, **data: Any) -> None:
        self.do(do="put", device=device, code=code, **data)

    def script(self, number: str, device: str, moment: Moment, *, seconds: float = 60) -> None:
        """Plays an incident whole: the time goes on as far as it lasts."""
        self.do(do="script", number=number, device=device)
        moment.forward(seconds=seconds)
        wait_until(lambda: not self.server.play.coming, "the script")


class World:
    """The house, its simulator and its clock: what a test of the poll needs."""

    def __init__(self, sim: Sim, moment: Moment, secrets: Path) -> None:
        self.sim, self.moment, self.secrets = sim, moment, secrets
        self._numbers = itertools.count(1)

    def build(
        self,
        place: str = "ny",
        *,
        tables: str = SHUFFLER_TABLE.format(game="blackjack", decks=6),
        devices: str = DEVICES,
    ) -> World:
        text = HOUSE.format(place=place, url=self.sim.url, tables=tables, devices=devices)
        result: Result = import_floor(text, now=self.moment() - timedelta(hours=1))
        assert not result.problems, result.problems
        return self

    def tick(self, **forward: float) -> int:
        """One round of the poll, after so much time."""
        self.moment.forward(**(forward or {"seconds": 1.1}))
        ears = poll.Ears(Client(now=self.moment, secrets=self.secrets))
        try:
            return poll.tick(now=self.moment, ears=ears)
        finally:
            ears.close()

    def gateway(self, name: str = "GW-1") -> Gateway:
        return Gateway.objects.get(name=name)

    def device(self, key: str = "SH-1") -> Device:
        return Device.objects.get(key=key)

    @property
    def table(self) -> Table:
        return Table.objects.get(number="BJ-01")

    @property
    def state(self) -> TableState:
        text = Stream.objects.values_list("state", flat=True).get(name=self.table.stream)
        return codec.loads(text, TableState)

    def do(self, *commands: Any, by: By = FLOOR, stream: str = "") -> Answer:
        """Commands of people, one second apart; each must be taken."""
        answer = None
        for command in commands:
            self.moment.forward(seconds=1)
            answer = self.ask(command, by=by, stream=stream)
            assert answer.refused is None, f"{command}: {answer.refused}"
        assert answer is not None
        return answer

    def ask(self, command: Any, *, by: By = FLOOR, stream: str = "") -> Answer:
        key = f"test-{next(self._numbers)}"
        return door.submit(command, stream=stream or self.table.stream, by=by, key=key, now=self.moment())

    def in_play(self) -> World:
        """The table is open, prepared and in its first round."""
        self.do(c.ReceiveCards(set_id="CS-1"), c.InspectCards(), c.OpenTable())
        self.do(c.AttestThrough(to="READY", arrival_seat=3), c.AdvanceRounds())
        return self

    def holds(self) -> set[str]:
        return {one.kind for one in self.state.holds}

    def events(self, kind: str, stream: str = "") -> list[Event]:
        return list(Event.objects.filter(stream=stream or self.table.stream, kind=kind).order_by("seq"))
