"""Who may hear what: sessions, tokens and rights of any number of sockets in a handful of queries."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import Enum
from http.cookies import CookieError
from typing import Any, NamedTuple

from django.conf import settings
from django.http import parse_cookie

from pit.floor.models import Pit
from pit.people import sessions, tokens
from pit.people.authority import may_see
from pit.people.models import Staff
from pit.web.middleware import lawful_session

LARGEST = 2**63 - 1
"""No row has a larger number, and no database takes one: whoever asks with others must not fail them all."""


class Ask(NamedTuple):
    """Somebody who wants to hear a topic: a session key, or an Authorization header, and the topic."""

    session: str
    token: str
    topic: str


class Verdict(Enum):
    """The answer; its value is the code with which the socket is closed."""

    MAY = 0
    SIGNED_OUT = 4401
    NO_RIGHT = 4403


def ask_of(scope: dict[str, Any], topic: str) -> Ask:
    """What the handshake's headers say about who asks."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    try:
        cookies = parse_cookie(headers.get(b"cookie", ""))
    except CookieError:
        cookies = {}
    session = cookies.get(settings.SESSION_COOKIE_NAME, "")
    return Ask(session if lawful_session(session) else "", headers.get(b"authorization", ""), topic)


def verdicts(asks: Collection[Ask], *, now: datetime) -> dict[Ask, Verdict]:
    """The verdict on each. Sessions and people take two queries, pits one; tokens are few and take one each."""
    by_session = sessions.signed_in({ask.session for ask in asks if ask.session and not ask.token}, now=now)
    by_token = {token: tokens.staff_for(token, now=now) for token in {ask.token for ask in asks} if token}
    places = _properties({ask.topic for ask in asks})
    return {
        ask: _verdict(by_token[ask.token] if ask.token else by_session.get(ask.session), places[ask.topic])
        for ask in asks
    }


def _verdict(staff: Staff | None, property_id: int | None) -> Verdict:
    if staff is None:
        return Verdict.SIGNED_OUT
    if property_id is None or not may_see(staff, property_id=property_id):
        return Verdict.NO_RIGHT
    return Verdict.MAY


def _properties(topics: Collection[str]) -> dict[str, int | None]:
    """Topic → its property; None for a pit that is not there."""
    pits = [number for topic in topics if topic.startswith("pit:") and (number := _number(topic)) <= LARGEST]
    of_pit = dict(Pit.objects.filter(pk__in=pits).values_list("pk", "property_id")) if pits else {}
    found: dict[str, int | None] = {}
    for topic in topics:
        number = _number(topic)
        found[topic] = of_pit.get(number) if topic.startswith("pit:") else number
    return {topic: number if number is None or number <= LARGEST else None for topic, number in found.items()}


def _number(topic: str) -> int:
    return int(topic.partition(":")[2])
