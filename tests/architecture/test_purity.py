"""The clock is read in one place, and the pure parts read nothing at all."""

import ast

from tests.architecture.tree import DOMAINS, calls, files, syntax

CLOCKS = {
    "datetime.now", "datetime.utcnow", "datetime.today", "datetime.datetime.now", "datetime.datetime.utcnow",
    "date.today", "datetime.date.today", "timezone.now", "timezone.localtime", "timezone.localdate", "time.time",
    "time.time_ns", "localtime", "localdate",
}  # fmt: skip
READS_FILES = {"pit/rules/load.py", "pit/rules/source.py"}
"""The packs are files: the loader reads them, once, when the site starts."""
OUTSIDE = {"open", "print", "input", "exec", "eval", "compile", "__import__"}
OUTSIDE_METHODS = {
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "iterdir",
    "glob",
    "rglob",
    "unlink",
    "mkdir",
}


def test_the_clock_is_read_only_in_its_own_module():
    wrong = [
        f"{path}:{line} calls {name}"
        for path in files("pit", "tables", "devices")
        if path != "pit/web/clock.py"
        for line, name, _ in calls(path)
        if name in CLOCKS
    ]
    assert not wrong, "\n".join(wrong)


def test_a_pure_part_reads_no_clock_not_even_the_sites():
    wrong = [
        f"{path}:{line} calls {name}"
        for path in files(*DOMAINS)
        for line, name, _ in calls(path)
        if name in CLOCKS or name.startswith(("clock.", "time.")) or name == "now"
    ]
    assert not wrong, "\n".join(wrong)


def test_a_pure_part_does_no_input_or_output():
    wrong = [
        f"{path}:{line} calls {name}"
        for path in files(*DOMAINS)
        if path not in READS_FILES
        for line, name, _ in calls(path)
        if name in OUTSIDE or name.rsplit(".", 1)[-1] in OUTSIDE_METHODS
    ]
    assert not wrong, "\n".join(wrong)


def test_a_pure_part_keeps_nothing_between_two_calls():
    wrong = [
        f"{path}:{node.lineno} uses global or nonlocal"
        for path in files(*DOMAINS)
        if path not in READS_FILES
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Global | ast.Nonlocal)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_rule_asks_which_jurisdiction_it_stands_in():
    """What differs between the places is in their packs; a rule that asks for the place would be a second pack."""
    places = {"ny", "pa", "nj", "NY", "PA", "NJ"}
    wrong = [
        f"{path}:{node.lineno} compares with a place"
        for path in files("tables/domain")
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Compare)
        and any(
            isinstance(one, ast.Constant) and one.value in places for one in [node.left, *node.comparators]
        )
    ]
    assert not wrong, "\n".join(wrong)
