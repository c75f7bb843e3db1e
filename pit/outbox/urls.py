"""Addresses of the inbox."""

from django.urls import path

from pit.outbox import views

urlpatterns = [
    path("inbox/", views.inbox, name="inbox"),
    path("inbox/<int:pk>/acknowledge", views.acknowledge, name="acknowledge"),
]
