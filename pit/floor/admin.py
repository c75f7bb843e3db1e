"""Pits in the admin. Properties and everything regulated are changed by the door alone and are only shown here."""

from django.contrib import admin
from django.http import HttpRequest

from pit.floor.models import Pit, Property


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shows and changes nothing."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Property)
class PropertyAdmin(ReadOnly):
    """What the property's stream says."""

    list_display = ["name", "jurisdiction", "zone", "gaming_day_starts"]

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return getattr(request.user, "is_staff", False)


@admin.register(Pit)
class PitAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Names and numbers of pits."""

    list_display = ["property", "number", "name"]
    list_filter = ["property"]
