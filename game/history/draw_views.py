"""The draws of a finished game, for everybody who may see it: as a page that repeats them, and as JSON."""

from __future__ import annotations

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.engine.language import say
from game.history.draws import draws_of, proof_of
from game.history.viewer import sight_of
from game.history.views import find_played
from game.play.pages import private
from game.store.game import Game


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """404 while the game runs: its secret would reveal draws to come."""
    game = _find_finished(request, game_id)
    context = sight_of(game, request.user).context("draws") | {"proof": proof_of(game)}
    return private(render(request, "history/draws.html", context))


@require_safe
def download(request: HttpRequest, game_id: int) -> HttpResponse:
    """The same for programs. `name` behind the secret and a stroke is what is hashed."""
    game = _find_finished(request, game_id)
    return private(JsonResponse(msgspec.to_builtins(draws_of(game))))


def _find_finished(request: HttpRequest, game_id: int) -> Game:
    game = find_played(request, game_id)
    if not game.is_over:
        raise Http404(say("The draws of a game can be checked once it is over."))
    return game
