"""What is answered where the stored game, or a part of its past, turns out to be damaged."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from game.engine.codec import Damaged
from game.services import failures


class DamageMiddleware:
    """Answers a page that met damage with a plain one; a game whose position is damaged is put on hold."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for damage; every other exception goes on."""
        if not isinstance(error, Damaged):
            return None
        match = request.resolver_match
        game_id = match.kwargs.get("game_id") if match else None
        is_held = game_id is not None and failures.hold_damaged(game_id=game_id)
        page = render_to_string("game/damaged.html", {"is_held": is_held})
        return HttpResponse(page, status=409, headers={"Cache-Control": "private, no-store"})
