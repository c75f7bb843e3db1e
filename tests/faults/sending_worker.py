# ruff: noqa: E402 - Django is set up before the models can be imported
"""Run by test_sender_killed: sends what is due, again and again, until it is killed. Arguments: database, SMTP port."""

import sys
import time
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import django
from django.conf import settings

settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
settings.EMAIL_IS_SET_UP, settings.EMAIL_HOST, settings.EMAIL_PORT = True, "127.0.0.1", int(sys.argv[2])
django.setup()

from pit.outbox import send
from pit.web import clock

send.CLAIM = timedelta(seconds=1)
send.BATCH = 5
while True:
    send.send_all(clock.now())
    time.sleep(0.02)
