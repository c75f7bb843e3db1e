"""What the bar of every page shows: the property, its pits with what needs attention, unread messages.

All lazy: a page without a bar, and an error page while the database is away, ask for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from pit.live.build import build_id
from pit.people.roles import rights_of
from pit.web import clock

if TYPE_CHECKING:
    from pit.people.models import Staff


class Tab(Protocol):
    """A pit in the bar. `attention` counts its tables that need somebody, `on_hold` those that may not deal."""

    pk: int
    name: str
    property_id: int
    attention: int
    on_hold: int
    property: Any


_tabs: Callable[[int], Sequence[Tab]] = lambda property_id: ()  # noqa: E731 - replaced when an app provides them


def provide_tabs(provider: Callable[[int], Sequence[Tab]]) -> None:
    """Called once by the app that knows tables: `provider(property_id)` gives the pits, property joined, in order."""
    global _tabs
    _tabs = provider


class Shell:
    """The bar of one request."""

    def __init__(self, request: HttpRequest, now: datetime) -> None:
        self.user: Any = getattr(request, "user", None) or AnonymousUser()
        self.now = now

    @cached_property
    def tabs(self) -> Sequence[Tab]:
        """The pits of this person's property. The joined property is kept on the user: one query for both."""
        tabs = _tabs(self.user.property_id) if self.user.is_authenticated and self.user.property_id else ()
        if tabs:
            self.user.property = tabs[0].property
        return tabs

    @cached_property
    def property(self) -> Any:
        """The property, or None for an installation-wide account and for nobody."""
        if not self.user.is_authenticated or not self.user.property_id:
            return None
        return self.tabs[0].property if self.tabs else self.user.property

    @cached_property
    def whole_property(self) -> bool:
        """Whether this person looks after more than a section, so that the overview is theirs."""
        return self.user.is_authenticated and rights_of(self.user.role).acts != "duty"

    @cached_property
    def gaming_day(self) -> date:
        """The gaming day at the property."""
        from pit.floor.gaming_day import gaming_day

        return gaming_day(self.now, self.property) if self.property else self.now.date()

    @cached_property
    def unread(self) -> int:
        """Messages to this person that are not yet acknowledged."""
        from pit.outbox.selectors import unread

        return unread(self.user) if self.user.is_authenticated else 0


def staff_of(request: HttpRequest) -> Staff:
    """Who is signed in; the middleware has seen to it that somebody is."""
    return cast("Staff", request.user)


def shell_of(request: HttpRequest) -> Shell:
    """The bar of this request, made once."""
    if not hasattr(request, "shell"):
        request.shell = Shell(request, clock.now())  # type: ignore[attr-defined]
    return request.shell  # type: ignore[attr-defined, no-any-return]


def shell(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `shell`, `now`, `zone`, `clock_face`, `build`."""
    bar = shell_of(request)
    return {
        "shell": bar,
        "now": bar.now,
        "zone": lambda: bar.property.zone if bar.property else settings.TIME_ZONE,
        "clock_face": lambda: bar.property.clock if bar.property else 24,
        "build": build_id(),
    }
