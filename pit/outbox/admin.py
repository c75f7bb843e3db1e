"""Routes and class settings in the admin; deliveries and attempts are to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from pit.outbox.models import Attempt, ClassSetting, Delivery, Route
from pit.people.admin import ForAdministrators


@admin.register(Route)
class RouteAdmin(ForAdministrators, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "property", "group", "channel", "address", "fallback", "active", "trouble")
    list_filter = ("property", "group", "channel", "active")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What was sent over it speaks of it: it is switched off instead."""
        return False


@admin.register(ClassSetting)
class ClassSettingAdmin(ForAdministrators, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("notification", "property", "acknowledge_minutes")


class ToLookAt(ForAdministrators, admin.ModelAdmin):  # type: ignore[type-arg]
    """Written by the outbox alone."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Delivery)
class DeliveryAdmin(ToLookAt):
    list_display = ("message", "group", "recipient", "channel", "status", "attempts", "error")
    list_filter = ("status", "channel", "group")


@admin.register(Attempt)
class AttemptAdmin(ToLookAt):
    list_display = ("delivery", "number", "began_at", "ended_at", "outcome", "detail")
    list_filter = ("outcome",)
