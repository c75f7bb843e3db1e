"""What is written to the log: one line a record, with the request's name, and nothing that a stranger could forge."""

from __future__ import annotations

import logging
import re

import structlog

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Line(logging.Formatter):
    """A record as one line: a line break in what somebody typed must not look like a record of its own.

    A traceback follows on lines of its own, as always.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return _CONTROL.sub(_visible, super().formatMessage(record))


def _visible(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]):02x}"


def configure() -> None:
    """Sends structlog's records the way of all others: their level, their handler, their line."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["event"]),
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
