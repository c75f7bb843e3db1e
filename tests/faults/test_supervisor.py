import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT
from tests.faults.processes import holding
from tests.services import wait_until

pytestmark = pytest.mark.once


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The supervisor once its three children have started."""
    command = [sys.executable, "-m", "tests.faults.supervised", str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    wait_until(lambda: (tmp_path / "parent").exists() and len(holding(tmp_path)) >= 4, "The children")
    wait_until(lambda: b"deaf" in (tmp_path / "deaf.log").read_bytes(), "The deaf child")
    yield process
    process.kill()
    process.wait()
    process.stdout.close()
    for line in holding(tmp_path):  # what a killed supervisor's grandchildren left
        os.kill(int(line.split()[0]), signal.SIGKILL)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_leaves_no_child_no_grandchild_and_no_deaf_one(supervised, tmp_path, sign):
    supervised.send_signal(sign)
    supervised.wait(timeout=20)
    assert holding(tmp_path) == []


def test_a_child_that_dies_is_started_again_with_longer_and_longer_pauses(supervised, tmp_path):
    wait_until(lambda: len((tmp_path / "short").read_text().split()) >= 3, "The third start")
    supervised.terminate()
    supervised.wait(timeout=20)
    said = supervised.stdout.read().decode()
    assert "short ended (7); back in 0.5 s" in said
    assert "short ended (7); back in 1 s" in said


def test_children_do_not_outlive_a_supervisor_that_was_killed(supervised, tmp_path):
    supervised.kill()
    wait_until(
        lambda: not any("signal.SIG_IGN" in line for line in holding(tmp_path)), "The end of the deaf child"
    )
    assert not any("echo once" in line for line in holding(tmp_path))
