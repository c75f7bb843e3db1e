"""How well a gateway or device is, computed from the clock at the moment somebody looks: no worker has to say it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

Health = Literal["unknown", "well", "troubled", "silent", "off"]
HEALTH_WORDS: dict[str, str] = {
    "unknown": "Not heard yet",
    "well": "Heard",
    "troubled": "Trouble",
    "silent": "Silent",
    "off": "Switched off",
}
SKEW_TOLD_MS = 5_000
"""A clock that is further off than this is shown as a trouble of its own."""


def health(
    *, active: bool, heard_at: datetime | None, trouble: str, grace: timedelta, now: datetime
) -> Health:
    """Unknown until first heard; in trouble at once; silent only after the grace; never well by default."""
    if not active:
        return "off"
    if heard_at is None:
        return "unknown"
    if now - heard_at > grace:
        return "silent"
    return "troubled" if trouble else "well"


def next_poll(
    *, now: datetime, interval: timedelta, failures: int, asked: float | None, chance: float
) -> datetime:
    """When to ask again: the interval while all is well; doubled for each failure up to a minute, of which a random
    half (`chance` 0…1) is taken; never before the moment that the gateway asked for (`asked` seconds)."""
    if failures == 0:
        return now + interval
    longest = max(interval, timedelta(seconds=60))
    pause = min(interval * (1 << min(failures, 10)), longest)
    pause = pause * (0.5 + chance / 2)
    return now + max(pause, timedelta(seconds=asked or 0))


FAR_OFF = timedelta(hours=24)
"""An entry that claims to be older than this is dated with the moment it was heard."""


def instant(told: datetime, *, skew_ms: int, now: datetime) -> datetime:
    """When it happened by our clock: the gateway's own time less its skew; never in the future, never absurdly long ago."""
    at = told - timedelta(milliseconds=skew_ms)
    return now if at > now or now - at > FAR_OFF else at
