"""What the page of a game says where something that was asked on it is refused."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from game.engine.actions import Refused
from game.play.pages import find_game
from game.table.views import whole_page


class RefusalMiddleware:
    """Answers what the game of an address does not allow with 409: its page, the reason on top."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The game's page; every other exception goes on."""
        game_id = request.resolver_match.kwargs.get("game_id") if request.resolver_match else None
        if not isinstance(error, Refused) or game_id is None:
            return None
        messages.error(request, str(error))
        return whole_page(request, find_game(request, game_id), status=409)
