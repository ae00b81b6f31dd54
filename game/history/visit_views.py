"""Who has really been shown a board, and the briefing of those who come back to it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from game.engine.language import say
from game.history.visits import put_briefing_away
from game.store.readers import own_seat


@login_required
@require_POST
def put_away(request: HttpRequest, game_id: int) -> HttpResponse:
    """Take the briefing off the board; it stays on the pages of outcomes."""
    seat = own_seat(game_id=game_id, user=request.user)
    if seat is None:
        raise Http404(say("You have no seat in this game."))
    put_briefing_away(seat=seat)
    return redirect("game", game_id)
