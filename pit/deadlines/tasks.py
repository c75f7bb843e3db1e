"""The sweep as a Celery beat task."""

from celery import shared_task

from pit.deadlines import sweep as sweeping
from pit.web import clock


@shared_task(name="pit.deadlines.tasks.sweep")
def sweep() -> int:
    """Says what fell due; gives how many."""
    return sweeping.sweep(clock.now())
