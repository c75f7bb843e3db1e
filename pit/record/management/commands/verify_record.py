"""manage.py verify_record [STREAM …] [--note FILE] [--against FILE]: is the Record whole? Exit 1 when it is not."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from pit.record.models import Event, Stream
from pit.record.verify import Anchor, anchors, verify
from pit.web import clock


class Command(BaseCommand):
    help = "Checks every hash chain, head and projection; names each stream and seq that broke and exits 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("stream", nargs="*", help="only these streams, as table:12")
        parser.add_argument("--note", type=Path, help="write every head to this file, to be kept elsewhere")
        parser.add_argument("--against", type=Path, help="check the heads noted in this file too")

    def handle(self, *args: Any, **options: Any) -> None:
        noted = None
        if options["against"]:
            noted = msgspec.json.decode(options["against"].read_bytes(), type=dict[str, Anchor])
        faults = 0
        for fault in verify(options["stream"] or None, noted=noted, now=clock.now()):
            faults += 1
            place = f"{fault.stream} seq {fault.seq}" if fault.stream else "the Record"
            self.stderr.write(f"{place}: {fault.what}")
        if faults:
            self.stderr.write(f"The Record does not hold: {faults} found.")
            sys.exit(1)
        if options["note"]:
            options["note"].write_bytes(msgspec.json.format(msgspec.json.encode(anchors()), indent=1))
        self.stdout.write(
            f"The Record is whole: {Stream.objects.count()} streams, {Event.objects.count()} entries."
        )
