"""`make bench`: starts PostgreSQL and Valkey, runs every bench module, prints the ratios and keeps them.

python -m tests.bench [what …]      # only bench_<what>.py; then nothing is written
"""

import importlib
import json
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench.harness import Env
from tests.services import DURABLE, running_postgres, running_valkey

HERE = Path(__file__).resolve().parent
KEPT = HERE.parents[1] / "docs" / "bench"


def main(only: Sequence[str]) -> int:
    names = [path.stem for path in sorted(HERE.glob("bench_*.py")) if not only or path.stem[6:] in only]
    with running_postgres(settings=DURABLE) as postgres, running_valkey() as valkey:
        env = Env(database_url=postgres.url, dsn=postgres.dsn, redis_url=valkey.url)
        prepare(env)
        rows = [row for name in names for row in measured(name, env)]
    print(table(rows))
    if not only:
        keep(rows)
    missed = [row["name"] for row in rows if row["met"] is False]
    print(f"Missed: {'; '.join(missed)}" if missed else "Every target is met.")
    return 1 if missed else 0


def prepare(env: Env) -> None:
    """Points the settings, here and in child processes, at this run's servers and makes the tables."""
    os.environ |= {"DATABASE_URL": env.database_url, "REDIS_URL": env.redis_url}
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def measured(name: str, env: Env) -> list[dict[str, Any]]:
    print(f"{name} ...", flush=True)
    rows: list[dict[str, Any]] = importlib.import_module(f"tests.bench.{name}").measure(env)
    return rows


def table(rows: Sequence[dict[str, Any]]) -> str:
    lines = [("what", "ratio", "target", "met", "also")]
    for row in rows:
        met = {True: "yes", False: "NO", None: "–"}[row["met"]]
        also = ", ".join(
            f"{key} {row[key]}" for key in row if key not in ("name", "ratio", "target", "met", "runs")
        )
        lines.append((row["name"], f"{row['ratio']:g}", row["target"] or "–", met, also))
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(line[n].rjust(widths[n]) for n in (1, 2, 3)), line[4]])
        for line in lines
    )


def keep(rows: Sequence[dict[str, Any]]) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    place = KEPT / f"{datetime.now(UTC).date()}.json"
    place.write_text(json.dumps({"ratios": rows}, indent=1, ensure_ascii=False) + "\n")
    print(f"Written: {place.relative_to(HERE.parents[1])}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
