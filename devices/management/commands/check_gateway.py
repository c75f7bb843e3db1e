"""manage.py check_gateway URL: tries a gateway against the contract (docs/gateway.md) and says what is wrong."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from devices.gateways.check import Line, check
from devices.models import Gateway
from pit.web import clock


class Command(BaseCommand):
    """Asks like the poll does, a few times, and changes nothing here or there."""

    help = "Tries a gateway against the contract and says what is wrong. Exit status 1 when something is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "url", help="its address, as https://gw-pit1.example:8443, or the name of a registered one"
        )
        parser.add_argument("--name", default="", help="the name under which it is to answer")
        parser.add_argument(
            "--credential", default="", help="name of its token or certificate in the folder of secrets"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        registered = Gateway.objects.filter(name=options["url"]).first()
        url = registered.url if registered else options["url"]
        credential = options["credential"] or (registered.credential if registered else "")
        name = options["name"] or (registered.name if registered else "")
        lines = asyncio.run(
            check(
                url, name=name, credential=credential, now=clock.now, secrets=Path(settings.GATEWAY_SECRETS)
            )
        )
        for line in lines:
            self.stdout.write(str(line))
        wrong = [line for line in lines if line.verdict == "wrong"]
        self.stdout.write(_sum(lines))
        if wrong:
            sys.exit(1)


def _sum(lines: list[Line]) -> str:
    counts = {
        verdict: sum(line.verdict == verdict for line in lines) for verdict in ("well", "note", "wrong")
    }
    return f"{counts['well']} well, {counts['note']} to note, {counts['wrong']} wrong"
