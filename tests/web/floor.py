"""What the tests of pages and commands share: a floorperson at a table, and the press in one line."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client

from tables.models import Table

JSON = {"Accept": "application/json"}
HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/pits/1/"}


def press(
    client: Client, table: Table, command: str, fields: dict[str, Any] | None = None, **more: Any
) -> HttpResponse:
    """The command as a program sends it, with a key of its own unless one is given."""
    return client.post(
        f"/tables/{table.pk}/{command}",
        json.dumps({"key": uuid4().hex} | (fields or {}) | more),
        content_type="application/json",
        headers=JSON,
    )


def tap(client: Client, table: Table, command: str, **fields: Any) -> HttpResponse:
    """The command as a form of the sheet sends it."""
    return client.post(f"/tables/{table.pk}/{command}", fields, headers=HTMX)
