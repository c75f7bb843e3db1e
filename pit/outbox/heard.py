"""Who wants to hear what became of messages. `pit.outbox` knows no notices: they register here."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from pit.outbox.models import Delivery

log = logging.getLogger(__name__)
Listener = Callable[[Sequence[Delivery], datetime], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Calls `listener(deliveries, now)` after something was sent, or acknowledged. It may be called twice, or never:
    a crash in between is the listener's to find."""
    if listener not in _listeners:
        _listeners.append(listener)


def tell(deliveries: Sequence[Delivery], now: datetime) -> None:
    """Runs every listener; one that fails neither stops the others nor unsends what was sent."""
    for listener in _listeners if deliveries else ():
        try:
            listener(deliveries, now)
        except Exception:
            log.exception("A listener of the outbox failed")
