"""The client of the contract over HTTP: bounded in time, size and shape, and never anywhere but where it was told to.

Redirects are not followed, no proxy, cookie or compressed body is taken, and nothing of an answer is used unless all of
it is right.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TypeVar

import aiohttp
import msgspec

from devices.gateways.base import Ask, Heard, Trouble, TroubleKind
from devices.gateways.hosts import allowed
from devices.gateways.secrets import MissingSecret, Secrets
from devices.gateways.wire import LARGEST_BODY, MOST_EVENTS, Answer, Happening, Journal, Snapshot

CONNECT_S, READ_S, WHOLE_S = 1.0, 2.0, 4.0
"""Seconds to connect, between two pieces of an answer, and for everything asked of one gateway."""
AT_ONCE = 100
"""Gateways that are asked at the same time by one task."""
LONGEST_WAIT_S = 3600.0
"""A gateway that asks us to come back later than this is asked again after this."""
KEPT_BODY = 2_000
HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "Pitstand"}

Shape = TypeVar("Shape", bound=Answer)
_SNAPSHOT = msgspec.json.Decoder(Snapshot)
_JOURNAL = msgspec.json.Decoder(Journal)


class Failed(Exception):
    """An answer that cannot be used."""

    def __init__(
        self, kind: TroubleKind, detail: str = "", *, body: bytes = b"", retry: float | None = None
    ) -> None:
        super().__init__(kind)
        self.trouble = Trouble(
            kind=kind, detail=detail[:300], body=body[:KEPT_BODY], size=len(body), retry_after_s=retry
        )


class Client:
    """Speaks to many gateways in one loop. `secrets`: the folder where tokens and certificates are. `keep`: connections
    stay open from one call to the next, which must then come from the same loop."""

    def __init__(
        self, *, now: Callable[[], datetime], secrets: Path, hosts: Sequence[str] = (), keep: bool = False
    ) -> None:
        self._now, self._secrets, self._hosts, self._keep = now, Secrets(secrets), hosts, keep
        self._session: aiohttp.ClientSession | None = None

    async def __call__(self, asks: Sequence[Ask], /) -> AsyncIterator[Heard]:
        """Each answer as soon as it is there; one gateway that hangs holds up nobody else's."""
        if self._session is None or self._session.closed:
            self._session = _session()
        waiting = asyncio.Semaphore(AT_ONCE)
        try:
            tasks = [asyncio.create_task(self._one(self._session, ask, waiting)) for ask in asks]
            for done in asyncio.as_completed(tasks):
                yield await done
        finally:
            if not self._keep:
                await self.close()

    async def close(self) -> None:
        """Closes what is open."""
        if self._session is not None:
            await self._session.close()

    async def _one(self, session: aiohttp.ClientSession, ask: Ask, waiting: asyncio.Semaphore) -> Heard:
        async with waiting:
            began, loop = self._now(), asyncio.get_running_loop()
            clock = loop.time()
            try:
                async with asyncio.timeout(WHOLE_S):
                    heard = await self._ask(session, ask, began)
            except Failed as failed:
                heard = self._trouble(ask, began, failed.trouble)
            except (aiohttp.ClientError, OSError, ssl.SSLError, ValueError, MissingSecret) as error:
                heard = self._trouble(ask, began, _told(error))
            return msgspec.structs.replace(heard, took_ms=round((loop.time() - clock) * 1000))

    def _trouble(self, ask: Ask, began: datetime, trouble: Trouble) -> Heard:
        return Heard(ask=ask, asked_at=began, heard_at=self._now(), trouble=trouble)

    async def _ask(self, session: aiohttp.ClientSession, ask: Ask, began: datetime) -> Heard:
        """The snapshot first and then the journal, so that an exchanged device is known before its entries are read."""
        if not allowed(ask.url, self._hosts):
            raise Failed("NOT_ALLOWED", ask.url)
        call = Call(session, ask, headers=self._secrets.headers(ask), tls=self._secrets.tls(ask))
        snapshot, etag = await call.snapshot()
        asked_at = self._now()
        journal = await call.journal(boot=ask.boot, after=ask.cursor)
        restarted = bool(ask.boot) and journal.boot != ask.boot
        if restarted:
            asked_at = self._now()
            journal = await call.journal(boot=journal.boot, after=0)
        _check(ask, journal, snapshot, after=0 if restarted else ask.cursor)
        events, duplicates = _once(journal.events)
        journal = msgspec.structs.replace(journal, events=events)
        return Heard(
            ask=ask,
            asked_at=asked_at,
            heard_at=self._now(),
            snapshot=snapshot,
            etag=etag,
            journal=journal,
            restarted=restarted,
            duplicates=duplicates,
        )


def _session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=AT_ONCE, limit_per_host=0),
        timeout=aiohttp.ClientTimeout(total=WHOLE_S, sock_connect=CONNECT_S, sock_read=READ_S),
        headers=HEADERS,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
    )


class Call:
    """The two questions to one gateway."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        ask: Ask,
        *,
        headers: Mapping[str, str],
        tls: ssl.SSLContext | bool,
    ) -> None:
        self._session, self._ask, self._headers, self._tls = session, ask, dict(headers), tls

    async def snapshot(self) -> tuple[Snapshot | None, str]:
        """The devices, or None where they are as before; with the tag of this version."""
        tag = {"If-None-Match": self._ask.etag} if self._ask.etag else {}
        status, body, etag = await self._get("/v1/devices", {}, tag)
        if status == 304:
            if not tag:
                raise Failed("STATUS", "304 where nothing was asked about")
            return None, self._ask.etag
        return _read(body, _SNAPSHOT), etag[:80]

    async def journal(self, *, boot: str, after: int) -> Journal:
        """The entries after that cursor."""
        query = {"after": str(after), "limit": str(MOST_EVENTS)} | ({"boot": boot} if boot else {})
        _, body, _ = await self._get("/v1/events", query, {})
        return _read(body, _JOURNAL)

    async def _get(
        self, path: str, query: Mapping[str, str], headers: Mapping[str, str]
    ) -> tuple[int, bytes, str]:
        url = self._ask.url.rstrip("/") + path
        async with self._session.get(
            url, params=query, headers=self._headers | dict(headers), allow_redirects=False, ssl=self._tls
        ) as answer:
            if answer.status == 304:
                return 304, b"", ""
            await _fits(answer)
            body = await _bounded(answer)
            if answer.content_type != "application/json":
                raise Failed("NOT_JSON", answer.content_type, body=body)
            return answer.status, body, answer.headers.get("ETag", "")


async def _fits(answer: aiohttp.ClientResponse) -> None:
    """Raises Failed for every status but 200."""
    status = answer.status
    if status == 200:
        return
    if status in (401, 403):
        raise Failed("CREDENTIALS", f"status {status}")
    if 300 <= status < 400:
        raise Failed("REDIRECT", answer.headers.get("Location", ""))
    wait = _wait(answer.headers.get("Retry-After", ""), answer.headers.get("Date", ""))
    if status in (429, 503) and wait is not None:
        raise Failed("ASKED_TO_WAIT", f"{wait:.0f} s", retry=wait)
    raise Failed("STATUS", f"status {status}")


def _wait(text: str, date: str) -> float | None:
    """Seconds of a Retry-After, as a number or as an HTTP date measured against the answer's own date."""
    if text.isdecimal() and len(text) < 10:
        return min(float(text), LONGEST_WAIT_S)
    try:
        seconds = (parsedate_to_datetime(text) - parsedate_to_datetime(date)).total_seconds()
    except (TypeError, ValueError):
        return None
    return min(max(seconds, 0.0), LONGEST_WAIT_S)


async def _bounded(answer: aiohttp.ClientResponse) -> bytes:
    """The body, if it is no larger than it may be and came whole. Announced or not, no more than that is read."""
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        raise Failed("NOT_JSON", "compressed, which was not asked for")
    pieces, size = [], 0
    async for piece in answer.content.iter_chunked(65_536):
        size += len(piece)
        pieces.append(piece)
        if size > LARGEST_BODY or (answer.content_length or 0) > LARGEST_BODY:
            raise Failed("TOO_LARGE", f"more than {LARGEST_BODY} bytes", body=pieces[0])
    return b"".join(pieces)


def _read(body: bytes, decoder: msgspec.json.Decoder[Shape]) -> Shape:
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Failed("SCHEMA", str(error), body=body) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Failed("NOT_JSON", str(error), body=body) from None


def _check(ask: Ask, journal: Journal, snapshot: Snapshot | None, *, after: int) -> None:
    """What a schema cannot say: whose answer it is, and that the journal only grows."""
    for told in (journal, snapshot):
        if told is not None and told.gateway != ask.name:
            raise Failed("OTHER_GATEWAY", told.gateway)
    ids = [one.id for one in journal.events]
    last = max(ids, default=after)
    if journal.cursor < after or any(one <= after for one in ids) or journal.cursor < last:
        raise Failed(
            "CURSOR_WENT_BACK",
            f"asked after {after}, got {journal.cursor}",
            body=msgspec.json.encode(journal),
        )
    if ids != sorted(ids):
        raise Failed("CURSOR_WENT_BACK", "entries out of order", body=msgspec.json.encode(journal))


def _once(events: Sequence[Happening]) -> tuple[list[Happening], int]:
    """Each entry once; two entries of one number that differ make the whole answer useless."""
    kept: list[Happening] = []
    for one in events:
        if kept and kept[-1].id == one.id:
            if kept[-1] != one:
                raise Failed("OTHER_ENTRY", f"entry {one.id}", body=msgspec.json.encode(one))
            continue
        kept.append(one)
    return kept, len(events) - len(kept)


def _told(error: Exception) -> Trouble:
    """An exception of the network as a trouble."""
    kind: TroubleKind = "UNREACHABLE"
    if isinstance(error, TimeoutError):
        kind = "TIMEOUT"
    elif isinstance(error, aiohttp.ClientSSLError | ssl.SSLError | MissingSecret):
        kind = "CREDENTIALS" if isinstance(error, MissingSecret) else "TLS"
    elif isinstance(error, aiohttp.ClientPayloadError):
        kind = "BROKEN_OFF"
    elif isinstance(error, aiohttp.ClientResponseError):
        kind = "NOT_JSON"
    return Trouble(kind=kind, detail=f"{type(error).__name__}: {error}"[:300])
