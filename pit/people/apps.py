"""People: staff, duty, sign-in, signature."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest


class PeopleConfig(AppConfig):
    """Registers the staff section of floor files and starts each session's idle clock."""

    name = "pit.people"
    label = "people"
    verbose_name = "People"

    def ready(self) -> None:
        from pit.people import importer

        importer.register()
        user_logged_in.connect(start_idle_clock, dispatch_uid="pit.people.idle")


def start_idle_clock(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    """A session is active from the moment of its sign-in."""
    from pit.people.middleware import touch

    touch(request)
