"""Views for leaving a running game and coming back to it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.play.panel import call_service, find_game, private
from game.seats import stand_ins, takeover
from game.seats.page import resign_context
from game.store.readers import own_seat

BACK = mark("You have your seat back. You decide again, from your next decision on.")
GIVEN_BACK = mark("You have given the seat back. You no longer see it.")


@login_required
@require_POST
def take_seat_back(request: HttpRequest, game_id: int) -> HttpResponse:
    """Take one's seat back from the caretaker or a stand-in."""
    return call_service(request, game_id, stand_ins.reclaim_seat, message=BACK)


@login_required
@require_POST
def give_seat_back(request: HttpRequest, game_id: int) -> HttpResponse:
    """Stop playing a seat for its player."""
    return call_service(request, game_id, stand_ins.give_back, message=GIVEN_BACK)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: HttpRequest, game_id: int) -> HttpResponse:
    """Explain resigning; a POST resigns. A refusal is 409, with the reason."""
    assert isinstance(request.user, User)
    game = find_game(request, game_id)
    if request.method == "POST":
        return call_service(request, game_id, takeover.resign)
    seat = own_seat(game_id=game_id, user=request.user)
    if seat is None:
        return redirect("game", game_id=game_id)
    try:
        takeover.check_may_resign(game, request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("game", game_id=game_id)
    return private(render(request, "seats/resign.html", resign_context(game=game, seat=seat)))


@login_required
@require_POST
def take_seat(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return call_service(request, game_id, takeover.take_seat, number=number)
