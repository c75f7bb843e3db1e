"""API tokens: `Authorization: Bearer pit_…` speaks for its person, with the same rights and the same PIN for signing."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from pit.people.models import Staff, Token


def staff_for(header: str, *, now: datetime) -> Staff | None:
    """The person of an Authorization header's token, if it stands."""
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        return None
    running = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    token = (
        Token.objects.select_related("staff__property")
        .filter(running, digest=Token.digest_of(text.strip()), revoked_at__isnull=True)
        .first()
    )
    return token.staff if token is not None and token.staff.may_sign_in else None
