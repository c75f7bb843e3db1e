"""Changes as a Celery beat task. The rows are the truth: a task lost or run twice changes nothing."""

from celery import shared_task

from pit.notices.switch import switch_due
from pit.notices.told import reconcile_all
from pit.web import clock


@shared_task(name="pit.notices.tasks.switch")
def switch() -> int:
    """Takes into the Record what the outbox knows, then puts in force what is due; gives how many."""
    now = clock.now()
    reconcile_all(now)
    return switch_due(now)
