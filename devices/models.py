"""Gateways, devices and what was heard of them.

A device's identity, place and faults are the projection of its stream; the columns under "Last heard" are readings, which
the poll writes and which no rule stands on.
"""

from __future__ import annotations

import builtins

from django.db import models


class Gateway(models.Model):
    """A box in the pit that speaks for devices. Its credential is a name: the secret itself lies in a folder of the site."""

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="gateways")
    name = models.CharField(max_length=40)
    url = models.CharField(max_length=200)
    credential = models.CharField(max_length=40, blank=True)
    interval_ms = models.PositiveIntegerField(default=1000)
    grace_s = models.PositiveIntegerField(default=10)
    """Seconds without a word until it counts as silent."""
    active = models.BooleanField(default=True)

    # The poll's own.
    next_at = models.DateTimeField(null=True, editable=False)
    lease = models.CharField(max_length=32, blank=True, editable=False)
    leased_until = models.DateTimeField(null=True, editable=False)
    boot = models.CharField(max_length=24, blank=True, editable=False)
    cursor = models.PositiveBigIntegerField(default=0, editable=False)
    etag = models.CharField(max_length=80, blank=True, editable=False)
    polled_at = models.DateTimeField(null=True, editable=False)
    heard_at = models.DateTimeField(null=True, editable=False)
    silent_due_at = models.DateTimeField(null=True, editable=False)
    """When it counts as silent if nothing is heard; None when it was said already, or nothing was ever heard."""
    silent_since = models.DateTimeField(null=True, editable=False)
    took_ms = models.PositiveIntegerField(default=0, editable=False)
    skew_ms = models.BigIntegerField(null=True, editable=False)
    failures = models.PositiveIntegerField(default=0, editable=False)
    """Polls that failed one after the other."""
    trouble = models.CharField(max_length=20, blank=True, editable=False)
    trouble_detail = models.CharField(max_length=300, blank=True, editable=False)
    trouble_since = models.DateTimeField(null=True, editable=False)
    strangers = models.TextField(blank=True, editable=False)
    """Devices that it named and that are not registered here: "ZZ-99 (AS-1), …"."""
    lost_entries = models.PositiveBigIntegerField(default=0, editable=False)
    """Entries of its journal that it forgot before we read them."""

    class Meta:
        ordering = ["property", "name"]
        constraints = [
            models.UniqueConstraint(fields=["property", "name"], name="one_gateway_name_a_property")
        ]
        indexes = [models.Index(fields=["next_at"], condition=models.Q(active=True), name="gateway_due")]

    def __str__(self) -> str:
        return self.name


class Device(models.Model):
    """A device of the house. Its stream is "device:<id>"."""

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="devices")
    gateway = models.ForeignKey(
        Gateway, null=True, blank=True, on_delete=models.PROTECT, related_name="devices"
    )
    key = models.CharField(max_length=40)

    # The projection.
    kind = models.CharField(max_length=16, editable=False)
    serial = models.CharField(max_length=60, editable=False)
    maker = models.CharField(max_length=60, blank=True, editable=False)
    model = models.CharField(max_length=60, blank=True, editable=False)
    approval_ref = models.CharField(max_length=60, blank=True, editable=False)
    seal = models.CharField(max_length=60, blank=True, editable=False)
    firmware = models.CharField(max_length=64, blank=True, editable=False)
    status = models.CharField(max_length=12, blank=True, editable=False)
    table = models.ForeignKey(
        "tables.Table", null=True, on_delete=models.PROTECT, related_name="registered_devices", editable=False
    )
    since = models.DateTimeField(null=True, editable=False)
    open_faults = models.JSONField(default=list, editable=False)

    # Last heard.
    seen = models.TextField(blank=True, editable=False)
    """The last reading as JSON (devices.gateways.wire.Seen); empty until first heard."""
    seen_digest = models.CharField(max_length=16, blank=True, editable=False)
    changed_at = models.DateTimeField(null=True, editable=False)
    present = models.BooleanField(default=False, editable=False)
    """Whether its gateway named it in its last snapshot."""
    mismatch = models.CharField(max_length=20, blank=True, editable=False)
    """What the gateway tells otherwise than registered; nothing of such a device is applied."""
    watch = models.TextField(blank=True, editable=False)
    """What must be remembered from one entry of the journal to the next, as JSON (devices.domain.watch.Watch)."""

    class Meta:
        ordering = ["property", "key"]
        constraints = [models.UniqueConstraint(fields=["property", "key"], name="one_device_key_a_property")]

    def __str__(self) -> str:
        return self.key

    @builtins.property
    def stream(self) -> str:
        return f"device:{self.pk}"


class Reading(models.Model):
    """A reading that was other than the one before. Kept for a while (`manage.py forget_readings`)."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="readings")
    at = models.DateTimeField()
    state = models.CharField(max_length=12)
    mode = models.CharField(max_length=60, blank=True)
    cycles = models.PositiveBigIntegerField(null=True)
    cards = models.PositiveIntegerField(null=True)
    batch = models.CharField(max_length=60, blank=True)
    faults = models.JSONField(default=list)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [
            models.Index(fields=["device", "-at"], name="readings_of_device"),
            models.Index(fields=["at"]),
        ]

    def __str__(self) -> str:
        return f"{self.device_id} {self.state} {self.at:%H:%M:%S}"


class JournalEntry(models.Model):
    """One entry of a gateway's journal and what became of it. Unique, so that nothing is applied twice."""

    gateway = models.ForeignKey(Gateway, on_delete=models.CASCADE, related_name="entries")
    boot = models.CharField(max_length=24)
    number = models.PositiveBigIntegerField()
    device = models.ForeignKey(Device, null=True, on_delete=models.SET_NULL, related_name="entries")
    place = models.CharField(max_length=40)
    """The device's name at the gateway, known or not."""
    raw = models.CharField(max_length=40)
    code = models.CharField(max_length=40, blank=True)
    at = models.DateTimeField()
    received_at = models.DateTimeField()
    outcome = models.CharField(max_length=20)
    """"applied", "refused", "noted", "known", "unknown_device", "unknown_code", "mismatch", "no_table", "failed"."""
    detail = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-received_at", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["gateway", "boot", "number"], name="one_journal_entry_a_number")
        ]
        indexes = [
            models.Index(fields=["device", "-received_at"], name="entries_of_device"),
            models.Index(fields=["received_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.gateway_id} {self.boot}/{self.number} {self.raw}"


class Quarantined(models.Model):
    """An answer that could not be used: its beginning, for a technician's eyes. Nothing of it was applied."""

    gateway = models.ForeignKey(Gateway, on_delete=models.CASCADE, related_name="quarantined")
    at = models.DateTimeField()
    trouble = models.CharField(max_length=20)
    detail = models.CharField(max_length=300, blank=True)
    size = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    beginning = models.TextField(blank=True)
    times = models.PositiveIntegerField(default=1)
    """How often the same came one after the other."""

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.gateway_id} {self.trouble} {self.at:%H:%M:%S}"
