from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "pit.people"
    label = "people"
    verbose_name = "People"
