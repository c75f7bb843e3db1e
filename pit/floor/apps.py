from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "pit.floor"
    label = "floor"
    verbose_name = "Floor"
