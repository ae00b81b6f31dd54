"""Binds request, task and game to log lines, where the work begins in each process."""

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
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


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


def follow_tasks() -> None:
    """Called once by the module of the Celery application."""
    task_prerun.connect(_bind_task, weak=False)
    task_postrun.connect(_unbind_task, weak=False)
