"""`manage.py rules [PACK…] [--json] [--property KEY]`: the packs, what they hold, and where each clause is used."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from pit.rules import load
from tables.rulebook import text
from tables.rulebook.book import Book, book, settings


class Command(BaseCommand):
    help = "Lists rule packs with parameters, open readings and clauses, and the house settings."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("packs", nargs="*", metavar="PACK", help="only these, as ny or ny/2016-09-14")
        parser.add_argument("--json", action="store_true", help="as JSON, for programs")
        parser.add_argument(
            "--property", metavar="KEY", help="with what this property chose, instead of defaults"
        )

    def handle(self, *, packs: list[str], json: bool, property: str | None, **options: Any) -> None:
        readings, house = _chosen(property) if property else ({}, {})
        books, known = _books(packs, readings), settings(load.house_settings(), house)
        if json:
            told = {"packs": books, "house_settings": known}
            self.stdout.write(msgspec.json.format(msgspec.json.encode(told)).decode())
            return
        for line in text.lines(books, known):
            self.stdout.write(line)


def _books(wanted: Sequence[str], readings: Mapping[str, Any]) -> list[Book]:
    found = [
        book(pack, readings=readings)
        for place, dated in load.packs().items()
        for pack in dated
        if not wanted or place in wanted or pack.version in wanted
    ]
    if not found:
        raise CommandError(f"no rule pack {' or '.join(wanted)}; there are {', '.join(load.packs())}")
    return found


def _chosen(key: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Readings and house settings of a property. Needs the database; nothing else here does."""
    from pit.floor import door
    from pit.floor.models import Property

    place = Property.objects.filter(key=key).first()
    if place is None:
        raise CommandError(f"no property {key!r}")
    state = door.state(place)
    return state.readings, state.house
