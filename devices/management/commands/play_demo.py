"""manage.py play_demo: the simulator with the demo's floor. Its dealers look at the board and deal where it allows that."""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
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
from tables.domain.stages import SHUFFLE_DUE, SHUFFLED

LOOKS_EVERY_S = 4.0
HANDS_AFTER = timedelta(minutes=4)
"""So long a shuffle waits for somebody who tries the demo before the demo's own staff does it."""
WAITS = (SHUFFLE_DUE, SHUFFLED)
COUNTER = By(kind="device", role="device", name="demo")


class Command(BaseCommand):
    """Runs until it is stopped."""

    help = "Plays the demo's floor: rounds, shuffles, and a fault now and then."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="where it is to answer: http://127.0.0.1:8141")
        parser.add_argument("--seed", type=int, default=7)
        parser.add_argument(
            "--fault-every", type=float, default=300.0, help="seconds between two faults on the floor"
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
        if options["control"]:
            (Path(settings.DATA_DIR) / "simulator").write_text(options["url"])
        server = Server(floor, play, control=options["control"])
        asyncio.run(_run(server, dealing, host=where.hostname, port=where.port))


async def _run(server: Server, dealing: set[str], *, host: str, port: int) -> None:
    until = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, until.set)
    looking = asyncio.create_task(_look(server, dealing))
    await serve(server, host=host, port=port, until=until, tick_s=0.5)
    looking.cancel()


async def _look(server: Server, dealing: set[str]) -> None:
    """Dealers look at the board: where dealing is not lawful now nobody deals, and what is out of order is off."""
    play = server.play
    assert play is not None
    while True:
        board = await sync_to_async(_board)(dict(play.cover_out))
        dealing.clear()
        dealing.update(board.lawful)
        for _, machine in server.floor.machines():
            if (machine.spec.table, machine.spec.id) in board.out_of_order:
                machine.state = "off"
            elif machine.state == "off":
                machine.state = "ready"
        await asyncio.sleep(LOOKS_EVERY_S)


class Board(NamedTuple):
    """What a dealer sees: tables that may deal, devices that are out of order, as (table, device)."""

    lawful: set[str]
    out_of_order: set[tuple[str, str]]


def _board(cover_out: Mapping[str, datetime]) -> Board:
    close_old_connections()
    now, board = clock.now(), Board(set(), set())
    for look in selectors.looks(demo.tables(), now=now):
        board.out_of_order.update((look.stream, one.id) for one in look.state.devices if one.failed)
        if _may_deal(look, now):
            board.lawful.add(look.stream)
        elif look.state.stage in WAITS and now - cover_out.get(look.stream, now) > HANDS_AFTER:
            demo.shuffle_by_hand(look.stream, topic=look.topic, now=now)
    return board


def _may_deal(look: selectors.Look, now: datetime) -> bool:
    state = look.state
    if not state.players and state.config and state.config.deal_mode:
        return False
    decide = registry.must("table").decide
    return not isinstance(
        decide(state, AdvanceRounds(count=1), by=COUNTER, rules=look.rules, now=now), Refused
    )
