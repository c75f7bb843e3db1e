"""Every address of the site."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

from pit.web import health

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("admin/", admin.site.urls),
]
for _prefix, _module in [
    ("accounts/", "pit.people.urls"),
    ("live/", "pit.live.urls"),
    ("", "pit.floor.urls"),
    ("", "pit.outbox.urls"),
    ("", "tables.urls"),
]:
    if find_spec(_module) and (_module != "tables.urls" or find_spec("tables.domain.offers")):
        urlpatterns.append(path(_prefix, include(_module)))

handler400 = "pit.web.errors.bad_request"
handler403 = "pit.web.errors.forbidden"
handler404 = "pit.web.errors.not_found"
handler500 = "pit.web.errors.server_error"
