"""manage.py read_bounce < mail: what a mail server sends back. A pipe of the mailbox that the sender's address leads to."""

from __future__ import annotations

import re
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pit.outbox.fallback import bounced
from pit.web import clock

OURS = re.compile(rb"<([0-9a-f-]{36}\.\d{1,18}@pitstand)>")
STATUS = re.compile(rb"^(?:Status|Diagnostic-Code):\s*(.{1,150})", re.MULTILINE | re.IGNORECASE)
LONGEST = 2_000_000


class Command(BaseCommand):
    help = "Reads a bounced mail from standard input: the delivery that it names came back."

    def handle(self, *args: Any, **options: Any) -> None:
        mail = sys.stdin.buffer.read(LONGEST)
        why = b"; ".join(one.strip() for one in STATUS.findall(mail)).decode("utf-8", "replace")
        found = [one.decode() for one in dict.fromkeys(OURS.findall(mail))]
        back = [one for header in found if (one := bounced(header, why=why or "returned", now=clock.now()))]
        if not back:
            raise CommandError("No mail of ours, or known already.")
        for one in back:
            self.stdout.write(f"{one.recipient}: {one.error}")
