"""Inviting people by name and answering: forms in the waiting room and the lobby, and the page of invitations."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from game.engine.language import say
from game.lobby import inviting
from game.lobby.invitations import invitations_context, substitutes_context
from game.play import authority
from game.play.panel import call_service, find_game
from game.seats import takeover


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The reader's invitations; a POST sets whether others can invite them."""
    assert isinstance(request.user, User)
    if request.user.is_guest:
        return redirect("preferences")
    if request.method == "POST":
        inviting.take_invitations(user=request.user, wanted="wanted" in request.POST)
        messages.success(request, say("Your choice is saved."))
        return redirect("invitations")
    return render(request, "lobby/invitations.html", invitations_context(request.user))


@never_cache
@login_required
@require_safe
def substitutes(request: HttpRequest, game_id: int) -> HttpResponse:
    """The page on which the host of a running game fills a free seat; 404 for everybody else."""
    game = find_game(request, game_id)
    if not isinstance(request.user, User) or request.user.is_guest or not authority.is_host(game, request.user):
        raise Http404(say("There is no such game."))
    if not takeover.has_free_seat(game):
        return redirect("game", game_id=game_id)
    return render(request, "lobby/substitutes.html", substitutes_context(game=game, user=request.user))


@login_required
@require_POST
def invite_person(request: HttpRequest, game_id: int) -> HttpResponse:
    name = request.POST.get("name", "").strip().replace("\0", "")
    return_to = _inviting_page(request, game_id)
    return call_service(request, game_id, inviting.invite, then=return_to, back=return_to, person=name)


@login_required
@require_POST
def withdraw(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return_to = _inviting_page(request, game_id)
    return call_service(request, game_id, inviting.withdraw, then=return_to, back=return_to, person=number)


def _inviting_page(request: HttpRequest, game_id: int) -> str:
    """The page where the host invites: empty for the waiting room, a page of its own for a running game."""
    is_played = find_game(request, game_id).has_position
    return reverse("substitutes", args=[game_id]) if is_played else ""


@login_required
@require_POST
def decline_invitation(request: HttpRequest, game_id: int) -> HttpResponse:
    """Decline and go to the lobby: a private game is not visible to a person who declined."""
    return call_service(request, game_id, inviting.decline, then="lobby")


@login_required
@require_POST
def stop_host(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, inviting.stop_host, then="invitations")


@login_required
@require_POST
def allow_host(request: HttpRequest, number: int) -> HttpResponse:
    assert isinstance(request.user, User)
    inviting.allow_host(user=request.user, host=number)
    return redirect("invitations")
