# ruff: noqa: E402 - Django is set up before anything of it is imported
"""Run by test_poll_killed: a real Celery worker on the test's database. Arguments: name of the database."""

import sys
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import django
from django.conf import settings

settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()

from devices import lease
from pit.celery import app

lease.LEASE = timedelta(seconds=1)  # so that the test need not wait for what a dead worker had leased
app.worker_main(
    ["worker", "--loglevel", "WARNING", "--concurrency", "2", "--without-gossip", "--without-mingle"]
)
