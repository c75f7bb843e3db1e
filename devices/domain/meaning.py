"""What an entry of a device's journal means for its table: commands to the table and to the device's own stream.

Nothing here decides what a fault leads to: that is the table's own, by its rule pack. Here stands what was said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from devices.domain import canon
from devices.domain.vendor import CodeTable
from devices.domain.watch import Place, Watch


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as it was told; the fields of `devices.gateways.wire.Data`."""

    raw: str
    count: int | None = None
    batch: str = ""
    seat: int | None = None
    on: str | None = None
    cards: int | None = None
    expected: int | None = None
    good: bool | None = None
    number: int | None = None
    accepted: int | None = None
    mode: str = ""
    cycles: int | None = None
    detail: str = ""


class Saying(msgspec.Struct, frozen=True, kw_only=True):
    """A command to be given. `quiet`: it only says what a person may have recorded already; where the table is past it,
    nothing is asked and nothing refused."""

    to: Literal["table", "device"]
    command: str
    fields: Mapping[str, Any] = {}
    quiet: bool = False


class Meant(msgspec.Struct, frozen=True, kw_only=True):
    """`code` is "" where nobody knows the maker's code, and then nothing follows."""

    code: str
    watch: Watch
    over: bool = False
    sayings: tuple[Saying, ...] = ()


def meaning(told: Told, *, watch: Watch, codes: CodeTable, place: Place | None) -> Meant:
    """What follows from an entry. `place` None: the device stands at no table, and only its own stream hears of it."""
    known = codes.of(told.raw)
    if known is None or known.ignore:
        return Meant(code="IGNORED" if known else "", watch=watch)
    if known.means in canon.FAULTS:
        said = over(known.means, told, place) if known.over else fault(known.means, told, place)
        return Meant(code=known.means, watch=watch, over=known.over, sayings=tuple(said))
    after, said = _WAYS[known.means](told, watch, codes, place)
    return Meant(code=known.means, watch=after, sayings=tuple(said))


def fault(code: str, told: Told, place: Place | None) -> list[Saying]:
    """A fault begins: the device's stream keeps it, the table gets its latch."""
    seat = told.seat if code in canon.BY_SEAT else None
    own = {"code": code, "seat": seat, "raw": told.raw, "detail": told.detail}
    said = [Saying(to="device", command="RaiseFault", fields=own)]
    if place is not None:
        asked = {"device": place.device, "code": code, "batch": place.batch(told.batch), "seat": seat}
        found = (
            {"expected": told.expected or place.cards or None, "found": told.cards}
            if told.cards is not None
            else {}
        )
        said.append(Saying(to="table", command="ReportFault", fields=asked | found | {"detail": told.detail}))
    return said


def over(code: str, told: Told, place: Place | None) -> list[Saying]:
    """A fault is over by itself. What it holds stays held (K2): the table decides that, not the device."""
    seat = told.seat if code in canon.BY_SEAT else None
    said = [Saying(to="device", command="EndFault", fields={"code": code, "seat": seat, "raw": told.raw})]
    if place is not None:
        asked = {"device": place.device, "code": code, "seat": seat}
        said.append(Saying(to="table", command="ClearFault", fields=asked))
    return said


Way = Callable[[Told, Watch, CodeTable, Place | None], tuple[Watch, list[Saying]]]


def _round_dealt(
    told: Told, watch: Watch, codes: CodeTable, place: Place | None
) -> tuple[Watch, list[Saying]]:
    return watch, _to_table(place, "AdvanceRounds", count=told.count or 1)


def _loaded(told: Told, watch: Watch, codes: CodeTable, place: Place | None) -> tuple[Watch, list[Saying]]:
    after = replace(
        watch,
        inside=told.batch,
        cycled=False,
        cycles_at_load=told.cycles if told.cycles is not None else watch.cycles,
        cycles=told.cycles if told.cycles is not None else watch.cycles,
        mode=told.mode or watch.mode,
    )
    return after, _batch_step(place, "LoadShuffler", told.batch)


def _cycle_done(
    told: Told, watch: Watch, codes: CodeTable, place: Place | None
) -> tuple[Watch, list[Saying]]:
    """A cycle in another mode than shuffling is no shuffle (K3); a wrong number of cards is found before they are used."""
    mode = told.mode or watch.mode
    shuffled = not mode or mode in codes.shuffle_modes
    back = told.batch or watch.inside
    told = replace(told, batch=back)
    after = replace(
        watch, cycled=watch.cycled or shuffled, cycles=told.cycles or watch.cycles, mode=mode, inside=back
    )
    if not shuffled:
        return after, fault("SHUF_MODE_NOT_SHUFFLE", replace(told, detail=f"mode {mode}", cards=None), place)
    return after, [*_batch_step(place, "CompleteShuffle", back), *_count(told, place)]


def _count(told: Told, place: Place | None) -> list[Saying]:
    """The device's number against the whole. It says how many cards there are, never which."""
    if place is None or (told.cards is None and told.good is None):
        return []
    if place.counts:
        fields = {"cards": told.cards, "good": told.good, "by_device": True}
        return [Saying(to="table", command="RecordCount", fields=fields)]
    expected = told.expected or place.cards
    if told.cards is None or not expected or told.cards == expected:
        return []
    code = "SHUF_COUNT_SHORT" if told.cards < expected else "SHUF_COUNT_OVER"
    return fault(code, replace(told, expected=expected), place)


def _unloaded(told: Told, watch: Watch, codes: CodeTable, place: Place | None) -> tuple[Watch, list[Saying]]:
    """Taken out: was it shuffled (K1, K3), and is it its turn ((g)(3))?"""
    back = told.batch or watch.inside
    told = replace(told, batch=back, cards=None)
    after = replace(
        watch, inside="", cycled=False, cycles_at_load=None, last_out=back, cycles=told.cycles or watch.cycles
    )
    moved = (
        told.cycles is not None and watch.cycles_at_load is not None and told.cycles != watch.cycles_at_load
    )
    loaded = watch.cycles_at_load is not None or bool(watch.inside)
    if loaded and not watch.cycled:
        sorted_ = moved and watch.mode and watch.mode not in codes.shuffle_modes
        if not sorted_ and not moved:
            return after, fault("SHUF_NOT_CYCLED", told, place)
        if sorted_:
            return after, []  # it was said when the cycle ended
    if place is not None and len(place.batches) > 1 and back and back == watch.last_out:
        return after, fault("BATCH_SEQUENCE", told, place)
    return after, _batch_step(place, "RemoveBatch", back)


def _cover_card_out(
    told: Told, watch: Watch, codes: CodeTable, place: Place | None
) -> tuple[Watch, list[Saying]]:
    return watch, _to_table(place, "RecordCoverCardOut", on=told.on or "unknown", seat=told.seat)


def _rng_number(
    told: Told, watch: Watch, codes: CodeTable, place: Place | None
) -> tuple[Watch, list[Saying]]:
    if place is None or told.number is None:
        return watch, []
    return watch, _to_table(place, "RecordRngNumber", device=place.device, number=told.number)


def _locked_out(
    told: Told, watch: Watch, codes: CodeTable, place: Place | None
) -> tuple[Watch, list[Saying]]:
    return watch, _to_table(place, "RecordLockOut", device=place.device if place else "")


def _wagers_accepted(
    told: Told, watch: Watch, codes: CodeTable, place: Place | None
) -> tuple[Watch, list[Saying]]:
    if place is None or told.accepted is None:
        return watch, []
    return watch, _to_table(place, "RecordAcceptedWagers", device=place.device, accepted=told.accepted)


def _batch_step(place: Place | None, command: str, back: str) -> list[Saying]:
    """A routine step of a batch: with a device nobody has to tap it."""
    if place is None:
        return []
    return [Saying(to="table", command=command, fields={"batch": place.batch(back)}, quiet=True)]


def _to_table(place: Place | None, command: str, **fields: Any) -> list[Saying]:
    return [Saying(to="table", command=command, fields=fields)] if place is not None else []


_WAYS: dict[str, Way] = {
    "ROUND_DEALT": _round_dealt,
    "LOADED": _loaded,
    "CYCLE_DONE": _cycle_done,
    "UNLOADED": _unloaded,
    "COVER_CARD_OUT": _cover_card_out,
    "RNG_NUMBER": _rng_number,
    "LOCKED_OUT": _locked_out,
    "WAGERS_ACCEPTED": _wagers_accepted,
}


def standing(
    codes: CodeTable, raws: Sequence[str], *, open_: Sequence[str], place: Place | None
) -> list[tuple[str, list[Saying]]]:
    """Faults that stand in a snapshot and that nobody told as an entry (a journal that forgot): code and sayings."""
    found = []
    for raw in raws:
        known = codes.of(raw)
        if known is None or known.over or known.means not in canon.FAULTS:
            continue
        if known.means in canon.BY_SEAT or known.means in canon.MOMENTARY:
            continue
        if known.means not in open_:
            found.append(
                (known.means, fault(known.means, Told(raw=raw, detail="standing when first seen"), place))
            )
    return found
