"""The live layer listens to the door."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "pit.live"
    verbose_name = "Live"

    def ready(self) -> None:
        from pit.live.publish import publish
        from pit.record import registry

        registry.after_commit(publish)
