"""Reading a command that came from outside: an unknown name or a wrong field is a refusal, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pit.record.codec import UNREADABLE, dumps, tag_of
from pit.record.contract import Refused, StreamKind
from pit.record.press import Raw, clean, own


def command_of(kind: StreamKind, command: Any) -> Any | Refused:
    """The command's struct: UNKNOWN_COMMAND or MALFORMED (every wrong field named) when it cannot be one."""
    if not isinstance(command, Raw):
        known = kind.commands.get(tag_of(type(command))) is type(command)
        return _kept(command) if known else _unknown(tag_of(type(command)))
    shape = kind.commands.get(command.name)
    return _unknown(command.name) if shape is None else _read(shape, command.fields)


def _kept(command: Any) -> Any | Refused:
    """The command, unless a text in it (a page put it there as it came) is such as no database keeps."""
    try:
        keepable(command)
    except UNREADABLE as error:
        return own("MALFORMED", f"{tag_of(type(command))}: {clean(str(error))}.", status=422)
    return command


def keepable(read: Any) -> None:
    """Raises one of UNREADABLE for a value that the Record or a database cannot keep."""
    if "\\u0000" in dumps(read):
        raise ValueError("a text holds a NUL character")


def _read(shape: type[Any], fields: Mapping[str, Any]) -> Any | Refused:
    wrong = _strangers(shape, fields)
    try:
        read = _convert({name: fields[name] for name in fields if name in _known(shape)}, shape)
    except UNREADABLE as error:
        wrong |= _wrong_fields(shape, fields) or {"": clean(str(error))}
    if not wrong:
        return read
    return own("MALFORMED", f"{tag_of(shape)} cannot be read.", status=422, fields=wrong)


def _convert(value: Any, shape: Any) -> Any:
    """The value in that shape, such as the Record and every database can keep: no lone surrogate, NUL or huge number."""
    read = msgspec.convert(value, shape, strict=False)
    keepable(read)
    return read


def _known(shape: type[Any]) -> set[str]:
    return {*shape.__struct_encode_fields__, shape.__struct_config__.tag_field}


def _strangers(shape: type[Any], fields: Mapping[str, Any]) -> dict[str, str]:
    return {
        clean(str(name)): f"not a field of {tag_of(shape)}" for name in fields if name not in _known(shape)
    }


def _wrong_fields(shape: type[Any], fields: Mapping[str, Any]) -> dict[str, str]:
    """Each field tried alone, because msgspec stops at the first."""
    wrong = {}
    for field in msgspec.structs.fields(shape):
        if field.encode_name not in fields:
            if field.required:
                wrong[field.encode_name] = "is needed"
            continue
        try:
            _convert(fields[field.encode_name], field.type)
        except UNREADABLE as error:
            wrong[field.encode_name] = clean(str(error))
    return wrong


def _unknown(name: str) -> Refused:
    return own("UNKNOWN_COMMAND", f"There is no command {clean(name)!r} here.", status=422)
