"""manage.py hash_secret: the argon2 hash of a password or PIN, for a floor file."""

from __future__ import annotations

from getpass import getpass
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Asks for the secret, so that it stands in no shell history."""

    help = "Prints the argon2 hash of a password or PIN that it asks for."

    def handle(self, *args: Any, **options: Any) -> None:
        secret = getpass("Secret: ")
        if not secret or secret != getpass("Again: "):
            raise CommandError("The two are not the same.")
        self.stdout.write(make_password(secret))
