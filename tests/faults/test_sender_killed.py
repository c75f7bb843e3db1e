"""Workers that are killed at any moment of sending lose no message; one that may have gone twice bears one id."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from pit.outbox.deliver import deliver_all
from pit.outbox.models import Attempt, Channel, Delivery, Message, Route, Status
from pit.record.contract import Message as Told
from pit.web import clock
from tests.people import make_property
from tests.receivers import smtp_server

pytestmark = pytest.mark.django_db(transaction=True)
WORKER = Path(__file__).with_name("sending_worker.py")
MESSAGES = 40
KILLS = 4


def worker(port: int) -> subprocess.Popen[bytes]:
    name = str(connection.settings_dict["NAME"])
    return subprocess.Popen([sys.executable, str(WORKER), name, str(port)], stderr=subprocess.DEVNULL)


def test_no_message_is_lost_and_a_second_copy_bears_the_first_one_s_id():
    place, dice = make_property(), random.Random(11)
    Route.objects.create(
        property=place,
        group="commission_staff",
        channel=Channel.EMAIL,
        name="Office",
        address="o@example.test",
    )
    told = [
        Told(notification="unsuitable_card", to=("commission_staff",), subject=f"Card {number}", body="Bent.")
        for number in range(MESSAGES)
    ]
    Message.objects.post(told, stream="table:1", seq=1, property_id=place.pk, now=clock.now())
    deliver_all(clock.now())
    outside = Delivery.objects.filter(channel="email")
    with smtp_server() as box:
        box.hang = 0.02  # so that there is something to die in
        for _ in range(KILLS):
            running, before = worker(box.port), len(box.mails)
            _until(lambda before=before: len(box.mails) >= before + dice.randrange(1, 6))
            running.send_signal(signal.SIGKILL)
            running.wait()
        running = worker(box.port)
        try:
            _until(lambda: not outside.exclude(status=Status.SENT).exists())
        finally:
            running.kill()
            running.wait()
    ids = Counter(mail["Message-ID"] for mail in box.mails)
    assert set(ids) == {f"<{one.message_id_header}>" for one in outside}
    assert len(ids) == MESSAGES
    twice = [header for header, copies in ids.items() if copies > 1]
    uncertain = set(Attempt.objects.filter(outcome="uncertain").values_list("delivery_id", flat=True))
    assert {int(header.rpartition(".")[2].partition("@")[0]) for header in twice} <= uncertain


def _until(holds, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)
