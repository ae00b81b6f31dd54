"""How the site logs: one line an event, through structlog, with neither request bodies nor the values of local variables."""

import sys
from typing import Any

import structlog

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def config(*, plain: bool, level: str) -> dict[str, Any]:
    """Django's LOGGING: readable lines on a person's own machine, JSON lines in a service."""
    _configure_structlog()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": structlog.stdlib.ProcessorFormatter, "processors": _renderers(plain), "foreign_pre_chain": SHARED}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Django's own handlers would mail whole requests to the admins.
            "django": {"handlers": [], "propagate": True, "level": level},
            "django.server": {"handlers": [], "propagate": True},
            # Anybody can send a wrong Host or a million fields; the answer is 400 and a traceback for each would fill the log.
            "django.security": {"level": "CRITICAL"},
            # A refusal is an answer, 403 and 422 as much as 404: only what goes wrong here is news.
            "django.request": {"level": "ERROR"},
            "celery": {"level": "WARNING"},
            "uvicorn": {"level": "WARNING"},
        },
    }


def _renderers(plain: bool) -> list[Any]:
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if plain:
        return [drop, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)]
    return [drop, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]


def _configure_structlog() -> None:
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
