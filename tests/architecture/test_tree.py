"""What must not be in the tree: loose ends, this machine's paths, package hosts, hand-copied libraries."""

import re

import pytest

from tests.architecture.tree import ROOT, files, text, tracked

SELF = "tests/architecture/"
TEXT = (
    ".py",
    ".js",
    ".mjs",
    ".html",
    ".css",
    ".md",
    ".toml",
    ".txt",
    ".in",
    ".sh",
    ".json",
    "Makefile",
    "run",
)


def matches(pattern: str, *, ending: tuple[str, ...] = TEXT) -> list[str]:
    found = re.compile(pattern)
    return [
        f"{path}:{number} {line.strip()[:100]}"
        for path in tracked()
        if path.endswith(ending) and not path.startswith(SELF)
        for number, line in enumerate(text(path).splitlines(), 1)
        if found.search(line)
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\b(TODO|FIXME|XXX)\b",
        r"NotImplementedError",
        r"pragma: no cover",
        r"pytest\.mark\.(skip|xfail)",
        r"pytest\.skip\((?!\"(SQLite|PostgreSQL) )",
    ],
)
def test_there_are_no_loose_ends(pattern):
    assert not matches(pattern, ending=(".py", ".js", ".mjs", ".html"))


def test_no_file_names_a_machines_own_paths():
    assert not matches(r"(?<![\w.-])/(work|root|Users|home/[a-z]+)/(?!\.pyenv|\.local)")


def test_no_file_names_a_package_host():
    assert not matches(r"(pypi\.org|pythonhosted|npmjs\.(org|com)|files\.python|deb\.debian\.org|index-url)")


def test_nothing_that_a_run_makes_is_in_the_tree():
    made = re.compile(r"\.(sqlite3|db|log|pyc|sock|rdb|aof)$|(^|/)(node_modules|\.venv|__pycache__)/")
    assert not [path for path in tracked() if made.search(path)]


def test_no_library_is_copied_into_the_tree():
    """Browser code comes from installed packages; ours is readable."""
    wrong = [path for path in files("static", ending=".js") if ".min." in path or len(text(path)) > 60_000]
    wrong += [
        path
        for path in files("static", ending=".js")
        if max(map(len, text(path).splitlines()), default=0) > 400
    ]
    assert not wrong


def test_no_compiled_requirement_is_without_its_hash():
    for lock in ("requirements.txt", "requirements-dev.txt", "deploy/uv.txt"):
        pinned = re.findall(r"^[a-z0-9][^\s=]*==\S+(.*)$", text(lock), re.MULTILINE)
        assert pinned
        assert all(rest.endswith("\\") for rest in pinned), lock


def test_every_direct_dependency_is_explained():
    explained = text("docs/dependencies.md").lower()
    names = [
        re.split(r"[\[=<>~ ]", line)[0].lower()
        for source in ("requirements.in", "requirements-dev.in", "deploy/uv.in")
        for line in text(source).splitlines()
        if line and not line.startswith(("#", "-r"))
    ]
    assert not [name for name in names if f"`{name}`" not in explained]


def test_every_environment_variable_is_documented():
    documented = text("docs/settings.md")
    asked = set(re.findall(r"""env(?:\.\w+)?\(\s*["']([A-Z_]+)["']""", text("pit/settings.py")))
    assert asked
    assert not [name for name in sorted(asked) if f"`{name}`" not in documented]


def test_every_document_that_the_readme_names_is_there():
    named = re.findall(r"\]\(((?:docs|pit|tests)/[^)#]+)", text("README.md"))
    assert named
    assert not [path for path in named if not (ROOT / path).exists()]
