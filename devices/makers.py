"""The tables of makers' codes (`devices/codes/*.toml`), read once when they are first needed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from devices.domain import vendor
from devices.domain.vendor import CodeTable

FOLDER = Path(__file__).with_name("codes")


@cache
def tables() -> tuple[CodeTable, ...]:
    """Every table. Raises devices.domain.vendor.BadTable, naming file and code; the start of the site checks it."""
    return tuple(
        vendor.read(place.read_text(encoding="utf-8"), where=place.name)
        for place in sorted(FOLDER.glob("*.toml"))
    )


def table_of(maker: str, model: str) -> CodeTable:
    """The codes of a device."""
    return vendor.choose(tables(), maker=maker, model=model)
