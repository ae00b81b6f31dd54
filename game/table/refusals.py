"""A refused request that was about one game."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from game.engine.actions import Refused
from game.play.panel import find_game
from game.table.views import whole_page


def refusal_page(request: HttpRequest, game_id: int, refused: Refused) -> HttpResponse:
    """The game's page with the reason at the top. Raises `Damaged` or `Newer` if the game cannot be read."""
    messages.error(request, str(refused))
    return whole_page(request, find_game(request, game_id), status=409)
