"""Trying one gateway against the contract, in the order in which its builder would."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from devices import makers
from devices.domain.fitness import SKEW_TOLD_MS
from devices.gateways.base import TROUBLE_WORDS, Ask, Heard
from devices.gateways.http_json import Client


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was tried."""

    verdict: Literal["well", "note", "wrong"]
    text: str

    def __str__(self) -> str:
        return f"{ {'well': 'ok   ', 'note': 'note ', 'wrong': 'WRONG'}[self.verdict] } {self.text}"


async def check(
    url: str, *, name: str, credential: str, now: Callable[[], datetime], secrets: Path, pause_s: float = 1.0
) -> list[Line]:
    """Asks three times: from the beginning, after what was read, and with the tag of the snapshot."""
    client = Client(now=now, secrets=secrets)
    name = name or await _name(client, url, credential)
    ask = Ask(gateway=0, name=name, url=url, credential=credential)
    first = await _one(client, ask)
    lines = _first(first)
    if first.trouble is not None or first.journal is None:
        return lines
    await asyncio.sleep(pause_s)
    again = msgspec.structs.replace(
        ask, boot=first.journal.boot, cursor=first.journal.cursor, etag=first.etag
    )
    second = await _one(client, again)
    lines += _second(first, second)
    if credential and not url.startswith("https:"):
        lines.append(Line(verdict="note", text="its token goes over the wire unprotected: use https"))
    return lines


async def _name(client: Client, url: str, credential: str) -> str:
    """The name that it gives itself, where we were told none."""
    heard = await _one(client, Ask(gateway=0, name="?", url=url, credential=credential))
    trouble = heard.trouble
    return trouble.detail if trouble is not None and trouble.kind == "OTHER_GATEWAY" else "?"


async def _one(client: Client, ask: Ask) -> Heard:
    (heard,) = [one async for one in client([ask])]
    return heard


def _first(heard: Heard) -> list[Line]:
    trouble = heard.trouble
    if trouble is not None:
        where = f" ({trouble.detail})" if trouble.detail else ""
        lines = [Line(verdict="wrong", text=f"{trouble.kind}: it {TROUBLE_WORDS[trouble.kind]}{where}")]
        if trouble.body:
            lines.append(
                Line(verdict="note", text=f"it said: {trouble.body[:200].decode('utf-8', 'replace')}")
            )
        return lines
    assert heard.journal is not None
    assert heard.snapshot is not None
    return [
        Line(
            verdict="well", text=f"{heard.ask.name} answers in {heard.took_ms} ms, boot {heard.journal.boot}"
        ),
        Line(
            verdict="well", text=f"devices: {', '.join(one.id for one in heard.snapshot.devices) or 'none'}"
        ),
        _clock(heard),
        _tag(heard),
        *_codes(heard),
        *_numbers(heard),
    ]


def _clock(heard: Heard) -> Line:
    skew = heard.skew_ms or 0
    text = f"its clock is {abs(skew)} ms {'ahead of' if skew > 0 else 'behind'} ours"
    return Line(verdict="note" if abs(skew) > SKEW_TOLD_MS else "well", text=text)


def _tag(heard: Heard) -> Line:
    if heard.etag:
        return Line(verdict="well", text="its snapshot has an ETag")
    return Line(verdict="note", text="its snapshot has no ETag: it is sent and read whole each time")


def _codes(heard: Heard) -> list[Line]:
    """Codes in the journal that no table here knows."""
    assert heard.snapshot is not None
    assert heard.journal is not None
    known = {one.id: makers.table_of(one.maker, one.model) for one in heard.snapshot.devices}
    strange = {
        f"{one.device} {one.code}"
        for one in heard.journal.events
        if one.device in known and known[one.device].of(one.code) is None
    }
    lost = {one.device for one in heard.journal.events} - set(known)
    lines = [Line(verdict="note", text=f"code that no table here knows: {text}") for text in sorted(strange)]
    return lines + [
        Line(verdict="wrong", text=f"entries of a device not in the snapshot: {one}") for one in sorted(lost)
    ]


def _numbers(heard: Heard) -> list[Line]:
    assert heard.journal is not None
    ids = [one.id for one in heard.journal.events]
    lines = []
    if heard.duplicates:
        lines.append(Line(verdict="wrong", text=f"{heard.duplicates} entries came twice"))
    if ids and ids != list(range(ids[0], ids[0] + len(ids))):
        lines.append(Line(verdict="wrong", text="numbers of the journal are left out"))
    return lines


def _second(first: Heard, second: Heard) -> list[Line]:
    if second.trouble is not None:
        return _first(second)
    assert first.journal is not None
    assert second.journal is not None
    lines = []
    if second.restarted:
        lines.append(Line(verdict="wrong", text="its boot changed from one question to the next"))
    seen = {one.id for one in first.journal.events}
    if seen & {one.id for one in second.journal.events}:
        lines.append(Line(verdict="wrong", text="it gives entries again that were before the cursor"))
    else:
        lines.append(
            Line(verdict="well", text=f"after {second.ask.cursor} it goes on with {second.journal.cursor}")
        )
    if first.etag and second.snapshot is not None and first.etag == second.etag:
        lines.append(Line(verdict="note", text="it sends the same snapshot again instead of 304"))
    return lines
