"""A process that dies between commit and publish, or before the commit, loses nothing and doubles nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from pit.record.models import Event, Stream
from pit.record.verify import verify
from tests.db.lamp import SwitchOn

pytestmark = pytest.mark.django_db(transaction=True)

CHILD = Path(__file__).with_name("dying.py")


def die(moment: str) -> None:
    """Presses SwitchOn(watts=60) with the key "same" in another process, which SIGKILLs itself at that moment."""
    command = [sys.executable, str(CHILD), str(connection.settings_dict["NAME"]), moment]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_killed_between_commit_and_publish_the_same_key_gives_the_same_answer(press):
    die("after commit")
    assert Stream.objects.get().seq == 2
    answer = press(SwitchOn(watts=60), key="same")
    assert (answer.status, answer.again, answer.seq, answer.state.watts) == (200, True, 2, 60)
    assert Event.objects.filter(kind="SwitchedOn").count() == 1
    assert not list(verify())


def test_killed_before_the_commit_nothing_was_done_and_the_same_key_does_it(press):
    die("before commit")
    assert Stream.objects.get().seq == 1
    answer = press(SwitchOn(watts=60), key="same")
    assert (answer.status, answer.again, answer.seq) == (200, False, 2)
    assert Event.objects.filter(kind="SwitchedOn").count() == 1
    assert not list(verify())
