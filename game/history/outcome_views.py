"""The outcomes of the reader's seat in each phase of a game, available as long as the game is."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from game.engine.language import say
from game.history.outcome_pages import outcomes_context
from game.play.pages import find_game, private


@login_required
@require_safe
def outcomes(request: HttpRequest, game_id: int) -> HttpResponse:
    """One turn's outcomes, newest first. Only players of the game have any."""
    game = find_game(request, game_id)
    turn_text = request.GET.get("turn", "")
    turn = int(turn_text) if turn_text.isdecimal() and len(turn_text) < 6 else None
    assert isinstance(request.user, User)
    context = outcomes_context(game=game, reader=request.user, turn=turn) if game.has_position else None
    if context is None:
        raise Http404(say("You have no seat in this game."))
    return private(render(request, "history/outcomes.html", context))
