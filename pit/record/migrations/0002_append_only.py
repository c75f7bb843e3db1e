"""The append-only triggers."""

from django.db import migrations

from pit.record import triggers


def install(apps, schema_editor):
    triggers.install(schema_editor.connection)


def remove(apps, schema_editor):
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("record", "0001_initial")]

    operations = [migrations.RunPython(install, remove)]
