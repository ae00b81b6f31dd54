"""Error pages for games whose stored data is damaged, or newer than this process."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from game.engine.codec import Damaged, Newer
from game.play import failures

RETRY_SECONDS = 10  # during an update, the next process that answers is usually a new one


class DamageMiddleware:
    """Shows an error page when stored data is damaged; a game whose position is damaged is put on hold."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The error page for `Damaged` or `Newer`; other exceptions propagate."""
        if isinstance(error, Newer):
            page, headers = (
                render_to_string("web/newer.html"),
                {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "private, no-store"},
            )
            return HttpResponse(page, status=503, headers=headers)
        if not isinstance(error, Damaged):
            return None
        match = request.resolver_match
        game_id = match.kwargs.get("game_id") if match else None
        is_held = game_id is not None and failures.hold_damaged(game_id=game_id)
        page = render_to_string("web/damaged.html", {"is_held": is_held})
        return HttpResponse(page, status=409, headers={"Cache-Control": "private, no-store"})
