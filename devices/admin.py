"""Gateways and devices in the administration: shown, never changed there. Their own pages go through the door."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from devices.models import Device, Gateway


class Shown(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows to look at."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(getattr(request.user, "is_staff", False))

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return bool(getattr(request.user, "is_staff", False))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        property_id = request.user.property_id  # type: ignore[union-attr]
        rows = super().get_queryset(request)
        return rows if property_id is None else rows.filter(property_id=property_id)


@admin.register(Gateway)
class GatewayAdmin(Shown):
    """How each gateway is asked."""

    list_display = ("name", "property", "url", "heard_at", "trouble")


@admin.register(Device)
class DeviceAdmin(Shown):
    """What each device is and where."""

    list_display = ("key", "property", "kind", "serial", "status", "table")
