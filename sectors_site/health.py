"""Health checks for load balancers and monitoring: liveness (`/healthz`) and readiness (`/readyz`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import F
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, JsonResponse

from game.play import leases
from game.store import heartbeats
from game.store.heartbeat_models import Heart, Heartbeat

LIVE_PATH, READY_PATH = "/healthz", "/readyz"
MAX_LATENESS = timedelta(seconds=30)  # a game overdue for longer shows that nobody closes phases
BROKER_SECONDS = 0.5
STALLED_TEXTS = {
    Heart.BOTS: "nobody lets bots act: neither worker nor clock",
    Heart.MAIL: "nobody sends mail: neither worker nor clock",
    Heart.HOOKS: "nobody posts to webhooks: neither worker nor clock",
    Heart.PUSH: "nobody posts to browsers: neither worker nor clock",
    Heart.UPKEEP: "Celery beat or its worker has gone: nothing is rehearsed, put away or cleaned up",
}


class HealthMiddleware:
    """Runs before everything else: load balancers request by IP address, without HTTPS and without a session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == LIVE_PATH:
            return HttpResponse("ok\n", content_type="text/plain")
        if request.path_info == READY_PATH:
            return _readiness()
        return self.get_response(request)


def _readiness() -> JsonResponse:
    """503 if pages cannot be served. Troubles that only slow the site down are listed, but do not take this process out
    of rotation."""
    try:
        troubles, facts = _find_troubles()
    except (DatabaseError, InterfaceError):
        troubles, facts = {"database": "does not answer"}, {}
    is_ready = not troubles.keys() & {"database", "migrations"}
    answer = {"ready": is_ready, "troubles": troubles, **facts}
    return JsonResponse(answer, status=200 if is_ready else 503, headers={"Cache-Control": "no-store"})


def _find_troubles() -> tuple[dict[str, str], dict[str, Any]]:
    if not _is_migrated():
        _is_migrated.cache_clear()
        return {"migrations": "some are not applied"}, {}
    beats = Heartbeat.objects.annotate(age=Now() - F("beat_at")).values_list("name", "age")
    ages = {name: round(age.total_seconds(), 1) for name, age in beats}
    late = _max_lateness()
    troubles = {} if _broker_answers() else {"broker": "does not answer; the clock stands in"}
    if all(heartbeats.is_resting(heart) for heart in heartbeats.PRESENT):
        troubles["deadlines"] = "nobody closes phases: neither worker nor clock"
    troubles |= {
        heart.value: text for heart, text in STALLED_TEXTS.items() if heart in ages and heartbeats.is_resting(heart)
    }
    if late > MAX_LATENESS:
        troubles["overdue"] = f"a game has waited {late.total_seconds():.0f} s for its deadline to be kept"
    seconds = {heart.value: ages.get(heart.value) for heart in Heart}
    return troubles, {"seconds_since": seconds, "oldest_overdue": round(late.total_seconds(), 1)}


def _max_lateness() -> timedelta:
    """The age of the oldest passed deadline whose phase is still open, apart from games in a back-off after a
    failure."""
    due = leases.overdue().annotate(late=Now() - F("deadline_at"))
    return due.values_list("late", flat=True).first() or timedelta(0)


@cache
def _is_migrated() -> bool:
    """Cached once true: a running process never loses a migration."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _broker_answers() -> bool:
    if not settings.REDIS_URL:
        return True
    timeouts = {"socket_connect_timeout": BROKER_SECONDS, "socket_timeout": BROKER_SECONDS}
    try:
        with redis.Redis.from_url(settings.REDIS_URL, **timeouts) as broker:
            return bool(broker.ping())
    except redis.RedisError:
        return False
