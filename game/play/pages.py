"""Shared by the pages of a game: find the game of a URL, call a service, and prevent caching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from game.engine.actions import Refused
from game.engine.language import say
from game.infra.once import made_once
from game.store.game import Game
from game.store.readers import game_for


def find_game(request: HttpRequest, game_id: int) -> Game:
    """The game of a URL. The same 404 whether it does not exist or this reader may not see it."""
    game = game_for(game_id=game_id, user=request.user)
    if game is None:
        raise Http404(say("There is no such game."))
    return game


def private(response: HttpResponse) -> HttpResponse:
    """Keep a page that shows sealed orders out of every cache, including the browser's back button."""
    response["Cache-Control"] = "private, no-store"
    return response


def ask(
    request: HttpRequest,
    game_id: int,
    service: Callable[..., Any],
    *,
    then: str = "",
    back: str = "",
    said: str = "",
    **fields: Any,
) -> HttpResponse:
    """Call a service for the reader, then redirect to the game, or to `then`, with the message `said`. A refusal
    redirects `back` to the form, or is raised as `Refused`, which the game's page shows."""
    find_game(request, game_id)

    def make() -> None:
        service(game_id=game_id, user=request.user, **fields)

    try:
        made_once(request, make)
    except Refused as refused:
        if not back:
            raise
        messages.error(request, str(refused))
        return redirect(back)
    if said:
        messages.success(request, say(said))
    return redirect(then) if then else redirect("game", game_id=game_id)
