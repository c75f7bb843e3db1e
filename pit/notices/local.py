"""A local time of the property as an instant: what a form can bring and a clock cannot."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from pit.record.contract import Refused

LONGEST = 32


def instant(text: str, *, zone: ZoneInfo, fold: str = "") -> datetime | Refused:
    """ "2026-11-01T01:30" at the property as UTC; with an offset it is an instant already.

    NONEXISTENT_LOCAL_TIME for an hour that the clocks skip, AMBIGUOUS_LOCAL_TIME for one that comes twice while `fold` is
    neither "0" (the first) nor "1" (the second), MALFORMED for no time at all.
    """
    try:
        local = datetime.fromisoformat(text.strip()[:LONGEST])
        if local.tzinfo is not None:
            return local.astimezone(UTC)
        first, second = (local.replace(tzinfo=zone, fold=one).astimezone(UTC) for one in (0, 1))
    except (ValueError, OverflowError):
        return _refused("MALFORMED", "Give date and time of day.")
    if all(one.astimezone(zone).replace(tzinfo=None) != local for one in (first, second)):
        return _refused(
            "NONEXISTENT_LOCAL_TIME", "This time does not exist: the clocks go forward that night."
        )
    if first != second and fold not in ("0", "1"):
        return _refused("AMBIGUOUS_LOCAL_TIME", "This time comes twice that night: say which.")
    return second if fold == "1" else first


def _refused(code: str, message: str) -> Refused:
    return Refused(
        code=code, clause="pitstand", message=message, status=422, fields={"effective_at": message}
    )
