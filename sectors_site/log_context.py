"""Which request, task and game a line of the log belongs to: bound where the work begins, in every process."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from celery.signals import task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9-]{8,64}")


class RequestTraceMiddleware:
    """Gives each request an identity, the proxy's where one is trusted; the answer tells it, so that people can name
    it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        clear_contextvars()
        mine = _identity(request)
        bind_contextvars(request=mine)
        try:
            response = self.get_response(request)
        finally:
            clear_contextvars()
        response.headers[HEADER] = mine
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        if "game_id" in kwargs:
            bind_contextvars(game=kwargs["game_id"])


def _identity(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "") if settings.ALLAUTH_TRUSTED_PROXY_COUNT else ""
    return given if GIVEN.fullmatch(given) else uuid4().hex


def _task_begins(
    task_id: str, task: Any, args: list[Any] | None = None, kwargs: dict[str, Any] | None = None, **_: Any
) -> None:
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)
    known = dict(zip(("game_id",), args or (), strict=False)) | (kwargs or {})
    if "game_id" in known:
        bind_contextvars(game=known["game_id"])


def _task_ended(**_: Any) -> None:
    clear_contextvars()


def follow_tasks() -> None:
    """Called once by what makes the Celery application."""
    task_prerun.connect(_task_begins, weak=False)
    task_postrun.connect(_task_ended, weak=False)
