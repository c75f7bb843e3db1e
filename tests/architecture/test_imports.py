"""Who may import whom: the table of docs/architecture.md."""

import pytest

from tests.architecture.tree import APPS, DOMAINS, files, imported

NAMES_THE_APPS = {"pit/settings.py", "pit/urls.py", "pit/asgi.py", "pit/celery.py"}
OURS = ("pit", "tables", "devices", "tests", "deploy")
MAY = {
    "pit/rules": {"pit.rules"},
    "pit/record": {"pit.record", "pit.rules", "pit.web.clock", "pit.deadlines.models", "pit.outbox.models"},
    "pit/deadlines": {"pit.deadlines", "pit.record", "pit.web.clock"},
    "pit/outbox": {"pit.outbox", "pit.record", "pit.people", "pit.floor", "pit.web.clock"},
    "pit/notices": {
        "pit.notices",
        "pit.outbox",
        "pit.record",
        "pit.people",
        "pit.floor",
        "pit.rules",
        "pit.web",
    },
    "pit/notices/domain": {"pit.notices.domain", "pit.record.contract", "pit.rules"},
    "pit/floor": {"pit.floor", "pit.record", "pit.rules", "pit.people", "pit.web"},
    "pit/people": {"pit.people", "pit.floor", "pit.record.contract", "pit.rules.roles", "pit.web"},
    "pit/live": {"pit.live", "pit.record", "pit.people", "pit.floor", "pit.deadlines", "pit.web"},
    "pit/web": {"pit"},
    "tables/domain": {"tables.domain", "pit.rules", "pit.record.contract"},
    "tables": {"tables", "pit"},
    "devices/domain": {"devices.domain", "pit.record.contract"},
    "devices/gateways": {"devices.gateways", "devices.domain", "devices.makers", "pit.web.clock"},
    "devices": {"devices", "tables", "pit"},
}


def ours(name: str) -> bool:
    return name.split(".")[0] in OURS


@pytest.mark.parametrize("part", MAY)
def test_a_part_imports_only_what_the_architecture_allows(part):
    allowed = tuple(MAY[part])
    inner = tuple(f"{other}/" for other in MAY if other.startswith(f"{part}/"))
    wrong = [
        f"{path}:{line} imports {name}"
        for path in files(part)
        if path not in NAMES_THE_APPS and not path.startswith(inner)
        for line, name in imported(path)
        if ours(name) and not any(name == each or name.startswith(f"{each}.") for each in allowed)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_kernel_knows_neither_tables_nor_devices():
    wrong = [
        f"{path}:{line} imports {name}"
        for path in files("pit")
        if path not in NAMES_THE_APPS
        for line, name in imported(path)
        if name.split(".")[0] in ("tables", "devices", "tests", "deploy")
    ]
    assert not wrong, "\n".join(wrong)


def test_tables_do_not_know_devices():
    wrong = [path for path in files("tables") for _, name in imported(path) if name.startswith("devices")]
    assert not wrong


@pytest.mark.parametrize("part", DOMAINS)
def test_a_pure_part_imports_only_the_standard_library_and_msgspec(part):
    pure = {
        "__future__", "bisect", "builtins", "collections", "contextlib", "dataclasses", "datetime", "difflib", "enum",
        "fractions", "functools", "inspect", "itertools", "math", "msgspec", "operator", "pathlib", "re", "string",
        "tomllib", "types", "typing", "zoneinfo",
    }  # fmt: skip
    wrong = [
        f"{path}:{line} imports {name}"
        for path in files(part)
        for line, name in imported(path)
        if not ours(name) and name.split(".")[0] not in pure
    ]
    assert not wrong, "\n".join(wrong)


def test_every_app_is_looked_at():
    assert all(files(app) for app in APPS)
