"""The Celery application: thin tasks that take ids; the rows are the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pit.settings")
app = Celery("pit")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
