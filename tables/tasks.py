"""The tables' own Celery beat task."""

from celery import shared_task

from pit.web import clock
from tables import patterns


@shared_task(name="tables.tasks.patterns")
def look_for_patterns() -> int:
    """Looks for trouble that comes again and again; gives how many patterns were said."""
    return patterns.look(clock.now())
