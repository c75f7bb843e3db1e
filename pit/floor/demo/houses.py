"""The demo's houses. Their accounts are made and usable only while PITSTAND_DEMO is set."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from pit.floor.imports import import_floor
from pit.floor.models import Property

FILES = tuple(Path(__file__).parent / f"{name}.toml" for name in ("ny", "pa", "nj"))


class NoDemo(RuntimeError):
    """The demo's accounts have known passwords: they come to no house that is not a demo."""


@dataclass(frozen=True)
class Login:
    """One account of the demo as it is printed. Who has no `username` signs beside the floorperson by badge and PIN."""

    username: str
    password: str
    badge: str
    pin: str
    name: str
    role: str
    house: str


def demo_logins() -> list[Login]:
    """Everybody of the demo's houses, in the files' order. Raises NoDemo outside demo mode."""
    if not settings.DEMO:
        raise NoDemo("PITSTAND_DEMO is not set")
    return [
        Login(
            username=one.get("username", ""),
            password=one.get("password", ""),
            badge=one["badge"],
            pin=one["pin"],
            name=one["name"],
            role=one["role"],
            house=data["property"]["name"],
        )
        for data in (tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES)
        for one in data["staff"]
    ]


def load_houses(*, now: datetime) -> list[str]:
    """Imports the houses that are not there yet; gives their names. What was changed since stays. Raises NoDemo."""
    if not settings.DEMO:
        raise NoDemo("PITSTAND_DEMO is not set")
    made = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        head = tomllib.loads(text)["property"]
        if Property.objects.filter(key=head["key"]).exists():
            continue
        result = import_floor(text, now=now, demo=True)
        if result.problems:
            raise ValueError("\n".join(f"{path.name}: {problem}" for problem in result.problems))
        made.append(str(head["name"]))
    return made
