"""Logging: one line per event through structlog, without request bodies or local variables."""

import logging
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import structlog
from redis.exceptions import RedisError

from sectors_site.secret_addresses import without_keys

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
# Loggers keep the list of their first use, so it must be the same list however often the site is configured.
PROCESSORS: list[Any] = [
    structlog.stdlib.filter_by_level,
    *SHARED,
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


class Seldom(logging.Filter):
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


def config(*, plain: bool, level: int, process: str = "") -> dict[str, Any]:
    """Django's LOGGING: readable lines on a private machine, JSON lines in a service, each with its process."""
    _configure_structlog()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": _renderers(plain, process),
                "foreign_pre_chain": SHARED,
            }
        },
        "filters": {"seldom": {"()": Seldom}},
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
    return without_keys(line)


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
