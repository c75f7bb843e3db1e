"""Emptying the database after a test that really commits: the append-only triggers must stand aside for it.

Nothing outside the tests does this; `manage.py flush` on a real house is refused by the same triggers.
"""

from typing import Any

from django.core.management.commands import flush
from django.db import connections

from pit.record import triggers

_flush = flush.Command.handle


def handle(self: flush.Command, **options: Any) -> None:
    connection = connections[options["database"]]
    triggers.remove(connection)
    try:
        _flush(self, **options)
    finally:
        triggers.install(connection)


def allow() -> None:
    flush.Command.handle = handle
