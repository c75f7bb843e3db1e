"""From a form's text to the value of a house setting or a reading."""

from __future__ import annotations

from typing import Any

YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def value_from(text: str, default: Any) -> Any:
    """The text as the kind of value that `default` is; text that is none stays text, and the door refuses it."""
    text = text.strip()
    if isinstance(default, bool):
        lower = text.lower()
        return True if lower in YES else False if lower in NO else text
    if isinstance(default, int):
        return _number(text)
    if isinstance(default, list):
        return [_number(part.strip()) for part in text.split(",") if part.strip()]
    return text


def _number(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def text_of(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
