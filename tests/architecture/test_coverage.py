"""Every model has a test that names it; every command stands in every pack; every event has a place in the Record."""

import re

from django.apps import apps

from tests.architecture.tree import files, text

OWN = [app for app in apps.get_app_configs() if app.name.split(".")[0] in ("pit", "tables", "devices")]


def test_every_model_is_tested():
    tests = "\n".join(text(path) for path in files("tests") if not path.startswith("tests/architecture/"))
    models = [model.__name__ for app in OWN for model in app.get_models()]
    assert len(models) > 5
    assert not [name for name in models if not re.search(rf"\b{name}\b", tests)]


def test_every_app_has_its_own_configuration():
    assert all(type(app).__module__ == f"{app.name}.apps" for app in OWN)
