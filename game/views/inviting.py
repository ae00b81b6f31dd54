"""Inviting people by name, and answering: forms in the waiting room and the lobby, and a page of one's invitations."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from game.engine.language import say
from game.invitations import invitations_context
from game.services import inviting
from game.views.lobby import ask


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """What one is invited to; a POST says whether others can invite one at all."""
    assert isinstance(request.user, User)
    if request.user.is_guest:
        return redirect("preferences")
    if request.method == "POST":
        inviting.take_invitations(user=request.user, wanted="wanted" in request.POST)
        messages.success(request, say("Your choice is saved."))
        return redirect("invitations")
    return render(request, "game/invitations.html", invitations_context(request.user))


@login_required
@require_POST
def invite_person(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, inviting.invite, person=request.POST.get("name", "").strip().replace("\0", ""))


@login_required
@require_POST
def withdraw(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, inviting.withdraw, person=number)


@login_required
@require_POST
def decline_invitation(request: HttpRequest, game_id: int) -> HttpResponse:
    """To the lobby afterwards: a game by invitation is not there any more for who declined."""
    return ask(request, game_id, inviting.decline, then="lobby")


@login_required
@require_POST
def stop_host(request: HttpRequest, game_id: int) -> HttpResponse:
    """No more invitations of this host."""
    return ask(request, game_id, inviting.stop_host, then="invitations")


@login_required
@require_POST
def allow_host(request: HttpRequest, number: int) -> HttpResponse:
    """This host's invitations again."""
    assert isinstance(request.user, User)
    inviting.allow_host(user=request.user, host=number)
    return redirect("invitations")
