"""How a person proves to be who they say: name and password, or badge and PIN at a tablet that is signed in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from pit.people import pins
from pit.people.models import Staff
from pit.people.roles import rights_of
from pit.web import clock


class PasswordBackend(ModelBackend):
    """Name and password. Refuses, also in the middle of a session, whoever may not sign in (any more)."""

    def user_can_authenticate(self, user: Any) -> bool:
        return isinstance(user, Staff) and user.may_sign_in

    def get_user(self, user_id: int) -> Staff | None:
        """The person of a session with the property, in one query."""
        staff = Staff.objects.select_related("property").filter(pk=user_id).first()
        return staff if staff is not None and self.user_can_authenticate(staff) else None


class HandoverBackend(PasswordBackend):
    """Badge and PIN of a colleague of the same property who acts on the floor; no administrator comes in by PIN."""

    def authenticate(  # type: ignore[override]
        self, request: HttpRequest | None, property_id: int = 0, badge: str = "", pin_secret: str = ""
    ) -> Staff | None:
        if request is None or not property_id or not badge:
            return None
        staff = pins.find(property_id=property_id, badge=badge)
        if staff is not None and not (staff.may_sign_in and rights_of(staff.role).acts != "none"):
            staff = None
        address = request.META.get("REMOTE_ADDR", "")
        verdict = pins.check(
            staff, pin_secret, property_id=property_id, badge=badge, address=address, now=clock.now()
        )
        return staff if verdict == "right" else None


def axes_username(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str | None:
    """The name under which axes counts: the user name, or the badge within its property."""
    found = credentials or {}
    if badge := found.get("badge"):
        return axes_badge(found.get("property_id"), badge)
    name = found.get("username") or request.POST.get("username")
    return str(name)[:255] if name else None


def axes_badge(property_id: Any, badge: str) -> str:
    return f"badge {property_id}:{badge}"[:255]
