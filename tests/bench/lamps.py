"""The house of the live bench: one pit of lamps, signed-in people, and changes as the door's hook sends them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from pit.live import wire
from pit.live.build import build_id
from pit.live.store import store

TILE = "x" * 1400
"""With its frame about the 1.5 kB of a table's tile."""


class Pit:
    """A pit with sessions for its listeners."""

    def __init__(self, *, sessions: int) -> None:
        from tests.people import make_property, make_staff

        key = f"bench-{time.monotonic_ns() % 10**9}"
        self.place = make_property(key, pits=1)
        self.pit = self.place.pits.get()
        self.staff = make_staff(self.place, "floorperson", pits=(1,))
        self.cookies = [self._session() for _ in range(sessions)]
        self._seq = 0

    @property
    def path(self) -> str:
        return f"/ws/pits/{self.pit.pk}/"

    def cookie(self, number: int) -> str:
        return f"Cookie: sessionid={self.cookies[number % len(self.cookies)]}\r\n"

    def tile(self, streams: int = 1) -> wire.Tile:
        """The next version of the next of so many streams."""
        self._seq += 1
        return wire.Tile(f"lamp:{self._seq % streams}", self._seq, TILE)

    def publish(self, tile: wire.Tile) -> None:
        """As `pit.live.publish` does after a commit."""
        key = wire.tiles_key(self.place.pk, build_id())
        store().publish([(key, self.pit.topic, self.place.pk, tile)])

    def _session(self) -> str:
        from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
        from django.contrib.sessions.backends.db import SessionStore
        from django.contrib.sessions.models import Session

        from pit.people.sessions import ACTIVE_AT

        made, now = SessionStore(), datetime.now(UTC)
        made._session_key = made._get_new_session_key()
        data: dict[str, Any] = {
            SESSION_KEY: str(self.staff.pk),
            BACKEND_SESSION_KEY: "pit.people.backends.PasswordBackend",
            HASH_SESSION_KEY: self.staff.get_session_auth_hash(),
            ACTIVE_AT: now.isoformat(),
        }
        Session.objects.create(
            session_key=made.session_key,
            session_data=made.encode(data),
            expire_date=now + timedelta(days=1),
        )
        return str(made.session_key)
