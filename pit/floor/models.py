"""Where the tables stand: properties and their pits.

What the regulations bind (jurisdiction, readings, house settings) lives in the `property:<id>` stream; the columns
marked as projection are written by `project.py` in the door's transaction and read by pages.
"""

import builtins
from datetime import time

from django.db import models


class Property(models.Model):
    """One gaming facility under one jurisdiction. `key` is its name in floor files."""

    key = models.SlugField(max_length=40, unique=True)

    # Projection of the property stream.
    name = models.CharField(max_length=120)
    jurisdiction = models.CharField(max_length=8)
    zone = models.CharField(max_length=64, default="America/New_York")
    gaming_day_starts = models.TimeField(default=time(6, 0))
    clock = models.PositiveSmallIntegerField(default=24)
    house = models.JSONField(default=dict, blank=True)
    readings = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "properties"

    def __str__(self) -> str:
        return self.name

    @property
    def stream(self) -> str:
        return f"property:{self.pk}"


class Pit(models.Model):
    """A group of tables around one pit stand. Its live topic is `pit:<id>`."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="pits")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)

    class Meta:
        ordering = ["property", "number"]
        constraints = [
            models.UniqueConstraint(fields=["property", "number"], name="one_pit_number_a_property")
        ]

    def __str__(self) -> str:
        return self.name

    @builtins.property
    def topic(self) -> str:
        return f"pit:{self.pk}"


class Article(models.Model):
    """What the house has registered and brings to its tables: a card set, a lot of dice, a shaker.

    Where it is and what happened to it stands in the Record; here only that it is the house's own and what it is.
    """

    class Kind(models.TextChoices):
        CARD_SET = "card_set", "card set"
        DICE = "dice", "dice"
        SHAKER = "shaker", "shaker"

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="articles")
    kind = models.CharField(max_length=12, choices=Kind)
    number = models.CharField(max_length=40)
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["kind", "number"]
        constraints = [
            models.UniqueConstraint(fields=["property", "kind", "number"], name="one_article_number_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"
