"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from pit.notices import views as notices
from pit.web import health

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("admin/", admin.site.urls),
    path("accounts/", include("pit.people.urls")),
    path("live/notices/strip", notices.strip, name="notices-strip"),
    path("live/", include("pit.live.urls")),
    path("", include("pit.floor.urls")),
    path("", include("pit.outbox.urls")),
    path("notices/", include("pit.notices.urls")),
    path("", include("tables.urls")),
    path("", include("devices.urls")),
]

handler400 = "pit.web.errors.bad_request"
handler403 = "pit.web.errors.forbidden"
handler404 = "pit.web.errors.not_found"
handler500 = "pit.web.errors.server_error"
