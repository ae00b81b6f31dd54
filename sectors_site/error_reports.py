"""Error reports to Sentry, if configured: what broke and where, without user input or hidden game state."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from structlog.contextvars import get_contextvars

from sectors_site import environment

EVENT_FIELDS = frozenset(
    {"event_id", "timestamp", "level", "logger", "platform", "environment", "server_name", "release", "exception"}
)
FRAME_FIELDS = frozenset({"filename", "function", "module", "lineno", "in_app"})


def start(dsn: str, *, process: str, site: str) -> None:
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
        before_send=scrubbed,
    )


def scrubbed(event: dict[str, Any], _hint: Any = None) -> dict[str, Any]:
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
