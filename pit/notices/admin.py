"""Changes and numbers in the admin: to look at. They are written through the door alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from pit.notices.models import Change, Numbered
from pit.people.admin import ForAdministrators


class ToLookAt(ForAdministrators, admin.ModelAdmin):  # type: ignore[type-arg]
    """Nothing is added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Change)
class ChangeAdmin(ToLookAt):
    list_display = ("number", "property", "matter", "item", "status", "effective_at")
    list_filter = ("property", "status", "matter")


@admin.register(Numbered)
class NumberedAdmin(ToLookAt):
    list_display = ("number", "property", "kind", "what", "taken_at", "taken_by", "void_at", "void_reason")
    list_filter = ("property", "kind")
