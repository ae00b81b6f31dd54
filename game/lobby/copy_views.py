"""Analysis copies: the page that offers one, and the buttons above its board."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from game.boards.registry import board_of
from game.engine.language import say
from game.infra.idempotency import submit_once
from game.lobby import copies
from game.lobby.views import MAX_ID_DIGITS
from game.play import authority
from game.play.panel import call_service, find_game, private
from game.store import eyes
from game.store.readers import seats_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, game_id: int) -> HttpResponse:
    """The page that explains what a copy is and what it invents; a POST makes one."""
    assert isinstance(request.user, User)
    game, user = find_game(request, game_id), request.user
    if not copies.may_copy(game):
        raise Http404(say("The position of this game cannot be copied now."))
    seat = eyes.own_among(game, seats_of(game), user.pk)
    if seat is None:
        raise PermissionDenied(say(authority.NO_SEAT))
    if request.method == "POST":
        return redirect(submit_once(request, partial(_make_copy, game_id, user)))
    context = {
        "game": game,
        "invented": say(board_of(game.ruleset).invented),
        "earlier": copies.copy_by(source=game, user=user),
    }
    return private(render(request, "lobby/copy.html", context))


def _make_copy(game_id: int, user: User) -> str:
    return copies.make_copy(game_id=game_id, user=user).get_absolute_url()


@login_required
@require_safe
def own_copies(request: HttpRequest) -> HttpResponse:
    """The reader's copies, with a button that deletes each."""
    assert isinstance(request.user, User)
    return private(render(request, "lobby/copies.html", {"copies": copies.copies_of(request.user)}))


@login_required
@require_POST
def delete_copy(request: HttpRequest, game_id: int) -> HttpResponse:
    then = reverse("copies")
    return call_service(request, game_id, copies.delete_copy, then=then, message=say("The copy is deleted."))


@login_required
@require_POST
def sit(request: HttpRequest, game_id: int) -> HttpResponse:
    number = request.POST.get("seat", "")
    if not number.isdecimal() or len(number) > MAX_ID_DIGITS:
        raise Http404(say("There is no such seat."))
    return call_service(request, game_id, copies.sit, number=int(number))


@login_required
@require_POST
def step_back(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, copies.step_back)
