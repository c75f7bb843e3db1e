"""The table as pages and lists need it: who it is (identity, place in the pit) and its projection.

The projection is written by `tables.project` alone, inside the door's transaction; the truth is the Record.
"""

from __future__ import annotations

import builtins

from django.core.validators import MaxValueValidator
from django.db import models


class Shape(models.TextChoices):
    """How a table looks from above; the outline on the board says the game."""

    HALF_MOON = "half_moon", "half-moon"
    OVAL = "oval", "oval"
    TUB = "tub", "tub"
    LONG = "long", "long"
    WHEEL = "wheel", "wheel"


class Condition(models.TextChoices):
    """What one glance must tell; each has a word, a shape and a colour."""

    CLOSED = "closed", "Closed"
    PREPARING = "preparing", "Preparing"
    IN_PLAY = "in_play", "In play"
    DEAD_GAME = "dead_game", "Dead game"
    DUE = "due", "Due"
    HOLD = "hold", "Hold"


class Table(models.Model):
    """A gaming table. Its stream is "table:<id>".

    `x`, `y`: centre of the table on the pit's plan, per cent of its width and height from the top left.
    A tile takes about 19 per cent of the width and 15 of the height: five abreast, and room in the middle for the stand.
    `rotation`: degrees clockwise, 0 with the players above the dealer as drawn on the plan; 0, 90, 180 or 270.
    """

    property = models.ForeignKey("floor.Property", on_delete=models.PROTECT, related_name="tables")
    pit = models.ForeignKey("floor.Pit", on_delete=models.PROTECT, related_name="tables")
    number = models.CharField(max_length=16)
    name = models.CharField(max_length=60, blank=True)
    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField(default=0)
    x = models.PositiveSmallIntegerField(default=50, validators=[MaxValueValidator(100)])
    y = models.PositiveSmallIntegerField(default=50, validators=[MaxValueValidator(100)])
    rotation = models.PositiveSmallIntegerField(
        default=0, choices=[(0, "0°"), (90, "90°"), (180, "180°"), (270, "270°")]
    )
    shape = models.CharField(max_length=12, choices=Shape, default=Shape.HALF_MOON)

    # The projection.
    seq = models.PositiveBigIntegerField(default=0, editable=False)
    stage = models.CharField(max_length=40, default="CLOSED", editable=False)
    stage_since = models.DateTimeField(null=True, editable=False)
    condition = models.CharField(max_length=12, choices=Condition, default=Condition.CLOSED, editable=False)
    round = models.PositiveBigIntegerField(default=0, editable=False)
    holds = models.JSONField(default=list, editable=False)
    alerts = models.JSONField(default=list, editable=False)
    needs = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["pit_id", "number"]
        constraints = [models.UniqueConstraint(fields=["pit", "number"], name="table_number_once_in_a_pit")]

    def __str__(self) -> str:
        return self.number

    @builtins.property
    def stream(self) -> str:
        """The name of this table's stream in the Record."""
        return f"table:{self.pk}"
