"""Messages that must reach somebody, what became of each, and by which ways people are reached (design §7).

Sent, delivered, read and acknowledged are four different times. A delivery that a crash left in the middle is uncertain,
and is sent again under the same message id.
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
    """A message as it was written with the command. `expanded_at` None: recipients are not yet found.

    `send_due_at` and `ack_due_at` are the clocks of its class; `alarmed_at` and `escalated_at` say that each was said.
    """

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
    send_due_at = models.DateTimeField(null=True)
    alarmed_at = models.DateTimeField(null=True)
    ack_due_at = models.DateTimeField(null=True)
    escalated_at = models.DateTimeField(null=True)

    objects: ClassVar[MessageManager] = MessageManager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(
                fields=["created_at"], condition=models.Q(expanded_at__isnull=True), name="message_unexpanded"
            ),
            models.Index(fields=["stream", "seq"], name="message_by_entry"),
            models.Index(fields=["property_id", "-created_at"], name="message_by_property"),
            models.Index(
                fields=["ack_due_at"],
                condition=models.Q(escalated_at__isnull=True, ack_due_at__isnull=False),
                name="message_unanswered",
            ),
            models.Index(
                fields=["send_due_at"],
                condition=models.Q(alarmed_at__isnull=True, send_due_at__isnull=False),
                name="message_unsent",
            ),
        ]

    def __str__(self) -> str:
        return self.subject

    @property
    def to(self) -> tuple[str, ...]:
        """The recipient groups by neutral role."""
        return msgspec.json.decode(self.groups, type=tuple[str, ...])


class Channel(models.TextChoices):
    """The ways by which a message goes."""

    INBOX = "inbox", "inbox"
    EMAIL = "email", "e-mail"
    WEBHOOK = "webhook", "webhook"
    SLIP = "slip", "printed slip"


class Route(models.Model):
    """A way to a recipient group beside the in-app inbox: an e-mail or webhook address, or a slip to be handed over.

    `from_time`/`until_time`: local times of the shift in which it is used, over midnight if `until` is first; empty: always.
    `fallback`: used only when the group's other ways failed, or when nobody took note in time.
    """

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="routes")
    group = models.CharField(max_length=40)
    channel = models.CharField(max_length=16, choices=Channel)
    name = models.CharField(max_length=80)
    address = models.CharField(max_length=200, blank=True)
    secret_env = models.CharField(max_length=80, blank=True)
    from_time = models.TimeField(null=True, blank=True)
    until_time = models.TimeField(null=True, blank=True)
    fallback = models.BooleanField(default=False)
    active = models.BooleanField(default=True)
    trouble = models.CharField(max_length=200, blank=True, editable=False)
    """Why it was switched off by itself: the receiver said that it is gone."""

    class Meta:
        ordering = ["property", "group", "fallback", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["property", "group", "channel", "address", "name"], name="one_route_an_address"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} by {self.get_channel_display()}"


class ClassSetting(models.Model):
    """What a house sets for a class of notifications: further recipients, minutes to acknowledge, whom to tell if not."""

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="notifications")
    notification = models.CharField(max_length=60)
    acknowledge_minutes = models.PositiveIntegerField(null=True, blank=True)
    escalate_to = models.JSONField(default=list, blank=True)
    also_to = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["property", "notification"], name="one_setting_a_class")
        ]

    def __str__(self) -> str:
        return self.notification


class Status(models.TextChoices):
    """Where a delivery stands. Read and acknowledged are times of their own."""

    PENDING = "pending", "Pending"
    SENDING = "sending", "Sending"
    SENT = "sent", "Sent"
    DELIVERED = "delivered", "Delivered"
    UNCERTAIN = "uncertain", "Uncertain"
    FAILED = "failed", "Not delivered"


class Delivery(models.Model):
    """One message to one recipient over one channel. Without `staff` and `route` nobody could be found: failed, with why.

    `claimed_until` is how long a worker has it: what it left behind is uncertain then. `bundle` is the delivery in whose
    message this one went along.
    """

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="deliveries")
    group = models.CharField(max_length=40)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="deliveries"
    )
    route = models.ForeignKey(Route, on_delete=models.PROTECT, null=True, related_name="deliveries")
    channel = models.CharField(max_length=16, choices=Channel, default=Channel.INBOX)
    address = models.CharField(max_length=200, blank=True)
    name = models.CharField(max_length=120, blank=True)
    status = models.CharField(max_length=16, choices=Status)
    error = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True)
    claimed_until = models.DateTimeField(null=True)
    bundle = models.BigIntegerField(null=True)
    sent_at = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    noted_at = models.DateTimeField(null=True)
    """When the acknowledgement was taken into the Record."""

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(
                fields=["message", "group", "staff", "channel"], name="one_delivery_a_recipient"
            ),
            models.UniqueConstraint(fields=["message", "group", "route"], name="one_delivery_a_route"),
        ]
        indexes = [
            models.Index(fields=["staff"], condition=models.Q(read_at__isnull=True), name="delivery_unread"),
            models.Index(
                fields=["next_try_at"],
                condition=models.Q(status__in=["pending", "uncertain"]),
                name="delivery_to_send",
            ),
            models.Index(
                fields=["claimed_until"], condition=models.Q(status="sending"), name="delivery_claimed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.message_id} to {self.recipient or self.group}"

    @property
    def recipient(self) -> str:
        """Who it goes to, as people read it."""
        return self.name or (self.staff.name if self.staff else "")

    @property
    def message_id_header(self) -> str:
        """The id under which every attempt goes: a receiver that saw it knows the second one."""
        return f"{self.message_id}.{self.pk}@pitstand"


class Attempt(models.Model):
    """One try to send. `outcome` empty: it is under way, or a crash ended it (then it says uncertain)."""

    delivery = models.ForeignKey(Delivery, on_delete=models.PROTECT, related_name="tries")
    number = models.PositiveSmallIntegerField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=16, blank=True)
    detail = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["delivery", "number"]
        constraints = [models.UniqueConstraint(fields=["delivery", "number"], name="one_try_a_number")]

    def __str__(self) -> str:
        return f"{self.delivery_id} try {self.number} {self.outcome}"
