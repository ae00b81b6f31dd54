"""Logs and error reports: one line per event through structlog, with its request, task and game, and reports to Sentry
if configured; without request bodies, local variables, secret addresses or hidden game state."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import structlog
from celery.signals import task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from sectors_site import environment
from sectors_site.secret_addresses import hide_keys

SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
# Loggers keep the list of their first use, so it must be the same list however often the site is configured.
PROCESSORS: list[Any] = [
    structlog.stdlib.filter_by_level,
    *SHARED_PROCESSORS,
    structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
]
# During a Redis outage these would flood the log: they retry every second, or at every request.
THROTTLED = (
    "celery.beat",
    "celery.worker.consumer.consumer",
    "channels_redis.pubsub",
    "game.consumers",
    "game.clock",
    "game.services.push",
    "game.services.sweep",
    "sectors_site.caches",
    "kombu.transport.redis",
)
THROTTLE_SECONDS = 60
OWN_LOGGERS = ("accounts", "game", "sectors_site")
HEADER = "X-Request-ID"
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
EVENT_FIELDS = frozenset(
    {"event_id", "timestamp", "level", "logger", "platform", "environment", "server_name", "release", "exception"}
)
FRAME_FIELDS = frozenset({"filename", "function", "module", "lineno", "in_app"})


class ThrottleFilter(logging.Filter):
    """Throttles equal messages of a logger to one a minute, and logs Redis outages without a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self._logged_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        message: Any = record.msg
        event = str([message.get(key) for key in ("event", "work")] if isinstance(message, dict) else message)
        now = time.monotonic()
        if now - self._logged_at.get(event, -THROTTLE_SECONDS) < THROTTLE_SECONDS:
            return False
        self._logged_at[event] = now
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, RedisError):
            record.msg, record.args, record.exc_info = f"{record.getMessage()} ({error})", (), None
        return True


def logging_config(*, plain: bool, level: int, process: str = "") -> dict[str, Any]:
    """Django's LOGGING: readable lines on a private machine, JSON lines in a service, each with its process."""
    _configure_structlog()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": _renderers(plain, process),
                "foreign_pre_chain": SHARED_PROCESSORS,
            }
        },
        "filters": {"seldom": {"()": ThrottleFilter}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        # Below INFO only our own loggers: libraries show orders, hashes and sessions there.
        "root": {"handlers": ["console"], "level": max(level, logging.INFO)},
        "loggers": {
            **{name: {"level": level} for name in OWN_LOGGERS},
            # Django's own handlers would mail whole requests to the admins.
            "django": {"handlers": [], "propagate": True, "level": max(level, logging.INFO)},
            "django.server": {"handlers": [], "propagate": True},
            # Anybody can send a wrong Host or a million fields: a traceback for each 400 would flood the log.
            "django.security": {"level": "CRITICAL"},
            # 403, 404 and 422 are normal answers: log only our own failures.
            "django.request": {"level": "ERROR"},
            "celery": {"level": "WARNING"},
            "uvicorn": {"level": "WARNING"},
            **{name: {"filters": ["seldom"]} for name in THROTTLED},
        },
    }


def _renderers(plain: bool, process: str) -> list[Any]:
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if plain:
        return [
            drop,
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
            _without_keys,
        ]
    to_json = structlog.processors.JSONRenderer()
    return [drop, _process_adder(process), structlog.processors.format_exc_info, to_json, _without_keys]


def _without_keys(_logger: Any, _method: str, line: str) -> str:
    """Removes secret addresses from the whole line: Django logs the URL of a failed request."""
    return hide_keys(line)


def _process_adder(process: str) -> Callable[[Any, str, dict[str, Any]], dict[str, Any]]:
    """Adds the kind and id of the process."""

    def add_process(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
        return event | {"process": process or "manage", "pid": os.getpid()}

    return add_process


def _configure_structlog() -> None:
    structlog.configure(
        processors=PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


class RequestTraceMiddleware:
    """Gives each request an id, the proxy's if one is trusted; the response carries it, so that users can quote it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        clear_contextvars()
        request_id = _request_id(request)
        bind_contextvars(request=request_id)
        try:
            response = self.get_response(request)
        finally:
            clear_contextvars()
        response.headers[HEADER] = request_id
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        if "game_id" in kwargs:
            bind_contextvars(game=kwargs["game_id"])


def _request_id(request: HttpRequest) -> str:
    value = request.headers.get(HEADER, "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    return value if REQUEST_ID.fullmatch(value) else uuid4().hex


def _bind_task(
    task_id: str, task: Any, args: list[Any] | None = None, kwargs: dict[str, Any] | None = None, **_: Any
) -> None:
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)
    arguments = dict(zip(("game_id",), args or (), strict=False)) | (kwargs or {})
    if "game_id" in arguments:
        bind_contextvars(game=arguments["game_id"])


def _unbind_task(**_: Any) -> None:
    clear_contextvars()


def bind_tasks() -> None:
    """Called once by the module of the Celery application."""
    task_prerun.connect(_bind_task, weak=False)
    task_postrun.connect(_unbind_task, weak=False)


def report_errors(dsn: str, *, process: str, site: str) -> None:
    """Report the errors of this process, if there is a DSN. A malformed DSN ends the start with a sentence."""
    if not dsn:
        return
    parts = urlsplit(dsn)
    if parts.scheme not in {"http", "https"} or not (parts.username and parts.hostname and parts.path.strip("/")):
        environment.refuse("SENTRY_DSN must be an address such as https://key@sentry.example.org/1.")
    try:
        sdk = import_module("sentry_sdk")
    except ImportError:
        environment.refuse("SENTRY_DSN is set, but sentry-sdk is not installed: run .venv/bin/pip install sentry-sdk.")
    sdk.init(
        dsn=dsn,
        environment=site,
        server_name=process or "manage",
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=0,
        before_send=scrub,
    )


def scrub(event: dict[str, Any], _hint: Any = None) -> dict[str, Any]:
    """The report: type and frames of the error, and the ids that lead to the log. The message stays in the log: those
    of the rules may name sealed inputs."""
    report = {name: value for name, value in event.items() if name in EVENT_FIELDS}
    for error in report.get("exception", {}).get("values", ()):
        error["value"] = ""
        stack = error.get("stacktrace") or {}
        stack["frames"] = [
            {name: value for name, value in frame.items() if name in FRAME_FIELDS} for frame in stack.get("frames", ())
        ]
    context = get_contextvars()
    report["tags"] = {name: str(context[name]) for name in ("request", "task", "task_id", "game") if name in context}
    return report
