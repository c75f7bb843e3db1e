"""E-mail by SMTP through Django: plain text and HTML, one connection a batch, the same Message-ID on every attempt."""

from __future__ import annotations

import smtplib
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string

from pit.outbox.transports.base import Parcel, Result

NOT_SET_UP = Result(outcome="permanent", detail="No mail server is set up (PITSTAND_EMAIL_URL).")

NOT_TRIED = Result(outcome="temporary", detail="The mail server did not answer the one before.", away=True)
"""One time-out a batch: a server that hangs must not hold a worker for longer than its claim."""


def send(parcels: Sequence[Parcel]) -> list[Result]:
    """Sends them one after the other over one connection, which is opened again after it broke."""
    if not settings.EMAIL_IS_SET_UP:
        return [NOT_SET_UP] * len(parcels)
    connection = get_connection(timeout=settings.EMAIL_TIMEOUT)
    results: list[Result] = []
    try:
        for parcel in parcels:
            away = bool(results) and results[-1].away
            results.append(NOT_TRIED if away else _one(parcel, connection))
    finally:
        _close(connection)
    return results


def _one(parcel: Parcel, connection: Any) -> Result:
    try:
        connection.open()  # stays open for the next; `send` alone would close it
        _mail(parcel, connection).send()
    except smtplib.SMTPRecipientsRefused as refused:
        return _by_code(max(code for code, _ in refused.recipients.values()), str(refused))
    except smtplib.SMTPResponseException as refused:
        if not 500 <= refused.smtp_code < 600:
            _close(connection)
        return _by_code(refused.smtp_code, _text(refused.smtp_error))
    except ValueError as wrong:  # an address or a subject that no mail can have
        return Result(outcome="permanent", detail=str(wrong))
    except (OSError, smtplib.SMTPException) as away:  # away, hanging, or broken off in the middle
        _close(connection)
        return Result(outcome="temporary", detail=f"{type(away).__name__}: {away}", away=True)
    return Result(outcome="sent")


def _mail(parcel: Parcel, connection: Any) -> EmailMultiAlternatives:
    headers = {
        "Message-ID": f"<{parcel.id}>",
        "X-Pitstand-Notification": parcel.notification,
        "X-Pitstand-Entry": f"{parcel.stream} {parcel.seq}",
        "Auto-Submitted": "auto-generated",
    }
    if parcel.attempt > 1:
        headers["X-Pitstand-Attempt"] = str(parcel.attempt)
    mail = EmailMultiAlternatives(
        subject=" ".join(parcel.subject.split()),
        body=render_to_string("outbox/mail.txt", {"parcel": parcel}),
        to=[parcel.address],
        headers=headers,
        connection=connection,
    )
    mail.attach_alternative(render_to_string("outbox/mail.html", {"parcel": parcel}), "text/html")
    return mail


def _by_code(code: int, detail: str) -> Result:
    """4xx is for now, 5xx for good (RFC 5321); whatever else it says, it did not take the mail."""
    return Result(outcome="permanent" if 500 <= code < 600 else "temporary", detail=f"{code} {detail}")


def _text(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


def _close(connection: Any) -> None:
    try:
        connection.close()
    except (OSError, smtplib.SMTPException):
        connection.connection = None
