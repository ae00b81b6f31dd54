"""Refusals on the page of a game."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from game.engine.actions import Refused
from game.play.pages import find_game
from game.table.views import whole_page


class RefusalMiddleware:
    """Answers a refused request with 409 and the game's page, with the reason at the top."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The game's page for `Refused`; other exceptions propagate."""
        game_id = request.resolver_match.kwargs.get("game_id") if request.resolver_match else None
        if not isinstance(error, Refused) or game_id is None:
            return None
        messages.error(request, str(error))
        return whole_page(request, find_game(request, game_id), status=409)
