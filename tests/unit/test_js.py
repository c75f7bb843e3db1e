"""The browser's pure modules, tested by node's own runner."""

import subprocess

import pytest

from tests.architecture.tree import ROOT, files

MODULES = files("tests/js", ending=".test.mjs")


def test_there_are_modules_to_test():
    assert len(MODULES) >= 3


@pytest.mark.parametrize("module", MODULES)
def test_module(module):
    done = subprocess.run(["node", "--test", module], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
