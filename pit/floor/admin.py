"""Pits in the admin. Properties and everything regulated are changed by the door alone and are only shown here."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from pit.floor.models import Pit, Property


@admin.register(Property)
class PropertyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What the property's stream says: shown, never changed."""

    list_display = ("name", "jurisdiction", "zone", "gaming_day_starts")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_administrator(request)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return _is_administrator(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        return _mine(request, super().get_queryset(request), "pk")


@admin.register(Pit)
class PitAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Names and numbers of pits. New pits come with the floor file, beside their tables."""

    list_display = ("property", "number", "name")
    list_filter = ("property",)
    fields = ("name",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_administrator(request)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return _is_administrator(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return _is_administrator(request)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        return _mine(request, super().get_queryset(request), "property_id")


def _is_administrator(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_staff", False))


def _mine(request: HttpRequest, rows: Any, path: str) -> Any:
    """An administrator of one property sees that property alone."""
    property_id = request.user.property_id  # type: ignore[union-attr]
    return rows if property_id is None else rows.filter(**{path: property_id})
