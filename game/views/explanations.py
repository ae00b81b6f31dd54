"""A figure of a game explained: everything that adds up to it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.explanations import explanation_of
from game.readers import sight_of
from game.views.board import private
from game.views.history import find_played


@require_safe
def page(request: HttpRequest, game_id: int, figure: str, subject: str) -> HttpResponse:
    """One figure of one company or player as it stands now."""
    game = find_played(request, game_id)
    sight = sight_of(game, request.user)
    found = explanation_of(sight, figure, subject)
    if found is None:
        why = "There is no figure of that name here, or it may not be explained before the game is over."
        context = {"game": game, "why": why, "back": "game_spreadsheet"}
        return private(render(request, "game/no_such.html", context, status=404))
    return private(render(request, "game/explanation.html", sight.context("spreadsheet") | {"found": found}))
