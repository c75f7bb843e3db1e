"""Outbox: messages and their delivery."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    name = "pit.outbox"
    label = "outbox"
    verbose_name = "Outbox"

    def ready(self) -> None:
        from pit.outbox import importer
        from pit.outbox.deliver import after_commit
        from pit.record import registry

        registry.after_commit(after_commit)
        importer.register()
