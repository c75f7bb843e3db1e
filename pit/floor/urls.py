"""Addresses of the house."""

from django.urls import path

from pit.floor import views

app_name = "floor"
urlpatterns = [
    path("house/", views.my_house, name="my-house"),
    path("properties/<int:pk>/house/", views.house, name="house"),
    path("properties/<int:pk>/<str:command>", views.change, name="change"),
]
