"""Staff and duty in the admin: people and places, never regulated state."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from pit.people.forms import StaffForm
from pit.people.models import Duty, Staff
from pit.web import clock

admin.site.site_header = admin.site.site_title = "Pitstand administration"
admin.site.index_title = "People and pits"
admin.site.unregister(Group)


def _sign_in(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """One sign-in for everything: the admin's own form knows neither hand-over nor the address count."""
    return redirect(f"/accounts/login/?{urlencode({'next': request.GET.get('next', '/admin/')})}")


def _password(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """One form for it, too: the admin's own does not count guesses."""
    return redirect("people:password")


admin.site.login = _sign_in  # type: ignore[method-assign]
admin.site.password_change = _password  # type: ignore[method-assign]


class ForAdministrators:
    """Administrators, by role; Django's own permissions give nobody anything."""

    def _is(self, request: HttpRequest) -> bool:
        return bool(getattr(request.user, "is_staff", False))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._is(request)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self._is(request)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self._is(request)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self._is(request)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """An administrator of one property gives people and pits of that property, and cannot step out of it."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[misc]
        home = request.user.property_id  # type: ignore[union-attr]
        if home is not None and field is not None:
            own = {"property": "pk", "pit": "property_id", "staff": "property_id"}
            field.queryset = field.queryset.filter(**{own[db_field.name]: home})
            field.required = True
        return field


class DutyInline(ForAdministrators, admin.TabularInline):  # type: ignore[type-arg]
    """The sections of one person."""

    model = Duty
    extra = 0


@admin.register(Staff)
class StaffAdmin(ForAdministrators, admin.ModelAdmin):  # type: ignore[type-arg]
    """A person is never deleted, only made inactive: the Record names them."""

    form = StaffForm
    list_display = ("name", "badge", "role", "property", "username", "is_active")
    list_filter = ("role", "property", "is_active")
    search_fields = ("name", "badge", "username")
    inlines = (DutyInline,)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        return mine(request, super().get_queryset(request), "property_id")


@admin.register(Duty)
class DutyAdmin(ForAdministrators, admin.ModelAdmin):  # type: ignore[type-arg]
    """Who looks after which pit."""

    list_display = ("staff", "pit", "from_at", "until_at")
    list_filter = ("pit",)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self._is(request)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return super().get_changeform_initial_data(request) | {"from_at": clock.now()}

    def get_queryset(self, request: HttpRequest) -> Any:
        return mine(request, super().get_queryset(request), "pit__property_id")


def mine(request: HttpRequest, rows: Any, path: str) -> Any:
    """An administrator of one property sees that property alone."""
    property_id = request.user.property_id  # type: ignore[union-attr]
    return rows if property_id is None else rows.filter(**{path: property_id})
