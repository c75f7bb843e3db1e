"""Floor: registers the property stream and the sections of floor files that are its own."""

from django.apps import AppConfig


class FloorConfig(AppConfig):
    """Properties, pits, house settings, floor files."""

    name = "pit.floor"
    label = "floor"
    verbose_name = "Floor"

    def ready(self) -> None:
        from pit.floor import articles, importer
        from pit.floor.kind import KIND
        from pit.record import registry

        registry.register(KIND)
        importer.register()
        articles.register()
