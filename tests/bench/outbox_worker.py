# ruff: noqa: E402 - Django is set up before the models can be imported
"""A worker for bench_outbox: sends until nothing is due. Argument: SMTP port."""

import sys

import django
from django.conf import settings

settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
settings.EMAIL_IS_SET_UP, settings.EMAIL_HOST, settings.EMAIL_PORT = True, "127.0.0.1", int(sys.argv[1])
django.setup()

from pit.outbox import send
from pit.web import clock

print("ready", flush=True)
sys.stdin.readline()
print(send.send_all(clock.now()), flush=True)
