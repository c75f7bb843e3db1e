"""A pack that says only what its text says, completed: everything else as house procedure, written out entry by entry.

A pack must have an entry for every command, so that nobody forgets one. What a new text does not speak of is the same
work in every state; this writes it, from the pack whose procedure is nearest, for a person to read and to keep.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

from pit.rules.model import HOUSE, CommandRule, Pack, Step

HEAD = "# --- not in the text: house procedure, as in {version} ---"


def complete(text: str, like: Pack) -> str:
    """The pack's text with an entry for each command and a row for each step that it does not name itself.

    A command or a step that the text names wins whole: its row of `like` is left out. A row of a command that the text
    names stands under that command's clause. Raises tomllib.TOMLDecodeError.
    """
    given = tomllib.loads(text)
    blocks = [*_commands(given, like), *_steps(given, like)]
    return "\n".join([text.rstrip(), "", HEAD.format(version=like.version), "", *blocks])


def _commands(given: dict[str, Any], like: Pack) -> Iterator[str]:
    named = given.get("command", {})
    for name, rule in like.commands.items():
        if name not in named:
            yield _block(f"[command.{name}]", _ungoverned(rule))


def _ungoverned(rule: CommandRule) -> dict[str, Any]:
    """The entry as house procedure. Who may, who signs and what is checked stay; no clause does."""
    fields: dict[str, Any] = {"not_governed": True}
    if rule.rank != "dealer":
        fields["rank"] = rule.rank
    if rule.also:
        fields["also"] = list(rule.also)
    if rule.signed:
        fields["signed"] = True
    if rule.second:
        fields["second"] = rule.second
    if rule.guards:
        fields["guards"] = [[guard.check, HOUSE] for guard in rule.guards]
    return fields


def _steps(given: dict[str, Any], like: Pack) -> Iterator[str]:
    named = {(row.get("track"), row.get("command")) for row in given.get("step", [])}
    commands = given.get("command", {})
    for step in like.steps:
        if (step.track, step.command) not in named:
            clause = commands.get(step.command, {}).get("clause", HOUSE)
            yield _block("[[step]]", _row(step, clause))


def _row(step: Step, clause: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "track": step.track,
        "command": step.command,
        "from": list(step.from_),
        "to": step.to,
        "clause": clause,
    }
    if step.batch_from:
        fields["batch_from"] = list(step.batch_from)
    if step.batch_to:
        fields["batch_to"] = step.batch_to
    if step.optional:
        fields["optional"] = True
    return fields


def _block(head: str, fields: dict[str, Any]) -> str:
    """One section. JSON's strings, lists and yes or no are TOML's too."""
    return "\n".join([head, *(f"{key} = {json.dumps(value)}" for key, value in fields.items()), ""])
