"""The rows of the Record. Written by `pit.record` alone; the database refuses what would rewrite the past.

Names and badges are kept as text beside the ids, so that the Record stands alone when a person has left.
"""

from django.db import models


class Stream(models.Model):
    """The head of one stream: where it stands, and its folded state, so that one row lock reads all a decision needs.

    `seq` is the last entry, `changed_seq` the last entry that changed something (a refusal moves only `seq`).
    `round` counts rounds of play, which are no entries. `dues` are the deadlines as last written, `rules_seq` the
    `changed_seq` of the property stream under whose settings they were derived.
    """

    name = models.CharField(max_length=64, primary_key=True)
    kind = models.CharField(max_length=32)
    property_id = models.BigIntegerField()
    topic = models.CharField(max_length=64)
    seq = models.BigIntegerField(default=0)
    changed_seq = models.BigIntegerField(default=0)
    round = models.BigIntegerField(default=0)
    hash = models.CharField(max_length=64)
    state = models.TextField()
    dues = models.TextField(default="[]")
    rules_seq = models.BigIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["topic"], name="stream_by_topic"),
            models.Index(fields=["property_id"], name="stream_by_property"),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.seq}"


class Event(models.Model):
    """One entry of a stream. All columns but `id` are hashed: docs/record.md has the formula."""

    stream = models.CharField(max_length=64)
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=64)
    v = models.SmallIntegerField(default=1)
    data = models.TextField()
    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    late = models.BooleanField(default=False)
    actor_kind = models.CharField(max_length=8)
    actor_id = models.BigIntegerField(null=True)
    actor_name = models.CharField(max_length=120)
    actor_badge = models.CharField(max_length=20)
    role = models.CharField(max_length=40)
    signed = models.BooleanField(default=False)
    second_id = models.BigIntegerField(null=True)
    second_name = models.CharField(max_length=120)
    second_badge = models.CharField(max_length=20)
    second_role = models.CharField(max_length=40)
    second_signed = models.BooleanField(default=False)
    pack = models.CharField(max_length=64)
    clause = models.CharField(max_length=64)
    round = models.BigIntegerField(default=0)
    key = models.CharField(max_length=64)
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "seq"], name="one_entry_a_seq")]
        indexes = [  # the ways in which people search; each page of a search walks one of them
            models.Index(fields=["stream", "-at", "-id"], name="event_by_stream"),
            models.Index(fields=["clause", "-at", "-id"], name="event_by_clause_time"),
            models.Index(fields=["-at", "-id"], name="event_by_time"),
            models.Index(fields=["-id"], condition=models.Q(kind="Refused"), name="event_refused"),
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq} {self.kind}"


class Receipt(models.Model):
    """What was answered to a press, so that the same press gets the same answer. Kept for a while (retention)."""

    pk = models.CompositePrimaryKey("stream", "key")
    stream = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    answer = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="receipt_by_age")]

    def __str__(self) -> str:
        return f"{self.stream} {self.key}"
