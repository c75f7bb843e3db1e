"""What every page shares: health, errors, template tags, the clock."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The site's common parts."""

    name = "pit.web"

    def ready(self) -> None:
        from pit.web import logs

        logs.configure()
