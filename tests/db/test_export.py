"""An export is checked by the program printed in docs/record.md, which needs nothing of ours."""

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from pit.record.models import Stream
from pit.record.streams import create
from tests.db import lamp
from tests.db.conftest import NOW
from tests.db.lamp import SwitchOff, SwitchOn

pytestmark = pytest.mark.django_db

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "record.md"


@pytest.fixture
def export(press) -> str:
    press(SwitchOn(watts=60, places=("Küche",)), by=lamp.MANAGER)
    press(SwitchOn(watts=60))
    press(SwitchOff())
    create("lamp:2", property_id=1, topic="pit:1", by=lamp.MANAGER, now=NOW)
    told = StringIO()
    call_command("export_record", "lamp:1", "lamp:2", stdout=told)
    return told.getvalue()


def check(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert program
    (folder / "verify.py").write_text(program[1])
    (folder / "export.jsonl").write_text(text)
    command = [sys.executable, "-I", "verify.py", "export.jsonl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_an_export_verifies_without_this_software(export, tmp_path):
    done = check(export, tmp_path)
    heads = [
        f"{name} {seq} {head}"
        for name, seq, head in Stream.objects.order_by("name").values_list("name", "seq", "hash")
    ]
    assert (done.returncode, done.stdout.splitlines()) == (0, heads), done.stderr


@pytest.mark.parametrize(
    ("was", "is_now", "where"),
    [
        ("Max Manager", "Min Manager", "lamp:1 seq 1"),
        ('\\"watts\\":60,\\"pl', '\\"watts\\":61,\\"pl', "lamp:1 seq 2"),
    ],
)
def test_one_changed_byte_is_found(export, tmp_path, was, is_now, where):
    assert was in export
    done = check(export.replace(was, is_now, 1), tmp_path)
    assert (done.returncode, done.stderr.strip()) == (1, f"{where} does not hold")


def test_a_line_left_out_is_found(export, tmp_path):
    lines = export.splitlines()
    del lines[1]
    assert check("\n".join(lines), tmp_path).stderr.strip() == "lamp:1 seq 3 does not hold"
