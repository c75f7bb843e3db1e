"""What a bench module gets and gives back.

A module `bench_<what>.py` has `measure(env: Env) -> list[dict]`; each row is what `row()` makes. A ratio compares with
the bare limit measured in the same run, so that it means the same on every machine.
"""

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Env(NamedTuple):
    """Where the servers of this run are. PostgreSQL is durable (fsync on), as in production."""

    database_url: str
    """What DATABASE_URL takes; already the settings' database, migrated."""
    dsn: str
    """The same database for psycopg."""
    redis_url: str


class Target(NamedTuple):
    """A bound for a ratio: at least or at most `value`."""

    sign: str
    value: float

    def met(self, ratio: float) -> bool:
        return ratio >= self.value if self.sign == "≥" else ratio <= self.value

    def __str__(self) -> str:
        return f"{self.sign} {self.value:g}"


def at_least(value: float) -> Target:
    return Target("≥", value)


def at_most(value: float) -> Target:
    return Target("≤", value)


def row(name: str, runs: Sequence[float], *, target: Target | None = None, **also: Any) -> dict[str, Any]:
    """A row of the table: the median of `runs` (ratios of single repetitions) against its target.

    `target=None` reports without judging. `also` holds figures behind the ratio, with their unit in their name.
    """
    ratio = statistics.median(runs)
    return {
        "name": name,
        "ratio": round_to(ratio),
        "target": str(target) if target else None,
        "met": target.met(ratio) if target else None,
        "runs": [round_to(one) for one in runs],
        **also,
    }


def round_to(value: float, digits: int = 4) -> float:
    """`value` with so many significant digits."""
    return round(value, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0.0


def interleaved(
    contestants: Mapping[str, Callable[[], None]], *, repetitions: int = 5
) -> dict[str, list[float]]:
    """Seconds of each contestant, taken in turns so that a slow moment of the machine meets all of them.

    The order turns round every time, and one unmeasured round comes first.
    """
    names = list(contestants)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for repetition in range(repetitions + 1):
        for name in names if repetition % 2 else reversed(names):
            begin = time.perf_counter()
            contestants[name]()
            if repetition:
                taken[name].append(time.perf_counter() - begin)
    return taken
