"""10,000 outbox messages with two workers against a bare loop that sends 10,000 ready messages over one SMTP connection.

The workers claim rows, draw plain text and HTML, send, and write down attempt and outcome, durable. The bare side has its
messages ready and writes nothing. Nothing is killed: no message may arrive twice.
"""

from __future__ import annotations

import smtplib
import subprocess
import sys
import time
from email.message import EmailMessage
from typing import Any

from tests.bench.harness import Env, at_least, row

MESSAGES = 10_000
WORKERS = 2


def measure(env: Env) -> list[dict[str, Any]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.postbox"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        port = int(_said(server))
        try:
            bare = _bare(port)
            _ask(server, "forget")
            ours = _workers(port)
            taken, different = map(int, _ask(server, "count").split())
        finally:
            server.kill()
    assert taken == different == MESSAGES, (taken, different)
    return [
        row(
            f"outbox, {WORKERS} workers against a bare SMTP loop",
            [bare / ours],
            target=at_least(0.5),
            messages=MESSAGES,
            twice=taken - different,
            ours_per_second=round(MESSAGES / ours),
            bare_per_second=round(MESSAGES / bare),
        )
    ]


def _bare(port: int) -> float:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Card unsuitable", "pitstand@localhost", "office@example.test"
    mail.set_content("Table BJ-01. A card is bent.")
    mail.add_alternative("<p>Table BJ-01. A card is bent.</p>", subtype="html")
    text = mail.as_bytes()
    with smtplib.SMTP("127.0.0.1", port, local_hostname="localhost") as connection:
        begin = time.perf_counter()
        for number in range(MESSAGES):
            ready = b"Message-ID: <%d@bare>\r\n" % number + text
            connection.sendmail("pitstand@localhost", ["office@example.test"], ready)
        return time.perf_counter() - begin


def _workers(port: int) -> float:
    _fill()
    command = [sys.executable, "-m", "tests.bench.outbox_worker", str(port)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    workers = [subprocess.Popen(command, **pipes) for _ in range(WORKERS)]
    for worker in workers:
        _said(worker)
    begin = time.perf_counter()
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    sent = sum(int(_said(worker)) for worker in workers)
    seconds = time.perf_counter() - begin
    for worker in workers:
        worker.communicate()
    assert sent == MESSAGES, sent
    return seconds


def _fill() -> None:
    from pit.floor.models import Property
    from pit.outbox.models import Channel, Delivery, Message, Route, Status
    from pit.web import clock

    now = clock.now()
    place, _ = Property.objects.get_or_create(
        key="bench-outbox", defaults={"name": "Bench", "jurisdiction": "ny"}
    )
    route = Route.objects.create(
        property=place,
        group="commission_staff",
        channel=Channel.EMAIL,
        name="Office",
        address="office@example.test",
    )
    messages = [
        Message(
            notification="unsuitable_card",
            property_id=place.pk,
            stream="table:1",
            seq=number,
            groups='["commission_staff"]',
            subject="Card unsuitable",
            body="Table BJ-01. A card is bent.",
            created_at=now,
            expanded_at=now,
        )
        for number in range(MESSAGES)
    ]
    Message.objects.bulk_create(messages, batch_size=1_000)
    told = {"group": route.group, "route": route, "channel": route.channel, "address": route.address}
    Delivery.objects.bulk_create(
        [Delivery(message=one, status=Status.PENDING, next_try_at=now, **told) for one in messages],
        batch_size=1_000,
    )


def _ask(server: Any, what: str) -> str:
    server.stdin.write(f"{what}\n")
    server.stdin.flush()
    return _said(server)


def _said(process: Any) -> str:
    line: str = process.stdout.readline()
    return line
