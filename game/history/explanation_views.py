"""A figure of a game explained: everything that adds up to it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.engine.language import say
from game.history.explanations import UNKNOWN, explanation_of
from game.history.past import NoSuchMoment
from game.history.viewer import sight_of
from game.history.views import UnreadableMoment, find_played, serial_of
from game.play.pages import private
from game.store.game import Game


@require_safe
def page(request: HttpRequest, game_id: int, figure: str, subject: str) -> HttpResponse:
    """One figure of one company or player now, or at the start of the phase with serial `at`."""
    game = find_played(request, game_id)
    sight, serial = sight_of(game, request.user), request.GET.get("at")
    try:
        explanation = explanation_of(sight, figure, subject, None if serial is None else serial_of(serial))
    except UnreadableMoment as error:
        return _render_missing(request, game, str(error), 400)
    except NoSuchMoment as error:
        return _render_missing(request, game, str(error), 404)
    if explanation is None:
        return _render_missing(request, game, say(UNKNOWN), 404)
    context = sight.context("spreadsheet") | {"found": explanation, "at": serial}
    return private(render(request, "history/explanation.html", context))


def _render_missing(request: HttpRequest, game: Game, why: str, status: int) -> HttpResponse:
    context = {"game": game, "why": why, "back": "game_spreadsheet"}
    return private(render(request, "history/no_such.html", context, status=status))
