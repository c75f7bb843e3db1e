"""Staff, their duty sections, their API tokens and the guesses counted against their PINs."""

from __future__ import annotations

import builtins
import hashlib
import secrets
from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac

from pit.people.roles import LOGIN_ROLES, ROLE_WORDS


def plain(text: str) -> bool:
    """Whether a name or badge may stand in an export: begun with one of =+-@ a spreadsheet would take it for a formula."""
    return bool(text.strip()) and text.strip()[0] not in "=+-@" and text.isprintable()


class StaffManager(BaseUserManager["Staff"]):
    """Makes accounts. A dealer has a badge and a PIN and no user name."""

    def create_user(
        self, username: str | None = None, password: str | None = None, **fields: object
    ) -> Staff:
        pin = fields.pop("pin", None)
        staff = self.model(username=username or None, **fields)
        staff.set_password(password)
        staff.set_pin(str(pin) if pin is not None else None)
        staff.save(using=self._db)
        return staff

    def create_superuser(self, username: str, password: str | None = None, **fields: object) -> Staff:
        fields = {"role": "administrator", "name": username, "badge": username, "is_superuser": True} | fields
        return self.create_user(username, password, **fields)


class Staff(AbstractBaseUser, PermissionsMixin):
    """A person on the floor. Accounts are personal; `property` is None for an installation-wide administrator."""

    username = models.CharField(max_length=60, unique=True, null=True, blank=True)
    badge = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    role = models.CharField(max_length=40)
    property = models.ForeignKey(
        "floor.Property", on_delete=models.PROTECT, null=True, blank=True, related_name="staff"
    )
    pin = models.CharField(max_length=128, blank=True, editable=False)
    is_active = models.BooleanField("active", default=True)
    demo = models.BooleanField(default=False, editable=False)
    """Made by the demo floor: cannot sign in or sign anything unless PITSTAND_DEMO is set."""

    objects: ClassVar[StaffManager] = StaffManager()
    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "staff"
        constraints = [
            models.UniqueConstraint(fields=["property", "badge"], name="one_badge_a_property"),
            models.UniqueConstraint(
                fields=["badge"], condition=Q(property__isnull=True), name="one_badge_without_property"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({ROLE_WORDS.get(self.role, self.role)})"

    def get_username(self) -> str:
        """The user name, or the badge where there is none (axes logs it)."""
        return self.username or f"badge {self.badge}"

    def get_full_name(self) -> str:
        return self.name

    @builtins.property
    def is_staff(self) -> bool:
        """Whether Django's admin opens: administrators only."""
        return self.role == "administrator"

    @builtins.property
    def usable(self) -> bool:
        """Active, and not a demo account outside demo mode."""
        return self.is_active and (settings.DEMO or not self.demo)

    @builtins.property
    def may_sign_in(self) -> bool:
        return self.usable and self.role in LOGIN_ROLES

    def set_pin(self, pin: str | None) -> None:
        """Keeps the argon2 hash of the PIN; None takes the PIN away."""
        self.pin = make_password(pin) if pin else ""

    def check_pin(self, pin: str) -> bool:
        """Whether this is the PIN. Takes as long when there is none (no telling who has one)."""
        if not self.pin:
            make_password(pin)
            return False
        return check_password(pin, self.pin)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """A new password or a new PIN ends every session of this person on every tablet."""
        salt = "pit.people.models.Staff.session"
        return salted_hmac(salt, f"{self.password}:{self.pin}", secret=secret, algorithm="sha256").hexdigest()


class Duty(models.Model):
    """Who looks after which pit, from when until when. `tables` are numbers of the person's own section; empty = all."""

    staff = models.ForeignKey(Staff, on_delete=models.CASCADE, related_name="duties")
    pit = models.ForeignKey("floor.Pit", on_delete=models.CASCADE, related_name="duties")
    from_at = models.DateTimeField()
    until_at = models.DateTimeField(null=True, blank=True)
    tables = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["-from_at"]
        verbose_name_plural = "duty"
        indexes = [models.Index(fields=["staff", "from_at"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(until_at__isnull=True) | Q(until_at__gt=models.F("from_at")),
                name="duty_ends_after_start",
            )
        ]

    def __str__(self) -> str:
        return f"{self.staff_id} in pit {self.pit_id}"


class Token(models.Model):
    """An API token. Only its digest is kept; the text is shown once, when it is made."""

    staff = models.ForeignKey(Staff, on_delete=models.CASCADE, related_name="tokens")
    label = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.label

    @staticmethod
    def digest_of(text: str) -> str:
        """SHA-256 is enough: the text is 256 random bits, nothing to guess."""
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def issue(
        cls, staff: Staff, *, label: str, now: datetime, expires_at: datetime | None = None
    ) -> tuple[Token, str]:
        """Makes a token; the second of the pair is its text, which is nowhere kept."""
        text = f"pit_{secrets.token_urlsafe(32)}"
        token = cls.objects.create(
            staff=staff, label=label, digest=cls.digest_of(text), created_at=now, expires_at=expires_at
        )
        return token, text


class PinGuess(models.Model):
    """Wrong PINs in a row, counted per person ("staff:7") and per address ("address:10.0.0.9")."""

    key = models.CharField(max_length=80, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key}: {self.failures}"
