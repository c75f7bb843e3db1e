"""Deadlines: stored due times and the sweep that says them."""

from django.apps import AppConfig


class DeadlinesConfig(AppConfig):
    name = "pit.deadlines"
    label = "deadlines"
    verbose_name = "Deadlines"
