"""`manage.py check_rules PATH…`: cases with answers put to the product (docs/vectors.md)."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tables.conformance.run import Report, files, run


class Command(BaseCommand):
    help = "Run case files through the calculators and the decider; exit 1 if any case disagrees."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="case files, or folders of them"
        )
        parser.add_argument(
            "--verbose", action="store_true", help="show input, expected and got of every case"
        )

    def handle(self, *, paths: list[Path], verbose: bool, **options: Any) -> None:
        reports = [run(file) for path in paths for file in files(path)]
        for report in reports:
            self._tell(report, verbose=verbose)
        passed, failed = sum(one.passed for one in reports), sum(one.failed for one in reports)
        self.stdout.write(f"{passed} passed, {failed} failed")
        if failed or not passed:
            raise SystemExit(1)

    def _tell(self, report: Report, *, verbose: bool) -> None:
        for one in report.results:
            for line in one.wrong:
                self.stdout.write(f"FAILED {report.path.name} {one.id}: {line}")
            if verbose:
                self.stdout.write(f"{report.path.name} {one.id}: {'failed' if one.wrong else 'passed'}")
                for line in one.shown:
                    self.stdout.write(f"    {line}")
        self.stdout.write(f"{report.path.name}  {report.passed}/{len(report.results)}")
