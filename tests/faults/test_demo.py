"""`make demo` as a person at a terminal meets it."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.demo import web
from tests.architecture.tree import ROOT
from tests.browser.site import Site, free_port
from tests.faults.processes import holding
from tests.services import wait_until

pytestmark = [pytest.mark.once, pytest.mark.timeout(180)]


def demo(*arguments: str | Path, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs the demo where it is expected to leave by itself."""
    command = [sys.executable, "-m", "deploy.demo", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(tmp_path_factory.mktemp("faults") / "data")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def data(site: Site) -> Path:
    return site.data


def test_it_prints_its_address_and_a_login_for_every_role(site):
    logins = [
        "floor",
        "pitmanager",
        "shift",
        "commission",
        "surveillance",
        "compliance",
        "technician",
        "admin",
    ]
    assert f"Pitstand is at {site.url}" in site.printed
    assert all(
        re.search(rf"(?<!\S){login}(?!\S)", site.printed) for login in [*logins, "floor-pa", "floor-nj"]
    )


def test_a_second_start_on_the_same_data_says_so_and_leaves(site, data):
    second = demo("--port", str(free_port()), "--data", data)
    assert second.returncode == 1
    assert "already runs" in second.stderr
    assert str(site.process.pid) in second.stderr


def test_a_reset_while_it_runs_is_refused(data):
    refused = demo("--data", data, "--reset")
    assert refused.returncode == 1
    assert (data / "pitstand.sqlite3").exists()


def test_a_taken_port_is_named_with_a_way_out(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = demo("--port", str(port), "--data", tmp_path / "data")
    assert refused.returncode == 1
    assert f"Port {port} is taken" in refused.stderr
    assert "PORT=" in refused.stderr


@pytest.mark.parametrize("port", ["0", "-1", "65536", "http", ""])
def test_a_port_that_is_none_is_refused_in_one_line(tmp_path, port):
    refused = demo(f"--port={port}", "--data", tmp_path / "data")
    assert refused.returncode == 1
    assert "is no port" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_data_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    refused = demo("--data", tmp_path / "file" / "data")
    assert refused.returncode == 1
    assert "cannot be used" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_key_is_for_its_owner_alone(data):
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert len((data / "secret_key").read_text()) >= 50


def test_so_is_everything_else_that_the_demo_writes(site, data):
    """A folder that was there before may be open to all: the database and the logins in it are not."""
    kept = [place for place in data.rglob("*") if place.is_file() and "static" not in place.parts]
    assert len(kept) > 5
    assert [place for place in kept if place.stat().st_mode & 0o077] == []


def test_nobody_says_for_himself_where_he_comes_from():
    assert "--no-proxy-headers" in web(8000)


@pytest.mark.parametrize("name", ["web", "worker", "beat", "valkey", "simulator"])
def test_a_killed_child_comes_back(site, name):
    before = site.child(name)
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: site.child(name) != before, name)
    site.wait_for_answer()


def test_a_very_long_data_folder_is_no_hindrance(tmp_path):
    """A Unix socket's path holds 107 characters."""
    deep = Site(tmp_path / ("a-long-name-" * 5) / ("another-long-name-" * 4) / "data")
    deep.data.parent.mkdir(parents=True)
    deep.start()
    assert deep.stop() == 0
    assert holding(deep.data) == []


def test_stopping_leaves_no_process_and_keeps_the_data_also_when_a_child_hangs(tmp_path):
    site = Site(tmp_path / "data")
    site.start()
    key = (site.data / "secret_key").read_text()
    site.freeze("worker")
    assert site.stop(sign=signal.SIGINT) == 0
    assert holding(site.data) == []
    assert "Pitstand has stopped." in site.printed
    site.start()
    assert (site.data / "secret_key").read_text() == key
    assert site.stop() == 0
    assert demo("--data", site.data, "--reset").returncode == 0
    assert [place.name for place in site.data.iterdir()] == ["lock"]
