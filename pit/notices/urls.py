"""Addresses of changes and their notices."""

from django.urls import path

from pit.notices import views

urlpatterns = [
    path("", views.notices, name="notices"),
    path("new/", views.new, name="new-change"),
    path("<int:pk>/", views.notice, name="notice"),
    path("<int:pk>/edit/", views.edit, name="edit-change"),
    path("<int:pk>/slip.pdf", views.print_slip, name="slip"),
    path("<int:pk>/hand-over", views.hand_over, name="hand-over-slip"),
    path("<int:pk>/<str:command>", views.act, name="act-on-change"),
]
