"""A small supervisor: starts processes, restarts those that die, and leaves none behind.

Every child leads a process group of its own, so that what a child starts is stopped with it. On Linux a child dies
with the supervisor even when that is killed, and orphans come back to it.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FIRST_PAUSE, LONGEST_PAUSE, STEADY_AFTER = 0.5, 15.0, 30.0
"""Seconds before the first restart, at most, and after which a child counts as steady again."""
GRACE = 6.0
"""Seconds that children have to stop by themselves."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ROOT = Path(__file__).resolve().parent.parent
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class Stopped(Exception):
    """Somebody asked for an end (Ctrl-C, SIGTERM)."""


class Failed(Exception):
    """A step that must succeed did not; the text says what and where to look."""


@dataclass
class Child:
    """A process to keep alive. Its output is appended to `log`."""

    name: str
    command: Sequence[str]
    log: Path
    once: bool = False
    """A step that runs to its end and is not started again."""
    service: bool = False
    """What the others need: stopped after them."""
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    pause: float = FIRST_PAUSE
    due_at: float = 0.0

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Holds the children. `stop()` must be called at the end, whatever happened."""

    def __init__(self, *, environment: Mapping[str, str], say: Callable[[str], None] = print) -> None:
        self.environment = dict(environment)
        self.children: list[Child] = []
        self.say = say
        self.asked_to_stop = False
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, self._on_signal)
        if LIBC is not None:
            LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def run(self, name: str, command: Sequence[str], *, log: Path) -> None:
        """Runs a step to its end; raises Failed when it does not succeed."""
        step = Child(name, command, log, once=True)
        self.children.append(step)
        self._start(step)
        self.wait_for(lambda: not step.runs, what=name, seconds=600)
        self.children.remove(step)
        assert step.process is not None
        if step.process.returncode:
            raise Failed(f"{name} failed:\n{tail(log)}\n(all of it: {log})")

    def keep(self, name: str, command: Sequence[str], *, log: Path, service: bool = False) -> Child:
        """Starts a child that is to stay."""
        child = Child(name, command, log, service=service)
        self.children.append(child)
        self._start(child)
        return child

    def wait_for(self, holds: Callable[[], bool], *, what: str, seconds: float) -> None:
        """Tends the children until `holds()`; raises Stopped or, after `seconds`, Failed."""
        until = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > until:
                raise Failed(f"{what} did not come within {seconds:.0f} s")
            self.tend()
            time.sleep(0.05)

    def tend_for_ever(self) -> None:
        while True:
            self.tend()
            time.sleep(0.2)

    def tend(self) -> None:
        """One look at every kept child; raises Stopped when somebody asked for an end."""
        if self.asked_to_stop:
            raise Stopped
        for child in (each for each in self.children if not each.once):
            if child.process is not None and not child.runs:
                self._ended(child)
            elif child.process is None and time.monotonic() >= child.due_at:
                self._start(child)
        reap_strangers(self.children)

    def stop(self) -> None:
        """Ends every child and all that they started, services last; kills what does not leave in time."""
        for service in (False, True):
            end([child for child in self.children if child.service is service])
        kill_orphans()

    def _start(self, child: Child) -> None:
        with child.log.open("ab") as log:
            child.process = subprocess.Popen(
                child.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.environment,
                cwd=ROOT,
                start_new_session=True,
                preexec_fn=die_with_parent if LIBC is not None else None,
            )
        child.started_at = time.monotonic()

    def _ended(self, child: Child) -> None:
        """Notes the end of a kept child and when it is to come back."""
        assert child.process is not None
        if time.monotonic() - child.started_at > STEADY_AFTER:
            child.pause = FIRST_PAUSE
        signal_group(child, signal.SIGKILL)
        code, child.process = child.process.returncode, None
        child.due_at = time.monotonic() + child.pause
        self.say(
            f"{child.name} ended ({code}); back in {child.pause:g} s. Its last lines:\n{tail(child.log)}"
        )
        child.pause = min(child.pause * 2, LONGEST_PAUSE)

    def _on_signal(self, _number: int, _frame: object) -> None:
        self.asked_to_stop = True


def die_with_parent() -> None:
    """Between fork and exec: the kernel ends this child when the supervisor is gone."""
    assert LIBC is not None
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def end(children: Sequence[Child]) -> None:
    """Asks the children to stop and kills their groups once they have gone or their time is up."""
    for child in children:
        signal_group(child, signal.SIGTERM)
    until = time.monotonic() + GRACE
    while any(child.runs for child in children) and time.monotonic() < until:
        time.sleep(0.05)
    for child in children:
        signal_group(child, signal.SIGKILL)
        if child.process is not None:
            child.process.wait()


def signal_group(child: Child, number: int) -> None:
    """To the child and all that it started; quietly when they are gone."""
    if child.process is not None:
        try:
            os.killpg(child.process.pid, number)
        except (ProcessLookupError, PermissionError):
            return


def own_children() -> Iterable[int]:
    """Process ids that hang on this process now, also those that lost their own parent (Linux)."""
    for thread in Path("/proc/self/task").glob("*/children"):
        yield from map(int, thread.read_text().split())


def reap_strangers(known: Sequence[Child]) -> None:
    """Collects ended processes that a dead child left to us, so that they do not stay as zombies."""
    ours = {child.process.pid for child in known if child.process is not None}
    for pid in own_children():
        if pid not in ours:
            os.waitpid(pid, os.WNOHANG)


def kill_orphans() -> None:
    """Ends what fell to this process after its groups were killed (a grandchild in a session of its own)."""
    for _ in range(50):
        orphans = list(own_children())
        if not orphans:
            return
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def tail(log: Path, lines: int = 15) -> str:
    text = log.read_bytes()[-8000:].decode(errors="replace") if log.exists() else ""
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:])
