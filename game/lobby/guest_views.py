"""Playing in one click from the front page, without an account."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache

from accounts import guests, limits
from accounts.limit_answers import network
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra.once import made_once
from game.lobby.guests import first_game
from game.rulesets.registry import RULESETS
from game.site import features
from game.store.game import Game

WELCOME = mark("You are playing as {name}, against bots. Sign up at any time to keep this game.")


@never_cache
def play_now(request: HttpRequest) -> HttpResponse:
    """Start a game against bots for a signed-in person, or for a new guest. A GET redirects to the front page."""
    if request.method != "POST":
        return redirect("home")
    key = request.POST.get("game") or features.offered()[0]
    if key not in RULESETS:
        raise Http404(say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    check_may_come_in(request)
    try:
        game_key = made_once(request, partial(_begin, request, key))
        return redirect(come_in(request, game_key, WELCOME))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("lobby" if isinstance(request.user, User) else "home")


@transaction.atomic
def _begin(request: HttpRequest, key: str) -> str:
    """Start the game and return its key. For a visitor, the guest is created in the same transaction."""
    user = request.user if isinstance(request.user, User) else guests.new_guest()
    return str(first_game(user=user, ruleset=key).pk)


def come_in(request: HttpRequest, begun: str, welcome: str = "") -> str:
    """Sign a visitor in as the guest who hosts the game with this key. Returns the game's address."""
    game = Game.objects.select_related("host").only("host").filter(pk=begun).first()
    if game is None:
        return reverse("home")
    host = game.host
    if not isinstance(request.user, User) and host is not None and host.is_guest:
        guests.admit(request, host)
        if welcome:
            messages.success(request, say(welcome, name=host))
    return game.get_absolute_url()


def check_may_come_in(request: HttpRequest) -> None:
    """Limit how many guests one address creates. Accounts and existing guests pass. Raises `limits.TooMany`."""
    if not isinstance(request.user, User):
        limits.spend("guest", network(request))
