"""`manage.py play FILE… [--record --property KEY]`: scenarios, line by line (docs/scenarios.md)."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tables.play.floor import Core, Floor
from tables.play.run import play, told
from tables.play.scenario import Malformed, lines_of


class Command(BaseCommand):
    help = "Plays scenarios against the rules; exit 1 if a line is not as it expects."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="FILE", help="*.jsonl files, or folders of them"
        )
        parser.add_argument("--record", action="store_true", help="through the door, into the Record")
        parser.add_argument(
            "--property", metavar="KEY", help="with --record: whose Record; needed if there are several"
        )
        parser.add_argument("--quiet", action="store_true", help="only lines that are not as expected")
        parser.add_argument(
            "--strict", action="store_true", help="a refusal that no line expects is a failure"
        )

    def handle(self, *, paths: list[Path], record: bool, quiet: bool, strict: bool, **options: Any) -> None:
        accepted = refused = failed = 0
        try:
            for path, lines in lines_of(paths):
                self.stdout.write(f"=== {path.name}")
                for one in play(lines, _floor(record, options["property"]), strict=strict):
                    accepted += one.outcome.accepted
                    refused += not one.outcome.accepted
                    failed += bool(one.wrong)
                    if not quiet or one.wrong:
                        self.stdout.write("\n".join(told(one)))
        except (Malformed, OSError) as wrong:
            raise CommandError(str(wrong)) from None
        self.stdout.write(f"{accepted} accepted, {refused} refused, {failed} not as expected")
        if failed:
            raise SystemExit(1)


def _floor(record: bool, property: str | None) -> Floor:
    if not record:
        return Core()
    from tables.play.recorded import Recorded

    return Recorded(property)
