"""The story of a finished game: who won and how, the decisive turns, and where the money went."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.engine.language import say
from game.history.stories import story_of
from game.history.viewer import sight_of
from game.history.views import find_played
from game.play.pages import private
from game.store.game import Status


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """The whole story on one page; 404 while the game runs, because it would reveal what is hidden."""
    game = find_played(request, game_id)
    if game.status != Status.FINISHED:
        raise Http404(say("The story of a game can be read once it is over."))
    sight = sight_of(game, request.user)
    return private(render(request, "history/story.html", sight.context("story") | {"story": story_of(sight)}))
