"""Addresses of gateways and devices."""

from django.urls import path

from devices import views

app_name = "devices"
urlpatterns = [
    path("devices/", views.devices, name="devices"),
    path("devices.json", views.devices, name="devices-json"),
    path("devices/strip", views.strip, name="strip"),
    path("devices/new", views.new_device, name="new-device"),
    path("devices/at/<int:pk>", views.at_table, name="at-table"),
    path("devices/<int:pk>/", views.device, name="device"),
    path("devices/<int:pk>.json", views.device, name="device-json"),
    path("devices/<int:pk>/<str:name>", views.command, name="command"),
    path("gateways/new", views.new_gateway, name="new-gateway"),
    path("gateways/<int:pk>/", views.gateway, name="gateway"),
    path("gateways/<int:pk>/<str:name>", views.gateway_command, name="gateway-command"),
]
