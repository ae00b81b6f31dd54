"""Rematches, requested on the page of a finished game."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.models import User
from game.engine.actions import Refused
from game.infra.once import made_once
from game.lobby.rematch import rematch as once_more
from game.play.pages import find_game


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: int) -> HttpResponse:
    """Open or join the rematch of a finished game, and go to its waiting room."""
    assert isinstance(request.user, User)
    game = find_game(request, game_id)
    try:
        open_or_join = partial(once_more, game_id=game.pk, user=request.user)
        return redirect(made_once(request, lambda: open_or_join().get_absolute_url()))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("game", game_id=game.pk)
