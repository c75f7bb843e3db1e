"""manage.py export_record STREAM …: entries as lines of JSON, for the stand-alone verifier of docs/record.md."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from pit.record.export import lines


class Command(BaseCommand):
    help = "Writes the entries of these streams to standard output, one JSON object a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("stream", nargs="+", help="as table:12")

    def handle(self, *args: Any, **options: Any) -> None:
        for stream in options["stream"]:
            for line in lines(stream):
                self.stdout.write(line)
