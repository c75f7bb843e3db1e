"""The Record as a Celery beat task: what may be forgotten is forgotten."""

from celery import shared_task

from pit.record import receipts
from pit.web import clock


@shared_task(name="pit.record.tasks.forget_receipts")  # type: ignore[untyped-decorator]
def forget_receipts() -> int:
    """Forgets the receipts of presses that nobody repeats any more; gives how many."""
    return receipts.forget_receipts(clock.now())
