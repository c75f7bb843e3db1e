"""Devices: registers their stream kind, their part of floor files and their health with the kernel."""

from django.apps import AppConfig


class DevicesConfig(AppConfig):
    """Gateways, the devices behind them, and what their readings mean."""

    name = "devices"

    def ready(self) -> None:
        from devices import importer, makers
        from devices.kind import KIND
        from devices.selectors import health
        from pit.live.registry import register_health
        from pit.record import registry

        makers.tables()  # a table of codes that cannot be read stops the start, naming file and code
        registry.register(KIND)
        register_health("gateways", health)
        importer.register()
