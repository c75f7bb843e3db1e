"""manage.py play_demo: the simulator with the demo's floor. Its dealers look at the board and deal where it allows that."""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand
from django.db import close_old_connections

from devices import demo
from devices.gateways.simulator.floor import Floor
from devices.gateways.simulator.play import Play, Tempo
from devices.gateways.simulator.server import Server, serve
from pit.record import registry, selectors
from pit.record.contract import By, Refused
from pit.web import clock
from tables.domain.commands import AdvanceRounds

LOOKS_EVERY_S = 4.0
COUNTER = By(kind="device", role="device", name="demo")


class Command(BaseCommand):
    """Runs until it is stopped."""

    help = "Plays the demo's floor: rounds, shuffles, and a fault now and then."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="where it is to answer: http://127.0.0.1:8141")
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument(
            "--fault-every", type=float, default=150.0, help="seconds between two faults on the floor"
        )
        parser.add_argument("--still", action="store_true", help="nobody deals and nothing breaks by itself")
        parser.add_argument("--control", action="store_true", help="offer POST /control")

    def handle(self, *args: Any, **options: Any) -> None:
        floor = Floor(demo.floor(now=clock.now()), now=clock.now)
        dealing: set[str] = set()
        still: bool = options["still"]
        tempo = Tempo(fault_every_s=0 if still else options["fault_every"])
        deals = (lambda table: False) if still else dealing.__contains__
        play = Play(floor, seed=options["seed"], tempo=tempo, deals=deals)
        where = urlsplit(options["url"])
        assert where.hostname is not None
        assert where.port is not None
        server = Server(floor, play, control=options["control"])
        asyncio.run(_run(server, dealing, host=where.hostname, port=where.port))


async def _run(server: Server, dealing: set[str], *, host: str, port: int) -> None:
    until = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, until.set)
    looking = asyncio.create_task(_look(dealing))
    await serve(server, host=host, port=port, until=until, tick_s=0.5)
    looking.cancel()


async def _look(dealing: set[str]) -> None:
    """Dealers look at the board: where it says that dealing is not lawful now, nobody deals."""
    while True:
        now = await sync_to_async(_lawful)()
        dealing.clear()
        dealing.update(now)
        await asyncio.sleep(LOOKS_EVERY_S)


def _lawful() -> set[str]:
    close_old_connections()
    now, decide = clock.now(), registry.must("table").decide
    return {
        look.stream
        for look in selectors.looks(demo.tables(), now=now)
        if look.state.players or not (look.state.config and look.state.config.deal_mode)
        if not isinstance(
            decide(look.state, AdvanceRounds(count=1), by=COUNTER, rules=look.rules, now=now), Refused
        )
    }
