"""manage.py import_floor FILE.toml [--check]"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from pit.floor.imports import import_floor
from pit.web import clock


class Command(BaseCommand):
    """Brings a house's real floor in. docs/floor.md describes the file."""

    help = "Imports a floor file: everything or nothing. --check shows what would be done."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="say what would be done and do nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{path}: {error}") from error
        result = import_floor(text, now=clock.now(), demo=settings.DEMO, check=options["check"])
        for problem in result.problems:
            self.stderr.write(f"{path}: {problem}")
        if result.problems:
            raise CommandError(f"{len(result.problems)} problems; nothing was imported.")
        for change in result.changes:
            self.stdout.write(str(change))
        done = "would be" if options["check"] else "are"
        new, changed, same = (result.counts[sign] for sign in "+~=")
        self.stdout.write(f"{new} {done} new, {changed} {done} changed, {same} as they stand.")
