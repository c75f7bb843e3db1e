"""Notices: registers the stream of changes with the kernel, and listens to the outbox."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Changes of procedures, percentages and pay tables, and their notices."""

    name = "pit.notices"
    label = "notices"
    verbose_name = "Notices"

    def ready(self) -> None:
        from pit.notices import desk
        from pit.notices.kind import KIND
        from pit.notices.told import heard
        from pit.outbox.heard import listen
        from pit.record.registry import register

        register(KIND)
        register(desk.KIND)
        listen(heard)
