"""manage.py rebuild_projection [STREAM …]: state, deadlines and projections again from the entries."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from pit.record.models import Stream
from pit.record.rebuild import rebuild
from pit.record.replay import Broken
from pit.web import clock


class Command(BaseCommand):
    help = (
        "Folds each stream anew and writes state, deadlines and projections; exits 1 where a chain is broken."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("stream", nargs="*", help="only these streams, as table:12")

    def handle(self, *args: Any, **options: Any) -> None:
        streams = options["stream"] or Stream.objects.order_by("name").values_list("name", flat=True)
        broken = 0
        for stream in streams:
            try:
                rebuild(stream, now=clock.now())
            except (Broken, LookupError) as error:
                broken += 1
                self.stderr.write(f"{stream} seq {error}" if isinstance(error, Broken) else str(error))
        if broken:
            sys.exit(1)
        self.stdout.write(f"Rebuilt {len(streams)} streams.")
