"""Messages that must reach somebody, and what became of each: outbox rows of design §7.

Sent, delivered, read and acknowledged are four different times. One transport is here: the in-app inbox.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

import msgspec
from django.conf import settings
from django.db import models

from pit.record import contract

LONGEST_SUBJECT = 200


class MessageManager(models.Manager["Message"]):
    def post(
        self,
        messages: Sequence[contract.Message],
        *,
        stream: str,
        seq: int,
        property_id: int,
        now: datetime,
    ) -> tuple[uuid.UUID, ...]:
        """Writes the rows, inside the command's transaction; gives their ids."""
        rows = [
            Message(
                notification=message.notification,
                property_id=property_id,
                stream=stream,
                seq=seq,
                groups=msgspec.json.encode(message.to).decode(),
                subject=message.subject[:LONGEST_SUBJECT],
                body=message.body,
                clause=message.clause,
                created_at=now,
            )
            for message in messages
        ]
        self.bulk_create(rows)
        return tuple(row.id for row in rows)


class Message(models.Model):
    """A message as it was written with the command. `expanded_at` None: recipients are not yet found."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    notification = models.CharField(max_length=60)
    property_id = models.BigIntegerField()
    stream = models.CharField(max_length=64)
    seq = models.BigIntegerField()
    groups = models.TextField()
    """JSON list of neutral roles."""
    subject = models.CharField(max_length=LONGEST_SUBJECT)
    body = models.TextField()
    clause = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    expanded_at = models.DateTimeField(null=True)

    objects: ClassVar[MessageManager] = MessageManager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(
                fields=["created_at"], condition=models.Q(expanded_at__isnull=True), name="message_unexpanded"
            ),
            models.Index(fields=["stream", "seq"], name="message_by_entry"),
        ]

    def __str__(self) -> str:
        return self.subject

    @property
    def to(self) -> tuple[str, ...]:
        """The recipient groups by neutral role."""
        return msgspec.json.decode(self.groups, type=tuple[str, ...])


class Status(models.TextChoices):
    DELIVERED = "delivered", "Delivered"
    FAILED = "failed", "Not delivered"


class Delivery(models.Model):
    """One message to one recipient over one channel. Without `staff` nobody could be found: status failed, with why."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="deliveries")
    group = models.CharField(max_length=40)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="deliveries"
    )
    channel = models.CharField(max_length=16, default="inbox")
    status = models.CharField(max_length=16, choices=Status)
    error = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(
                fields=["message", "group", "staff", "channel"], name="one_delivery_a_recipient"
            )
        ]
        indexes = [
            models.Index(fields=["staff"], condition=models.Q(read_at__isnull=True), name="delivery_unread")
        ]

    def __str__(self) -> str:
        return f"{self.message_id} to {self.staff_id or self.group}"
