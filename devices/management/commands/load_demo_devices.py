"""manage.py load_demo_devices URL: the demo's gateways and devices, behind the simulator at that address."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from devices.demo import bring_devices
from pit.floor.demo.houses import NoDemo
from pit.web import clock


class Command(BaseCommand):
    """Twice is once: what is there already stays as it is."""

    help = "Registers the demo's gateways and devices. Refuses unless PITSTAND_DEMO is set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="where the simulator is: http://127.0.0.1:8141")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = bring_devices(options["url"], now=clock.now())
        except NoDemo as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} devices")
