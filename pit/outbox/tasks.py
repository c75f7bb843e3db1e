"""The outbox as Celery beat tasks. The rows are the truth: a task lost or run twice changes nothing."""

from celery import shared_task

from pit.outbox import escalate as escalating
from pit.outbox import send as sending
from pit.outbox.deliver import deliver_all
from pit.web import clock


@shared_task(name="pit.outbox.tasks.deliver")
def deliver() -> int:
    """Finds recipients for what a crash left behind, sends what is due, says which clocks ran out; gives how many."""
    now = clock.now()
    return deliver_all(now) + sending.send_all(now, clock=clock.now) + escalating.escalate_all(now)
