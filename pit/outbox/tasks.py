"""Delivery as a Celery beat task: it finds what a crash between commit and delivery left behind."""

from celery import shared_task

from pit.outbox.deliver import deliver_all
from pit.web import clock


@shared_task(name="pit.outbox.tasks.deliver")
def deliver() -> int:
    """Delivers what waits; gives how many messages."""
    return deliver_all(clock.now())
