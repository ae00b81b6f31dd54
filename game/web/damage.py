"""What is answered where the stored game, or a part of its past, turns out to be damaged, or newer than this
process."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from game.engine.codec import Damaged, Newer
from game.play import failures

SOON = 10  # seconds; while a site is updated, the next process that answers is mostly a new one


class DamageMiddleware:
    """Answers a page that met damage with a plain one; a game whose position is damaged is put on hold."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for damage or for a later version's game; every other exception goes on."""
        if isinstance(error, Newer):
            page, soon = (
                render_to_string("web/newer.html"),
                {"Retry-After": str(SOON), "Cache-Control": "private, no-store"},
            )
            return HttpResponse(page, status=503, headers=soon)
        if not isinstance(error, Damaged):
            return None
        match = request.resolver_match
        game_id = match.kwargs.get("game_id") if match else None
        is_held = game_id is not None and failures.hold_damaged(game_id=game_id)
        page = render_to_string("web/damaged.html", {"is_held": is_held})
        return HttpResponse(page, status=409, headers={"Cache-Control": "private, no-store"})
