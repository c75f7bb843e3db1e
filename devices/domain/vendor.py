"""What a maker's own codes mean: a table of raw code → canonical code, and whether it is the end of that fault."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence

import msgspec

from devices.domain import canon


class Meaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`means`: a canonical code. `over`: the fault is over by itself, which clears no hold. `ignore`: of no concern here."""

    means: str = ""
    over: bool = False
    ignore: bool = False
    note: str = ""


class CodeTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The codes of one maker, or of those models of it that `models` names."""

    maker: str
    models: tuple[str, ...] = ()
    shuffle_modes: tuple[str, ...] = ("SHUFFLE",)
    """What the device's mode is called when it shuffles; any other does not."""
    code: dict[str, Meaning] = {}

    def of(self, raw: str) -> Meaning | None:
        """What a raw code means. A canonical code means itself, with a trailing "_OVER" its end."""
        if raw in self.code:
            return self.code[raw]
        if canon.known(raw):
            return Meaning(means=raw)
        name = raw.removesuffix("_OVER")
        return Meaning(means=name, over=True) if name in canon.FAULTS else None


PLAIN = CodeTable(maker="")
"""For devices that speak our own codes."""


class BadTable(ValueError):
    """A table of codes that cannot be used: file and entry."""


def read(text: str, *, where: str) -> CodeTable:
    """A table from its TOML. Raises BadTable."""
    try:
        table = msgspec.convert(tomllib.loads(text), CodeTable)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadTable(f"{where}: {error}") from error
    for raw, meaning in table.code.items():
        if meaning.ignore == canon.known(meaning.means):
            raise BadTable(f"{where}: code {raw!r} means {meaning.means!r}, which is no canonical code")
        if meaning.over and meaning.means not in canon.FAULTS:
            raise BadTable(f"{where}: code {raw!r} ends {meaning.means!r}, which is no fault")
    return table


def choose(tables: Sequence[CodeTable], *, maker: str, model: str) -> CodeTable:
    """The table of that maker and model; one without models serves all of its maker's."""
    own = [one for one in tables if one.maker.casefold() == maker.casefold()]
    named = [one for one in own if model in one.models]
    return next(iter(named or [one for one in own if not one.models]), PLAIN)
