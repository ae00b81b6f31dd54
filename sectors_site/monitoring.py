"""Health checks (`/healthz`, `/readyz`) and Prometheus metrics (`/metrics`) for load balancers and monitoring."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from functools import cache
from hmac import compare_digest
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, F
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import REGISTRY, Collector

from accounts.models import WaitingMail
from game.play import leases
from game.store import heartbeats
from game.store.game import Game, Status
from game.store.heartbeats import Heartbeat, Job
from game.store.log import LoggedAction, Notice
from sectors_site import metric_files

LIVE_PATH, READY_PATH = "/healthz", "/readyz"
MAX_LATENESS = timedelta(seconds=30)  # a game overdue for longer shows that nobody closes phases
BROKER_SECONDS = 0.5
STALLED_TEXTS = {
    Job.BOTS: "nobody lets bots act: neither worker nor clock",
    Job.MAIL: "nobody sends mail: neither worker nor clock",
    Job.HOOKS: "nobody posts to webhooks: neither worker nor clock",
    Job.PUSH: "nobody posts to browsers: neither worker nor clock",
    Job.UPKEEP: "Celery beat or its worker has gone: no closing is tried, nothing is archived or cleaned up",
}
METRICS_PATH = "/metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
REQUESTS = Counter("sectors_requests", "Requests answered.", ["view", "method", "status"])
SECONDS = Histogram(
    "sectors_request_seconds",
    "How long answers took.",
    ["view"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
_counters: dict[tuple[str, str, int], Any] = {}
_histograms: dict[str, Any] = {}


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
    if all(heartbeats.is_stalled(job) for job in heartbeats.PRESENT):
        troubles["deadlines"] = "nobody closes phases: neither worker nor clock"
    troubles |= {job.value: text for job, text in STALLED_TEXTS.items() if job in ages and heartbeats.is_stalled(job)}
    if late > MAX_LATENESS:
        troubles["overdue"] = f"a game has waited {late.total_seconds():.0f} s for its deadline to be kept"
    seconds = {job.value: ages.get(job.value) for job in Job}
    return troubles, {"seconds_since": seconds, "oldest_overdue": round(late.total_seconds(), 1)}


def _max_lateness() -> timedelta:
    """The age of the oldest passed deadline whose phase is still open, apart from games in a back-off after a
    failure."""
    due = leases.overdue().annotate(late=Now() - F("deadline_at"))
    return due.values_list("late", flat=True).first() or timedelta(0)


@cache
def _is_migrated() -> bool:
    """True if all migrations are applied; cached once true, because a running process never loses one."""
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


class MetricsMiddleware:
    """Counts responses by view, and answers `/metrics`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == METRICS_PATH and may_read_metrics(request):
            return HttpResponse(all_metrics(), content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})
        began = time.perf_counter()
        response = self.get_response(request)
        _count(request, response.status_code, time.perf_counter() - began)
        return response


def may_read_metrics(request: HttpRequest) -> bool:
    """Holders of the token; without a configured token only this machine, not through a proxy."""
    if settings.METRICS_TOKEN:
        header = request.headers.get("Authorization", "")
        return compare_digest(header.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return all(map(_is_loopback, [*filter(None, forwarded.split(",")), request.META.get("REMOTE_ADDR", "")]))


def all_metrics() -> bytes:
    """All metrics in Prometheus text format."""
    counters = metric_files.sum_counters(settings.METRICS_HOME) if settings.METRICS_HOME else generate_latest(REGISTRY)
    waiting = CollectorRegistry()
    waiting.register(DatabaseMetrics())
    return counters + generate_latest(waiting)


class DatabaseMetrics(Collector):
    """Metrics from the database: a few counts, each over an index."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            yield from [*_games(), *_outbox(), *_hearts()]
        except (DatabaseError, InterfaceError):
            yield GaugeMetricFamily("sectors_database_up", "Whether the database answers.", value=0)
        else:
            yield GaugeMetricFamily("sectors_database_up", "Whether the database answers.", value=1)


def _games() -> Iterator[GaugeMetricFamily]:
    counts = dict.fromkeys(Status.values, 0) | dict(Game.objects.values_list("status").annotate(Count("pk")).order_by())
    yield _family("sectors_games", "Games by what they do.", "status", counts.items())
    due = leases.overdue().order_by()
    late = due.order_by("deadline_at").values_list(Now() - F("deadline_at"), flat=True).first()
    yield GaugeMetricFamily("sectors_deadlines_overdue", "Deadlines that nobody has kept yet.", value=due.count())
    oldest = late.total_seconds() if late else 0
    yield GaugeMetricFamily("sectors_oldest_overdue_seconds", "How late the latest of them is.", value=oldest)
    failing = Game.objects.filter(status=Status.RUNNING, attempts__gt=0).count()
    yield GaugeMetricFamily("sectors_games_failing", "Running games whose last attempt failed.", value=failing)


def _outbox() -> Iterator[GaugeMetricFamily]:
    lengths = {
        "log": LoggedAction.objects.filter(is_told=False).count(),
        "notices": Notice.objects.filter(handed_at=None, sent_at=None, cancelled_at=None, due_at__lte=Now()).count(),
        "account": WaitingMail.objects.filter(handed_at=None).count(),
    }
    yield _family("sectors_outbox", "What waits to be told or sent.", "kind", lengths.items())


def _hearts() -> Iterator[GaugeMetricFamily]:
    beats = Heartbeat.objects.annotate(age=Now() - F("beat_at")).values_list("name", "age")
    ages = [(name, age.total_seconds()) for name, age in beats]
    yield _family("sectors_heartbeat_age_seconds", "When somebody was last at a kind of work.", "work", ages)


def _family(name: str, text: str, label: str, values: Iterable[tuple[str, float]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family


def _count(request: HttpRequest, status: int, seconds: float) -> None:
    match = request.resolver_match
    view = match.view_name if match and match.view_name else "none"
    key = (view, request.method if request.method in METHODS else "OTHER", status)
    if (counter := _counters.get(key)) is None:
        counter = _counters[key] = REQUESTS.labels(*key)
    if (histogram := _histograms.get(view)) is None:
        histogram = _histograms[view] = SECONDS.labels(view)
    counter.inc()
    histogram.observe(seconds)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.strip()).is_loopback
    except ValueError:
        return False
