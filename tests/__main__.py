"""`make test`: brings what the tests need and runs all of them, on SQLite and on PostgreSQL.

Every call runs even when an earlier one failed; the last line counts them all.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.services import chromium, postgres_binaries, running_postgres

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
DJANGO = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
TYPED = [
    "pit/rules",
    "pit/record",
    "tables/domain",
    "pit/floor/domain",
    "pit/notices/domain",
    "devices/domain",
]
CHECKS = {
    "ruff": ["-m", "ruff", "check", "."],
    "format": ["-m", "ruff", "format", "--check", "."],
    "types": ["-m", "mypy", *TYPED],
    "templates": ["-m", "djlint", "--lint", "--quiet", "templates"],
    "migrations": ["manage.py", "makemigrations", "--check", "--dry-run"],
    "site": ["manage.py", "check", "--fail-level", "WARNING"],
}
PURE = ["tests/unit", "tests/property", "tests/architecture"]
ON_A_DATABASE = ["tests/db", "tests/web", "tests/live", "tests/faults"]
BROWSER = ["tests/browser"]
TWO = ["-n", "2", "--dist", "worksteal"]


class Tally:
    """What passed, failed and was skipped, over all calls."""

    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = 0
        self.troubles: list[str] = []

    def check(self, name: str, *, ok: bool) -> None:
        self.passed += ok
        self.failed += not ok
        if not ok:
            self.troubles.append(name)

    def report(self, name: str, code: int, junit: Path) -> None:
        """Adds a pytest call. One that broke off, or found no test, counts as a failure of its own."""
        suites = ET.parse(junit).getroot().iter("testsuite") if junit.exists() else []
        counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
        for suite in suites:
            for key in counts:
                counts[key] += int(suite.get(key, 0))
        failed = counts["failures"] + counts["errors"]
        failed = failed or (1 if code else 0)
        self.failed += failed
        self.skipped += counts["skipped"]
        self.passed += max(0, counts["tests"] - failed - counts["skipped"])
        if code:
            self.troubles.append(name)


def main(arguments: Sequence[str]) -> int:
    begin = time.monotonic()
    tally = Tally()
    if list(arguments) == ["--checks"]:
        run_checks(tally)
    else:
        bring_services()
        if not arguments:
            run_checks(tally)
        run_tests(tally, list(arguments))
    minutes, seconds = divmod(round(time.monotonic() - begin), 60)
    print(
        f"\nTook {minutes} min {seconds} s."
        + (f" Failed: {', '.join(tally.troubles)}." if tally.troubles else "")
    )
    print(
        f"{tally.passed} passed, {tally.failed} failed"
        + (f", {tally.skipped} skipped" if tally.skipped else "")
    )
    return 1 if tally.failed else 0


def run_checks(tally: Tally) -> None:
    with ThreadPoolExecutor(2) as pool:
        for name, done in zip(CHECKS, pool.map(check, CHECKS.values()), strict=True):
            print(f"{'ok  ' if done.returncode == 0 else 'FAIL'} {name}", flush=True)
            if done.returncode:
                print(done.stdout)
            tally.check(name, ok=done.returncode == 0)


def check(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **DJANGO, "PITSTAND_DATA": tempfile.gettempdir()}
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run([PYTHON, *command], cwd=ROOT, env=environment, check=False, **output)


def run_tests(tally: Tally, only: Sequence[str]) -> None:
    """The pure tests once, the others on both databases, the browser's in a call of their own.

    Playwright's loop would break asynchronous tests of the same process.
    """
    if not only:
        pytest(tally, "pure", [*TWO, *there(PURE)], {})
    with running_postgres() as postgres:
        all_of_them = only or [*TWO, *there(ON_A_DATABASE)]
        pytest(tally, "SQLite", all_of_them, {})
        pytest(tally, "PostgreSQL", [*all_of_them, "-m", "not once"], {"DATABASE_URL": postgres.url})
    if not only:
        pytest(tally, "browser", there(BROWSER), {"DJANGO_ALLOW_ASYNC_UNSAFE": "true"})


def there(folders: Sequence[str]) -> list[str]:
    return [folder for folder in folders if (ROOT / folder).is_dir()]


def pytest(tally: Tally, name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    print(f"\n=== {name}", flush=True)
    outside = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")}
    with tempfile.TemporaryDirectory(prefix="pitstand-report-") as folder:
        junit = Path(folder) / "junit.xml"
        command = [PYTHON, "-m", "pytest", "-q", "--junitxml", str(junit), *arguments]
        code = subprocess.run(command, cwd=ROOT, env={**outside, **environment}, check=False).returncode
        tally.report(name, code, junit)


def bring_services() -> None:
    """Installs what is missing when that is allowed without asking, and says at once which command does otherwise."""
    needs = {"postgresql": postgres_binaries(), "chromium": chromium(), "nodejs": shutil.which("node")}
    missing = [package for package, place in needs.items() if not place]
    if not missing:
        return
    install = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(missing)}"
    if not shutil.which("apt-get"):
        sys.exit(
            f"The tests need {', '.join(missing)}; please install them with your system's package manager."
        )
    prefix = as_root()
    if prefix is None:
        sys.exit(f"The tests need Debian's {', '.join(missing)}. Run this once:\n    sudo sh -c '{install}'")
    print(f"Installing {', '.join(missing)} ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*prefix, "sh", "-c", f"{install} >/dev/null"], env=environment, check=True)


def as_root() -> list[str] | None:
    """How to run a command as root without a password; None when that cannot be done."""
    if os.geteuid() == 0:
        return []
    asked = (
        subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
        if shutil.which("sudo")
        else None
    )
    return ["sudo", "-n", "--preserve-env=DEBIAN_FRONTEND"] if asked and asked.returncode == 0 else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
