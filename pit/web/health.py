"""Whether this process lives (`/healthz`) and whether it can serve (`/readyz`)."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pit.live.build import build_id


@login_not_required
@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers; touches nothing."""
    return JsonResponse({"status": "ok", "build": build_id()})


@login_not_required
@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers, else 503. Redis away is told, not fatal: commands are kept all the same."""
    database = _database_answers()
    checks = {"database": database, "live": _live_answers()}
    return JsonResponse(
        {"status": "ok" if database else "unavailable", **checks}, status=200 if database else 503
    )


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _live_answers() -> bool:
    import redis

    try:
        client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.3, socket_connect_timeout=0.3)
        with client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
