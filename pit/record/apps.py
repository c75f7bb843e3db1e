"""Record: every change of regulated state, append-only."""

from django.apps import AppConfig


class RecordConfig(AppConfig):
    name = "pit.record"
    label = "record"
    verbose_name = "Record"
