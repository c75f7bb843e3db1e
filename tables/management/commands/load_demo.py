"""manage.py load_demo: the demo's houses, with tables in every state of a busy evening."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pit.floor.demo.houses import Login, NoDemo, demo_logins, load_houses
from pit.people.roles import ROLE_WORDS
from pit.web import clock
from tables import demo


class Command(BaseCommand):
    """Twice is once: what is there already stays as it is."""

    help = "Loads the demo floor and prints its logins. Refuses unless PITSTAND_DEMO is set."

    def handle(self, *args: Any, **options: Any) -> None:
        now = clock.now()
        try:
            load_houses(now=now - demo.BEFORE)
            demo.bring_to_life(now=now)
            logins = demo_logins()
        except NoDemo as error:
            raise CommandError(f"{error}: the demo's passwords are known to everybody.") from error
        for line in as_table(logins):
            self.stdout.write(line)


def as_table(logins: list[Login]) -> list[str]:
    """The logins as lines; below them who signs beside the floorperson by badge and PIN."""
    heads = ("User name", "Password", "Badge", "PIN", "Role", "House")
    rows = [heads] + [
        (one.username, one.password, one.badge, one.pin, ROLE_WORDS[one.role], one.house)
        for one in logins
        if one.username
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    beside = [
        f"{one.badge} ({ROLE_WORDS[one.role].lower()}, {one.house}) PIN {one.pin}"
        for one in logins
        if not one.username
    ]
    return [*lines, "", "Signing beside, by badge and PIN:", *beside]
