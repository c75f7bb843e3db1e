"""The one clock. Read at the edge and handed inwards as `now`."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present instant, UTC."""
    return datetime.now(UTC)
