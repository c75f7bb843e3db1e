"""Addresses of the live layer over HTTP, below `live/`; a page asks them by itself (no sign of a person)."""

from django.urls import path

from pit.live import views

app_name = "live"
urlpatterns = [
    path("pits/<int:pk>/heads", views.pit_heads, name="pit-heads"),
    path("properties/<int:pk>/heads", views.property_heads, name="property-heads"),
    path("fragments", views.missed, name="fragments"),
]
