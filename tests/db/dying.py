# ruff: noqa: E402 - Django is set up before the models can be imported
"""Run by test_kill: presses once and kills its own process at the moment asked for. Arguments: database, moment."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import django
from django.conf import settings

settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()

from pit.record import registry
from pit.record.door import submit
from tests.db import lamp
from tests.db.conftest import NOW


def die(*told: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if sys.argv[2] == "after commit":
    registry.register(lamp.kind())
    registry.after_commit(die)
else:
    registry.register(lamp.kind(project=die))
submit(lamp.SwitchOn(watts=60), stream="lamp:1", by=lamp.FLOOR, key="same", now=NOW)
