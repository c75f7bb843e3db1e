"""The demo as its own process, exactly as `make demo` starts it, on a free port and a folder of its own."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.architecture.tree import ROOT
from tests.faults.processes import children
from tests.services import wait_until

NAMES = {
    "web": "uvicorn",
    "worker": "celery --app pit.celery worker",
    "beat": "celery --app pit.celery beat",
    "valkey": "valkey",
    "simulator": "play_demo",
}
"""What the command line of each child holds."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Site:
    """A running demo. `printed` is what a person at the terminal would see."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def printed(self) -> str:
        return (self.data.parent / f"{self.data.name}.out").read_text()

    def start(self) -> None:
        out = (self.data.parent / f"{self.data.name}.out").open("wb")
        command = [
            sys.executable,
            "-m",
            "deploy.demo",
            "--still",
            "--port",
            str(self.port),
            "--data",
            str(self.data),
        ]
        outside = {
            key: value for key, value in os.environ.items() if not key.startswith(("PITSTAND_", "DJANGO_"))
        }
        outside = {key: value for key, value in outside.items() if key not in ("DATABASE_URL", "REDIS_URL")}
        with out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=outside, stdout=out, stderr=subprocess.STDOUT
            )
        wait_until(lambda: self._up() or self._gone(), "The site", seconds=240)
        assert not self._gone(), self.printed
        with urllib.request.urlopen(f"{self.url}/accounts/login/", timeout=30) as page:
            assert page.status == 200  # otherwise every test would wait for it in vain

    def stop(self, *, sign: int = signal.SIGTERM) -> int:
        """Asks it to stop; gives its exit code."""
        assert self.process is not None
        self.process.send_signal(sign)
        return self.process.wait(timeout=30)

    def child(self, name: str) -> int:
        """Process id of one of its children, once that runs."""
        assert self.process is not None
        pid = self.process.pid
        wait_until(lambda: any(NAMES[name] in line for line in children(pid).values()), name)
        return next(child for child, line in children(pid).items() if NAMES[name] in line)

    def kill(self, name: str) -> None:
        """Ends a child at once; the supervisor brings it back."""
        os.kill(self.child(name), signal.SIGKILL)

    def freeze(self, name: str) -> None:
        """Stops a child without ending it, as a network that swallows everything."""
        os.kill(self.child(name), signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        os.kill(self.child(name), signal.SIGCONT)

    def wait_for_answer(self) -> None:
        def answers() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        wait_until(answers, "The site", seconds=30)

    def _up(self) -> bool:
        return f"Pitstand is at {self.url}" in self.printed

    def _gone(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None
