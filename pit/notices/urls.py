"""Addresses of changes and their notices."""

urlpatterns = []
