"""`python -m devices.gateways.simulator FLOOR.json --port 8141`: the simulator as a process of its own.

Prints one line once it answers. `FLOOR.json` is a `floor.FloorSpec`; without one there are two boxes to try things with.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path

import msgspec

from devices.gateways.simulator.floor import BoxSpec, Floor, FloorSpec, MachineSpec
from devices.gateways.simulator.play import Play, Tempo
from devices.gateways.simulator.server import Server, serve
from pit.web import clock


def main(arguments: list[str]) -> int:
    given = _parser().parse_args(arguments)
    spec = (
        msgspec.json.decode(Path(given.floor).read_bytes(), type=FloorSpec) if given.floor else small_floor()
    )
    floor = Floor(spec, now=clock.now)
    tempo = Tempo(round_s=tuple(given.round_seconds), fault_every_s=given.fault_every)
    play = Play(floor, seed=given.seed, tempo=tempo, deals=lambda table: not given.quiet)
    try:
        asyncio.run(_run(Server(floor, play, control=given.control), host=given.host, port=given.port))
    except KeyboardInterrupt:
        return 0
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="devices.gateways.simulator", description="A floor of simulated gateways"
    )
    parser.add_argument("floor", nargs="?", help="a floor as JSON")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8141)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--round-seconds", type=float, nargs=2, default=(20.0, 60.0), metavar=("FROM", "TO"))
    parser.add_argument(
        "--fault-every", type=float, default=0.0, help="seconds between two faults by chance; 0: none"
    )
    parser.add_argument("--quiet", action="store_true", help="nobody deals: only what is put happens")
    parser.add_argument("--control", action="store_true", help="offer POST /control (for trials and tests)")
    return parser


async def _run(server: Server, *, host: str, port: int) -> None:
    until = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, until.set)
    sys.stdout.write(f"simulator on http://{host}:{port}\n")
    sys.stdout.flush()
    await serve(server, host=host, port=port, until=until)


def small_floor() -> FloorSpec:
    """Two boxes: a shuffler and a counting shoe at one table, a dealing shoe at another."""
    shuffler = MachineSpec(
        id="SH-1",
        kind="shuffler",
        maker="Ashford",
        model="Twin 6",
        table="BJ-01",
        backs=["red", "blue"],
        cards=312,
    )
    counter = MachineSpec(id="CT-1", kind="counter", maker="Northline", model="Shoe C", table="BJ-01")
    shoe = MachineSpec(id="DS-1", kind="dealing_shoe", maker="Northline", model="Deal 3", table="WPP-05")
    return FloorSpec(
        boxes=[BoxSpec(name="GW-1", devices=[shuffler, counter]), BoxSpec(name="GW-2", devices=[shoe])]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
