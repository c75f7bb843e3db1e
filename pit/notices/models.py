"""Changes as pages list them (projection of their streams), the numbers of records, and what surveillance remarks."""

from __future__ import annotations

import builtins

from django.db import models


class Status(models.TextChoices):
    """Where a change stands."""

    NEW = "", "Not accepted"
    DRAFT = "DRAFT", "Draft"
    SIGNED = "SIGNED", "Signed by its author"
    APPROVED = "APPROVED", "Approved"
    ISSUED = "ISSUED", "Notice issued"
    EFFECTIVE = "EFFECTIVE", "In force"
    BLOCKED = "BLOCKED", "Did not take effect"
    WITHDRAWN = "WITHDRAWN", "Withdrawn"
    SUPERSEDED = "SUPERSEDED", "Superseded"


class Change(models.Model):
    """One change of a procedure, percentage or pay table. Its stream is "notice:<id>"; the columns are its projection."""

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="changes")
    created_at = models.DateTimeField()

    # Projection of the stream.
    seq = models.PositiveBigIntegerField(default=0, editable=False)
    status = models.CharField(max_length=12, choices=Status, default=Status.NEW, blank=True, editable=False)
    number = models.CharField(max_length=20, blank=True, editable=False)
    matter = models.CharField(max_length=40, blank=True, editable=False)
    item = models.CharField(max_length=80, blank=True, editable=False)
    tables = models.JSONField(default=list, editable=False)
    effective_at = models.DateTimeField(null=True, editable=False)
    issued_at = models.DateTimeField(null=True, editable=False)
    commission_at = models.DateTimeField(null=True, editable=False)
    surveillance_at = models.DateTimeField(null=True, editable=False)
    in_force_since = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["property", "-created_at"], name="change_by_property"),
            models.Index(
                fields=["effective_at"], condition=models.Q(status="ISSUED"), name="change_to_take_effect"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number or 'draft'} {self.item}"

    @builtins.property
    def stream(self) -> str:
        """The name of this change's stream in the Record."""
        return f"notice:{self.pk}"


class Numbered(models.Model):
    """A record's number: without gaps for each property and kind. A record that fell away keeps it, as void."""

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="numbers")
    kind = models.CharField(max_length=20)
    """ "notice", "slip", "export" …"""
    count = models.PositiveIntegerField()
    what = models.CharField(max_length=200)
    stream = models.CharField(max_length=64, blank=True)
    taken_at = models.DateTimeField()
    taken_by = models.CharField(max_length=120)
    void_at = models.DateTimeField(null=True)
    void_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["property", "kind", "-count"]
        constraints = [
            models.UniqueConstraint(fields=["property", "kind", "count"], name="a_number_once"),
        ]

    def __str__(self) -> str:
        return self.number

    @builtins.property
    def number(self) -> str:
        """As it is printed: "N-0007" for the seventh notice of the house."""
        return f"{self.kind[:1].upper()}-{self.count:04d}"


class Pattern(models.Model):
    """A pattern that was said: the same trouble under the same clause at the same table or device, again and again."""

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="patterns")
    stream = models.CharField(max_length=64)
    what = models.CharField(max_length=120)
    clause = models.CharField(max_length=64, blank=True)
    count = models.PositiveIntegerField(default=0)
    said_at = models.DateTimeField(null=True)
    said_up_to = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["-said_at"]
        constraints = [
            models.UniqueConstraint(fields=["stream", "what", "clause"], name="one_pattern_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.what} × {self.count}"
