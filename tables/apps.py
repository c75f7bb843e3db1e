"""Tables: registers its stream kind, its tile and its pits' tabs with the kernel."""

import msgspec
from django.apps import AppConfig


class TablesConfig(AppConfig):
    """The tables of every pit."""

    name = "tables"

    def ready(self) -> None:
        """The kernel knows no table: it is told here how to decide, project and draw one."""
        from pit.live.registry import register_tile
        from pit.record.registry import register
        from pit.web.shell import provide_tabs
        from tables import importer, terms
        from tables.domain.kind import KIND
        from tables.project import differs, project
        from tables.selectors import tabs
        from tables.tiles import render

        register(msgspec.structs.replace(KIND, project=project, differs=differs))
        register_tile(KIND.name, render)
        provide_tabs(tabs)
        importer.register()
        terms.register()
