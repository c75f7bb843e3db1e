"""E-mail by SMTP through Django: plain text and HTML, one connection a batch, the same Message-ID on every attempt."""

from __future__ import annotations

import re
import smtplib
from base64 import encodebytes
from collections.abc import Sequence
from email.header import Header
from email.utils import formatdate, parseaddr
from typing import Any

from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend
from django.template.loader import render_to_string

from pit.outbox.transports.base import Parcel, Result

_ADDRESS = re.compile(r"[!-?A-~]+@[!-?A-~]+")
NOT_SET_UP = Result(outcome="permanent", detail="No mail server is set up (PITSTAND_EMAIL_URL).")

NOT_TRIED = Result(outcome="temporary", detail="The mail server did not answer the one before.", away=True)
"""One time-out a batch: a server that hangs must not hold a worker for longer than its claim."""


def send(parcels: Sequence[Parcel]) -> list[Result]:
    """Sends them one after the other over one connection, which is opened again after it broke."""
    if not settings.EMAIL_IS_SET_UP:
        return [NOT_SET_UP] * len(parcels)
    connection = EmailBackend(timeout=settings.EMAIL_TIMEOUT)
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
        connection.open()  # when it is not open yet, or broke
        connection.connection.sendmail(
            parseaddr(settings.DEFAULT_FROM_EMAIL)[1], [parcel.address], _mail(parcel)
        )
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


def _mail(parcel: Parcel) -> bytes:
    """The whole mail as it goes over the wire. Written here because Python's generator takes ten times as long."""
    boundary = f"=_{parcel.id.partition('.')[0]}"
    parts = (("plain", "outbox/mail.txt"), ("html", "outbox/mail.html"))
    lines = [
        *(f"{name}: {value}" for name, value in _headers(parcel).items()),
        f'Content-Type: multipart/alternative; boundary="{boundary}"',
        "",
    ]
    for kind, template in parts:
        text = encodebytes(render_to_string(template, {"parcel": parcel}).encode()).decode()
        lines += [
            f"--{boundary}",
            f'Content-Type: text/{kind}; charset="utf-8"',
            "Content-Transfer-Encoding: base64",
            "",
            *text.splitlines(),
        ]
    return "\r\n".join([*lines, f"--{boundary}--", ""]).encode("ascii")


def _headers(parcel: Parcel) -> dict[str, str]:
    """ValueError for an address that no mail can have."""
    if not _ADDRESS.fullmatch(parcel.address):
        raise ValueError(f"{parcel.address!r} is no e-mail address")
    subject = " ".join(parcel.subject.split())
    headers = {
        "Subject": subject
        if subject.isascii() and len(subject) < 60
        else Header(subject, "utf-8").encode("\r\n"),
        "From": settings.DEFAULT_FROM_EMAIL,
        "To": parcel.address,
        "Date": formatdate(parcel.now.timestamp()),
        "Message-ID": f"<{parcel.id}>",
        "MIME-Version": "1.0",
        "Auto-Submitted": "auto-generated",
        "X-Pitstand-Notification": parcel.notification,
        "X-Pitstand-Entry": f"{parcel.stream} {parcel.seq}",
    }
    again = {"X-Pitstand-Attempt": str(parcel.attempt)} if parcel.attempt > 1 else {}
    return headers | again


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
