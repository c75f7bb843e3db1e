"""Tables: registers its stream kind and its tile with the kernel."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """The tables of every pit."""

    name = "tables"
