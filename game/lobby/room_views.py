"""The buttons of the waiting room, the page of an invitation link, and the rematch."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts import ways_back
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra.idempotency import submit_once
from game.lobby import lobby
from game.lobby.rematch import rematch as once_more
from game.lobby.views import MAX_ID_DIGITS
from game.lobby.waiting_room import invitation_context
from game.play.panel import call_service, find_game, private
from game.seats import takeover
from game.store import eyes
from game.store.readers import get_game, own_seat, seats_of

LINK_RENEWED = mark("The game has a new invitation link. The old one no longer works.")


@login_required
@require_POST
def join_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, lobby.join_game, is_rated=_displayed_rating(request))


def _displayed_rating(request: HttpRequest) -> bool | None:
    """Whether the page with the button showed the game as rated; None if it did not say."""
    return {"yes": True, "no": False}.get(request.POST.get("rated", ""))


@login_required
@require_POST
def leave_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, lobby.leave_game, then="lobby")


@login_required
@require_POST
def add_bot(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, lobby.add_bot, **_requested_level(request))


@login_required
@require_POST
def fill_with_bots(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, lobby.fill_with_bots, **_requested_level(request))


def _requested_level(request: HttpRequest) -> dict[str, str]:
    """The bot level from the waiting room's form; games with one level have no such field."""
    return {"level": request.POST["level"]} if "level" in request.POST else {}


@login_required
@require_POST
def remove_seat(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return call_service(request, game_id, lobby.remove_seat, number=number)


@login_required
@require_POST
def invite_again(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return call_service(request, game_id, lobby.invite_again, number=number)


@login_required
@require_POST
def renew_invitation(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, lobby.renew_invitation, message=LINK_RENEWED)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, game_id: int, token: str) -> HttpResponse:
    """The game behind an invitation link, and how to join: before the start, or at a free seat of a running game. The
    person may not have an account yet."""
    game = get_game(game_id=game_id) if eyes.is_invited(game_id=game_id, token=token) else None
    if game is None:
        raise Http404(say("There is no such game."))
    if own_seat(game_id=game_id, user=request.user) is not None:
        return redirect("game", game_id=game_id)
    refusal = None
    if request.method == "POST":
        if not isinstance(request.user, User) or request.user.is_guest:
            return ways_back.redirect_and_return(request, "account_login")
        try:
            _accept(request, request.user, game_id, token)
            return redirect("game", game_id=game_id)
        except Refused as error:
            refusal = error
    context = invitation_context(game=game, user=request.user, seats=seats_of(game), token=token)
    context["refused"] = refusal
    return private(render(request, "lobby/invitation.html", context, status=409 if refusal else 200))


def _accept(request: HttpRequest, user: User, game_id: int, token: str) -> None:
    """Take the requested free seat, or join before the start. Raises `Refused`."""
    seat = request.POST.get("seat", "")
    if seat.isdecimal() and len(seat) < MAX_ID_DIGITS:
        takeover.take_seat(game_id=game_id, user=user, number=int(seat), token=token)
    else:
        lobby.join_game(game_id=game_id, user=user, token=token, is_rated=_displayed_rating(request))


@login_required
@require_POST
def set_rated(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, lobby.change_game, is_rated=request.POST.get("rated") == "on")


@login_required
@require_POST
def start_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return call_service(request, game_id, lobby.start_game)


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: int) -> HttpResponse:
    """Open or join the rematch of a finished game, and go to its waiting room."""
    assert isinstance(request.user, User)
    game = find_game(request, game_id)
    try:
        open_or_join = partial(once_more, game_id=game.pk, user=request.user)
        return redirect(submit_once(request, lambda: open_or_join().get_absolute_url()))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("game", game_id=game.pk)
