"""Reports of errors to a Sentry, where one is configured: what broke and where, and nothing that a person sent or that
a game hides."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from structlog.contextvars import get_contextvars

from sectors_site import environment

KEPT = frozenset(
    {"event_id", "timestamp", "level", "logger", "platform", "environment", "server_name", "release", "exception"}
)
OF_A_FRAME = frozenset({"filename", "function", "module", "lineno", "in_app"})


def start(dsn: str, *, process: str, site: str) -> None:
    """Report the errors of this process; without a DSN nothing is reported anywhere. A wrong one ends the start in a
    sentence."""
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
    """What is reported: the kind of error and its frames, and the numbers that lead to the log. Its message stays in
    the log: those of the rules may name what is sealed."""
    kept = {name: value for name, value in event.items() if name in KEPT}
    for raised in kept.get("exception", {}).get("values", ()):
        raised["value"] = ""
        stack = raised.get("stacktrace") or {}
        stack["frames"] = [
            {name: value for name, value in frame.items() if name in OF_A_FRAME} for frame in stack.get("frames", ())
        ]
    named = get_contextvars()
    kept["tags"] = {name: str(named[name]) for name in ("request", "task", "task_id", "game") if name in named}
    return kept
