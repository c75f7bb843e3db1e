"""Addresses below /accounts/."""

from django.urls import path

from pit.people import views

app_name = "people"
urlpatterns = [
    path("", views.me, name="me"),
    path("login/", views.SignIn.as_view(), name="sign-in"),
    path("logout/", views.SignOut.as_view(), name="sign-out"),
    path("handover/", views.handover, name="handover"),
    path("password/", views.ChangePassword.as_view(), name="password"),
    path("pin/", views.change_pin, name="pin"),
    path("tokens/new/", views.new_token, name="new-token"),
    path("tokens/<int:pk>/revoke/", views.revoke_token, name="revoke-token"),
]
