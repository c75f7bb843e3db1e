"""The tree as the architecture tests read it: Python by its syntax, everything else as text."""

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = [
    "pit/deadlines",
    "pit/floor",
    "pit/live",
    "pit/notices",
    "pit/outbox",
    "pit/people",
    "pit/record",
    "pit/web",
    "tables",
    "devices",
]
DOMAINS = ["pit/rules", "pit/floor/domain", "pit/notices/domain", "tables/domain", "devices/domain"]
"""Pure parts: no Django, no clock, nothing from outside."""


@functools.cache
def tracked() -> tuple[str, ...]:
    """Every file that git knows or that is new and not ignored, as paths from the root."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return tuple(path for path in sorted(set(found)) if (ROOT / path).is_file())


def files(*folders: str, ending: str = ".py") -> list[str]:
    """Files below any of the folders, without migrations."""
    below = tuple(f"{folder}/" for folder in folders)
    return [
        path
        for path in tracked()
        if path.startswith(below) and path.endswith(ending) and "/migrations/" not in path
    ]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@functools.cache
def syntax(path: str) -> ast.Module:
    return ast.parse(text(path), filename=path)


def imported(path: str) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything a file imports, at any depth; names from a package are joined to it."""
    package = path.removesuffix("/__init__.py").removesuffix(".py").split("/")
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: -node.level]) + "." if node.level else ""
            yield from ((node.lineno, f"{base}{node.module or ''}.{alias.name}") for alias in node.names)


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an attribute chain; calls and subscripts within it are passed over."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Call):
        return dotted(node.func)
    return ""


def calls(path: str) -> Iterator[tuple[int, str, ast.Call]]:
    """(line, dotted name, call) of every call in a file."""
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Call):
            yield node.lineno, dotted(node.func), node
