"""Two batches at a shuffler (NY (g), reading A-28), and a device that is out of order (NY (h)(2), reading A-42)."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from tables.domain.wrong import Wrong


class Back(msgspec.Struct, frozen=True, kw_only=True):
    """The back of the cards of a batch. Inside a batch it is one colour and one design by registration."""

    color: str
    design: str = ""


def wrong_backs(one: Back, other: Back) -> Wrong | None:
    """(g)(1): the colours differ; a different design alone does not tell two batches apart."""
    same = one.color.strip().casefold() == other.color.strip().casefold()
    return Wrong(code="BATCH_COLORS_MUST_DIFFER") if same else None


def may_use(batch: str, *, last: str | None, batches: Collection[str] = ()) -> Wrong | None:
    """(g)(3): each batch every other time. `last` is the batch used before, a refused attempt being no use;
    `batches` are the two of this table, when registered: a third one is not the other batch.
    """
    if batches and batch not in batches:
        return Wrong(code="BATCH_MUST_ALTERNATE")
    return Wrong(code="BATCH_MUST_ALTERNATE") if batch == last else None


def may_discard(batch: str, *, rack: Collection[str]) -> Wrong | None:
    """(g)(4): the rack holds cards of one batch only."""
    return Wrong(code="BATCHES_WOULD_INTERMIX") if any(one != batch for one in rack) else None


def may_shuffle(*, by_device: bool, failed: bool, covered: bool, sign: bool) -> Wrong | None:
    """(h)(2): a failed device shuffles nothing, and must be covered or signed before any other method is used."""
    if not failed:
        return None
    if by_device:
        return Wrong(code="DEVICE_OUT_OF_ORDER")
    return None if covered or sign else Wrong(code="COVER_OR_SIGN_FIRST")
