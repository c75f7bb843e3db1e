"""The poll as a Celery beat task: thin, without arguments; the rows say what is due."""

from celery import shared_task

from devices import poll as polling


@shared_task(name="devices.tasks.poll", ignore_result=True)
def poll() -> int:
    """Asks the gateways that are due; gives how many answered."""
    return polling.tick()


@shared_task(name="devices.tasks.forget", ignore_result=True)
def forget() -> int:
    """Forgets readings and journal entries that are older than the site keeps them; gives how many."""
    from devices.retention import forget as forgetting
    from pit.web import clock

    return forgetting(clock.now())
