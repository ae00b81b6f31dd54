"""Dismissing the briefing of a player who has come back."""

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
    """Remove the briefing from the board; the pages of outcomes keep its content."""
    seat = own_seat(game_id=game_id, user=request.user)
    if seat is None:
        raise Http404(say("You have no seat in this game."))
    put_briefing_away(seat=seat)
    return redirect("game", game_id)
