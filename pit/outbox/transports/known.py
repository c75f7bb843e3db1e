"""The ways outside: e-mail and webhook. Each sends a batch and says of each parcel what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pit.outbox.transports import email, webhook
from pit.outbox.transports.base import Parcel, Result

TRANSPORTS: dict[str, Callable[[Sequence[Parcel]], list[Result]]] = {
    "email": email.send,
    "webhook": webhook.send,
}
