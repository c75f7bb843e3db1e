"""manage.py forget_receipts: deletes the receipts of presses that nobody repeats any more."""

from typing import Any

from django.core.management.base import BaseCommand

from pit.record.receipts import forget_receipts
from pit.web import clock


class Command(BaseCommand):
    help = "Deletes receipts older than a month. Entries are never deleted."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Forgot {forget_receipts(clock.now())} receipts.")
