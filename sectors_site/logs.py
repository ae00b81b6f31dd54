"""How the site logs: one line an event, through structlog, with neither request bodies nor the values of local
variables."""

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
# Loggers keep the list that they first wrote with: it is the same one however often the site is configured.
PROCESSORS: list[Any] = [
    structlog.stdlib.filter_by_level,
    *SHARED,
    structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
]

# While Redis is away these would fill the log: they try again every second, or at every request.
SELDOM = (
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
PAUSE = 60  # seconds
OURS = ("accounts", "game", "sectors_site")


class Seldom(logging.Filter):
    """Lets a logger say the same thing once a minute, and of a Redis that is away without a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        message: Any = record.msg
        event = str([message.get(key) for key in ("event", "work")] if isinstance(message, dict) else message)
        now = time.monotonic()
        if now - self._said.get(event, -PAUSE) < PAUSE:
            return False
        self._said[event] = now
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, RedisError):
            record.msg, record.args, record.exc_info = f"{record.getMessage()} ({error})", (), None
        return True


def config(*, plain: bool, level: int, process: str = "") -> dict[str, Any]:
    """Django's LOGGING: readable lines on a person's own machine, JSON lines in a service, each with the process that
    says it."""
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
        # Below INFO only our own words: libraries show orders, hashes and sessions there, in statements, contexts and
        # headers.
        "root": {"handlers": ["console"], "level": max(level, logging.INFO)},
        "loggers": {
            **{name: {"level": level} for name in OURS},
            # Django's own handlers would mail whole requests to the admins.
            "django": {"handlers": [], "propagate": True, "level": max(level, logging.INFO)},
            "django.server": {"handlers": [], "propagate": True},
            # Anybody can send a wrong Host or a million fields; the answer is 400 and a traceback for each would fill
            # the log.
            "django.security": {"level": "CRITICAL"},
            # A refusal is an answer, 403 and 422 as much as 404: only what goes wrong here is news.
            "django.request": {"level": "ERROR"},
            "celery": {"level": "WARNING"},
            "uvicorn": {"level": "WARNING"},
            **{name: {"filters": ["seldom"]} for name in SELDOM},
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
    as_json = structlog.processors.JSONRenderer()
    return [drop, _speaker(process), structlog.processors.format_exc_info, as_json, _without_keys]


def _without_keys(_logger: Any, _method: str, line: str) -> str:
    """A whole line, whoever writes it: Django names the address at which something went wrong."""
    return without_keys(line)


def _speaker(process: str) -> Callable[[Any, str, dict[str, Any]], dict[str, Any]]:
    """Names the kind of process and its number."""

    def speaks(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
        return event | {"process": process or "manage", "pid": os.getpid()}

    return speaks


def _configure_structlog() -> None:
    structlog.configure(
        processors=PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
