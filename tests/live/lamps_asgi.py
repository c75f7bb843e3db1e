"""The site with lamps: what a test's Uvicorn process serves."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import pit.asgi
from pit.live import beats, registry, subscription
from pit.record import registry as record
from tests.db import lamp
from tests.live.house import draw

record.register(lamp.kind())
registry.register_tile("lamp", draw)
application = pit.asgi.application

# The same loops at a quicker pace, so that a test of an outage takes seconds.
beats.EVERY = 2.0
beats.EVERY_WITHOUT_REDIS = 0.5
subscription.SILENCE = 1.0
