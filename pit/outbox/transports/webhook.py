"""Signed webhook (docs/webhook.md): JSON by POST, HMAC over id, time and body; redirects are not followed."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
from asgiref.sync import async_to_sync
from django.conf import settings

from pit.outbox.transports.base import Parcel, Result

VERSION = "v1"
LONGEST_ANSWER = 2_000
TRY_AGAIN = frozenset({408, 425, 429})


def send(parcels: Sequence[Parcel]) -> list[Result]:
    """Sends all of them at once, each with its own time-out."""
    return async_to_sync(_all)(parcels)


async def _all(parcels: Sequence[Parcel]) -> list[Result]:
    timeout = aiohttp.ClientTimeout(total=settings.WEBHOOK_TIMEOUT)
    async with aiohttp.ClientSession(timeout=timeout, trust_env=False) as session:
        return list(await asyncio.gather(*(_one(session, parcel) for parcel in parcels)))


async def _one(session: aiohttp.ClientSession, parcel: Parcel) -> Result:
    if wrong := _wrong(parcel):
        return Result(outcome="permanent", detail=wrong)
    body = body_of(parcel)
    try:
        async with session.post(
            parcel.address, data=body, headers=headers_of(parcel, body), allow_redirects=False
        ) as answer:
            await answer.content.read(LONGEST_ANSWER)
            return _result(answer.status, answer.headers.get("Retry-After", ""))
    except TimeoutError:
        return Result(outcome="temporary", detail=f"No answer within {settings.WEBHOOK_TIMEOUT} s")
    except (aiohttp.ClientError, OSError, ValueError) as away:
        return Result(outcome="temporary", detail=f"{type(away).__name__}: {away}")


def _wrong(parcel: Parcel) -> str:
    """Why this address is never asked, or ""."""
    host = urlsplit(parcel.address).hostname or ""
    if host not in settings.WEBHOOK_HOSTS:
        return f"{host or 'This address'} is not among the allowed hosts (PITSTAND_WEBHOOK_HOSTS)."
    return "" if parcel.secret else "There is no secret to sign with."


def body_of(parcel: Parcel) -> bytes:
    """What the receiver gets."""
    told: dict[str, Any] = {
        "id": parcel.id,
        "ids": parcel.ids or (parcel.id,),
        "notification": parcel.notification,
        "subject": parcel.subject,
        "body": parcel.body,
        "clause": parcel.clause,
        "property": parcel.property,
        "stream": parcel.stream,
        "seq": parcel.seq,
        "created_at": parcel.created_at,
        "attempt": parcel.attempt,
    }
    return msgspec.json.encode(told)


def headers_of(parcel: Parcel, body: bytes) -> dict[str, str]:
    """Id, time of this attempt, signature."""
    stamp = str(int(parcel.now.timestamp()))
    return {
        "Content-Type": "application/json",
        "Pitstand-Id": parcel.id,
        "Pitstand-Timestamp": stamp,
        "Pitstand-Signature": f"{VERSION}={signature(parcel.secret, parcel.id, stamp, body)}",
    }


def signature(secret: str, id: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 in hexadecimal over "<id>.<timestamp>.<body>"."""
    return hmac.new(secret.encode(), f"{id}.{stamp}.".encode() + body, hashlib.sha256).hexdigest()


def _result(status: int, retry_after: str) -> Result:
    detail = f"The receiver answered {status}"
    if 200 <= status < 300:
        return Result(outcome="delivered", detail=detail)
    if 300 <= status < 400:
        return Result(outcome="permanent", detail=f"{detail}; redirects are not followed")
    if status == 410:
        return Result(outcome="permanent", detail=detail, gone=True)
    if status >= 500 or status in TRY_AGAIN:
        seconds = int(retry_after) if retry_after.isdecimal() and len(retry_after) < 7 else None
        return Result(outcome="temporary", detail=detail, retry_after=seconds)
    return Result(outcome="permanent", detail=detail)
