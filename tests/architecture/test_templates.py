"""The site's policy allows no script and no style within a page; rules do not live in pages."""

import re

import pytest
from django.contrib.staticfiles import finders

from tests.architecture.tree import files, text

PAGES = files("templates", "pit", "tables", ending=".html")
SCRIPTS = files("static", ending=".js")
# A ready fragment was rendered by a template of ours and is markup already; nothing else may skip the escaping.
FORBIDDEN = {
    "an inline script": r"<script(?![^>]*\bsrc=)[^>]*>\s*[^<\s]",
    "an inline style": r"<style\b|\sstyle=",
    "an event handler": r"\son[a-z]+\s*=\s*[\"']",
    "hx-on": r"\bhx-on\b",
    "a computed hx value": r"hx-(vals|headers)\s*=\s*[\"']js:",
    "a trigger filter": r"hx-trigger\s*=\s*[\"'][^\"']*\[",
    "an address elsewhere": r"(src|href|action)\s*=\s*[\"'](https?:)?//",
    "a javascript address": r"javascript:",
    "an unescaped value": r"(?<!fragment\.tile)(?<!fragment\.needs)\|\s*safe\b|{%\s*autoescape off",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_page_holds(what):
    found = re.compile(FORBIDDEN[what], re.IGNORECASE)
    wrong = [
        f"{path}:{number} {line.strip()[:100]}"
        for path in PAGES
        for number, line in enumerate(text(path).splitlines(), 1)
        if found.search(line)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "pattern", [r"\beval\(", r"new Function\(", r"(?<!template)\.innerHTML\s*=", r"document\.write"]
)
def test_no_script_makes_code_or_markup_of_text(pattern):
    wrong = [
        f"{path}:{number} {line.strip()[:100]}"
        for path in SCRIPTS
        for number, line in enumerate(text(path).splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_page_decides_by_role_or_stage():
    """What may be done comes from `offers()`; a page that compares a role or a stage would be a second rule."""
    deciding = re.compile(r"{%\s*(?:el)?if[^%]*\b(role|stage|jurisdiction)\s*(==|!=|in\b)")
    wrong = [
        f"{path}:{number} {line.strip()[:100]}"
        for path in PAGES
        for number, line in enumerate(text(path).splitlines(), 1)
        if deciding.search(line)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_static_file_that_a_page_names_is_there():
    """Without it every page that names it is a 500, and only where files are collected."""
    named = {
        (path, name)
        for path in PAGES
        for name in re.findall(r"{%\s*static\s+[\"']([^\"']+)[\"']", text(path))
    }
    assert named
    assert not [pair for pair in sorted(named) if finders.find(pair[1]) is None]


def test_every_module_that_a_script_imports_is_there():
    there = {path.removeprefix("static/js/") for path in SCRIPTS}
    named = {
        (path, name)
        for path in SCRIPTS
        for name in re.findall(r"(?:from|import)\s*\(?[\"']\./([^\"']+)[\"']", text(path))
    }
    assert named
    assert not [pair for pair in sorted(named) if pair[1] not in there]


def test_every_partial_is_named_for_one():
    """`{% include %}` takes files whose name begins with an underscore, and nothing extends such a file."""
    included = [
        (path, name)
        for path in PAGES
        for name in re.findall(r"{%\s*include\s+[\"']([^\"']+)[\"']", text(path))
    ]
    assert not [pair for pair in included if not pair[1].split("/")[-1].startswith("_")]
    extended = [
        (path, name)
        for path in PAGES
        for name in re.findall(r"{%\s*extends\s+[\"']([^\"']+)[\"']", text(path))
    ]
    assert not [pair for pair in extended if pair[1].split("/")[-1].startswith("_")]
