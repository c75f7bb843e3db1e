"""Numbers of records without gaps. Taken within the transaction of the record: no record, no number."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max

from pit.floor.models import Property
from pit.notices.models import Numbered


def take(place: Property, kind: str, *, what: str, stream: str = "", by: str, now: datetime) -> Numbered:
    """The next number of that kind; inside the caller's transaction, which holds the property's row until its end."""
    Property.objects.select_for_update(no_key=True).get(pk=place.pk)
    last = Numbered.objects.filter(property=place, kind=kind).aggregate(last=Max("count"))["last"] or 0
    return Numbered.objects.create(
        property=place, kind=kind, count=last + 1, what=what[:200], stream=stream, taken_at=now, taken_by=by
    )


def void(stream: str, kind: str, *, reason: str, now: datetime) -> None:
    """The record fell away: its number stays and says so. The first reason stands."""
    rows = Numbered.objects.filter(stream=stream, kind=kind, void_at=None)
    rows.update(void_at=now, void_reason=reason[:200])
