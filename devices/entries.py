"""What the entries of one gateway's journal lead to: within the transaction that keeps its cursor."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

import msgspec
from django.db import OperationalError, transaction

from devices import makers
from devices.domain import canon
from devices.domain.fitness import instant
from devices.domain.meaning import Meant, Saying, Told, fault, meaning, over, standing
from devices.domain.watch import Watch
from devices.gateways.base import Heard
from devices.gateways.wire import Happening
from devices.give import Giver, Outcome
from devices.models import Device, Gateway, JournalEntry
from devices.readings import Change, News

log = logging.getLogger(__name__)

NEVER_GONE = frozenset({"GATEWAY_SILENT", "DEVICE_SEAL_BROKEN"})
"""Faults that a restart says nothing about."""
NOT_THE_SAME = frozenset({"serial", "kind"})
"""A device that is another than registered: nothing that it says is applied. Other firmware is told, and goes on."""


class Entries:
    """One answer of one gateway, being applied."""

    def __init__(
        self, gateway: Gateway, devices: Sequence[Device], heard: Heard, news: News, *, now: datetime
    ) -> None:
        self.gateway, self.heard, self.news, self.now = gateway, heard, news, now
        self.devices = {one.key: one for one in devices}
        self.changes = {one.known.key: one for one in news.changes}
        self.events = list(heard.journal.events) if heard.journal else []
        self.boot = heard.journal.boot if heard.journal else gateway.boot
        self.skew_ms = heard.skew_ms or 0
        spoken = {one.device for one in self.events} | set(self.changes)
        if heard.restarted:
            spoken |= {one.key for one in devices if one.open_faults}
        self.giver = Giver([one for one in devices if one.key in spoken], now=now)
        self.watches = {key: _watch(one) for key, one in self.devices.items() if key in spoken}

    def apply(self) -> None:
        """The snapshot's consequences that concern who a device is, the entries in their order, and what then stands."""
        self.giver.hold()
        for key, change in self.changes.items():
            self._identity(self.devices[key], change)
        told = self._known_numbers()
        rows = [self._entry(one) for one in self.events if one.id not in told]
        JournalEntry.objects.bulk_create(rows)
        for key, change in self.changes.items():
            self._stands(self.devices[key], change)
        if self.heard.restarted:
            self._gone()
        for key, watch in self.watches.items():
            text = msgspec.json.encode(watch).decode()
            if text != self.devices[key].watch:
                Device.objects.filter(pk=self.devices[key].pk).update(watch=text)

    def _known_numbers(self) -> set[int]:
        """Entries that were applied before: a technician had the journal read again."""
        ids = [one.id for one in self.events]
        rows = JournalEntry.objects.filter(gateway=self.gateway, boot=self.boot, number__in=ids)
        return set(rows.values_list("number", flat=True)) if ids else set()

    def _identity(self, device: Device, change: Change) -> None:
        """Another device than registered, or the right one again; nobody any more, or somebody again."""
        device.mismatch = change.mismatch
        was_unknown = change.known.mismatch in NOT_THE_SAME or (
            not change.known.present and bool(change.known.digest)
        )
        is_unknown = change.mismatch in NOT_THE_SAME or change.seen is None
        if change.seen is not None and change.mismatch and change.mismatch != change.known.mismatch:
            fields = _mismatch(device, change)
            self._say(device, [Saying(to="device", command="NoteMismatch", fields=fields)], "mismatch")
        if is_unknown and not was_unknown:
            detail = "another device answers in its place" if change.seen else "its gateway does not name it"
            said = fault(
                "GATEWAY_SILENT", Told(raw="GATEWAY_SILENT", detail=detail), self.giver.place(device)
            )
            self._say(device, said, "unknown")
        elif was_unknown and not is_unknown:
            self._say(
                device, over("GATEWAY_SILENT", Told(raw="GATEWAY_SILENT"), self.giver.place(device)), "again"
            )

    def _stands(self, device: Device, change: Change) -> None:
        """Faults that stand in the snapshot and were told by no entry; a seal that is broken."""
        journal, seen = self.heard.journal, change.seen
        if seen is None or device.mismatch in NOT_THE_SAME or journal is None or journal.more:
            return
        device.refresh_from_db(fields=["open_faults"])
        open_ = [one["code"] for one in device.open_faults]
        place = self.giver.place(device)
        found = standing(_codes(device), seen.faults, open_=open_, place=place)
        if seen.seal == "broken" and not {"DEVICE_SEAL_BROKEN"}.intersection(
            [*open_, *(code for code, _ in found)]
        ):
            found.append(("DEVICE_SEAL_BROKEN", fault("DEVICE_SEAL_BROKEN", Told(raw="seal: broken"), place)))
        for code, said in found:
            self._say(device, said, f"stands.{code}")

    def _gone(self) -> None:
        """After a restart nobody tells the end of what stood before: what the new snapshot does not name is over."""
        snapshot, journal = self.heard.snapshot, self.heard.journal
        if snapshot is None or journal is None or snapshot.cursor != journal.cursor:
            return
        for seen in snapshot.devices:
            device = self.devices.get(seen.id)
            if device is None or device.mismatch in NOT_THE_SAME or seen.id not in self.watches:
                continue
            device.refresh_from_db(fields=["open_faults"])
            codes = _codes(device)
            named = {known.means for raw in seen.faults if (known := codes.of(raw)) is not None}
            for one in device.open_faults:
                if one["code"] not in named | NEVER_GONE:
                    told = Told(raw="restarted", seat=one["seat"])
                    said = over(one["code"], told, self.giver.place(device))
                    self._say(device, said, f"gone.{one['code']}.{one['seat']}")

    def _say(self, device: Device, said: Sequence[Saying], what: str) -> None:
        """What follows from a snapshot, which has no number of its own."""
        key = f"g{self.gateway.pk}.{device.pk}.{what}.{self.now:%Y%m%dT%H%M%S%f}"
        self.giver.give(device, said, key=key, at=self.now)

    def _entry(self, one: Happening) -> JournalEntry:
        """Applies an entry. What a single one stumbles on is told beside it, and the others go on."""
        device = self.devices.get(one.device)
        meant: Meant | None = None
        if device is None:
            outcome = Outcome(word="unknown_device")
        elif device.mismatch in NOT_THE_SAME:
            outcome = Outcome(word="mismatch", detail=f"another {device.mismatch} than registered")
        else:
            meant = meaning(
                _told(one),
                watch=self.watches[device.key],
                codes=_codes(device),
                place=self.giver.place(device),
            )
            outcome = self._give(device, one, meant)
        return JournalEntry(
            gateway=self.gateway,
            boot=self.boot,
            number=one.id,
            device=device,
            place=one.device,
            raw=one.code,
            code=meant.code if meant else "",
            at=one.at,
            received_at=self.now,
            outcome=outcome.word,
            detail=outcome.detail,
        )

    def _give(self, device: Device, one: Happening, meant: Meant) -> Outcome:
        if not meant.code:
            return Outcome(word="unknown_code", detail=f"{device.maker or 'no maker'} {device.model}")
        at = instant(one.at, skew_ms=self.skew_ms, now=self.now)
        try:
            with transaction.atomic():
                outcome = self.giver.give(
                    device, meant.sayings, key=f"g{self.gateway.pk}.{self.boot}.{one.id}", at=at
                )
        except OperationalError:
            raise  # the database's trouble and not this entry's: nothing is kept, and all of it is asked for again
        except Exception as error:
            log.exception("Entry %s of gateway %s could not be applied", one.id, self.gateway.name)
            return Outcome(word="failed", detail=repr(error)[:200])
        self.watches[device.key] = meant.watch
        if device.table_id is None and meant.sayings and outcome.word == "noted":
            return Outcome(word="no_table", detail=canon.word(meant.code))
        return outcome


def _told(one: Happening) -> Told:
    data = {name: getattr(one.data, name) for name in one.data.__struct_fields__}
    return Told(raw=one.code, **data)


def _codes(device: Device) -> makers.CodeTable:
    return makers.table_of(device.maker, device.model)


def _watch(device: Device) -> Watch:
    return msgspec.json.decode(device.watch, type=Watch) if device.watch else Watch()


def _mismatch(device: Device, change: Change) -> dict[str, str]:
    what = change.mismatch
    return {"what": what, "registered": getattr(device, what), "found": str(getattr(change.seen, what))}
