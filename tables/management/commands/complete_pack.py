"""`manage.py complete_pack SMALL.toml --like ny > pit/rules/zz/2027-01-01.toml`: a new state's pack (docs/new-state.md)."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pit.rules import load
from tables.rulebook.complete import complete


class Command(BaseCommand):
    help = "Writes out a pack that says only what its text says, with the rest as house procedure."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("small", type=Path, help="the pack as far as its text speaks")
        parser.add_argument(
            "--like", required=True, metavar="PLACE", help="whose procedure is nearest, as pa"
        )

    def handle(self, *, small: Path, like: str, **options: Any) -> None:
        known = load.packs()
        if like not in known:
            raise CommandError(f"no rule pack {like!r}; there are {', '.join(known)}")
        try:
            text = complete(small.read_text(encoding="utf-8"), known[like][-1])
        except (OSError, tomllib.TOMLDecodeError) as wrong:
            raise CommandError(f"{small}: {wrong}") from None
        self.stdout.write(text, ending="")
