"""Games with several seats at their host's device, in the host's browsers: each request is read as the seat that the
session holds, or is answered by a cover page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.models import User
from game.engine.language import mark, say
from game.play import devices
from game.play.panel import call_service, private
from game.store.game import Game
from game.store.readers import find_seat, game_for
from game.table.views import WITHDRAWN

LONGEST_NUMBER = 2  # digits of a seat
FOR_ANYBODY = frozenset({"hold_seat", "cover_seat"})
"""Views that need no seat in hand."""
FOR_THE_ACCOUNT = frozenset(
    {"chat_say", "chat_read", "chat_switch", "chat_mute", "chat_report", "report_problem", "game_notifications"}
    | {"invite_person", "withdraw_invitation", "renew_invitation", "start_game", "rematch"}
)
"""Views whose forms mean the same whoever holds the device."""
NOBODY_HOLDS = mark("No board is open at this device now, so nothing was submitted. Say first who is playing.")
OF_ANOTHER_SEAT = mark(
    "This form was made for another seat at this device, so nothing was submitted. The board here is that of {name}."
)


class OneSeat:
    """Reads each request of a host about a game at one device as one seat, which `held_seat` of the request names."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        """Answer instead of the view if the browser holds no seat, or if the form is another seat's."""
        match, user = request.resolver_match, request.user
        if "game_id" not in kwargs or match is None or not request.path_info.startswith("/games/"):
            return None
        if not isinstance(user, User) or not user.shares_device or match.url_name in FOR_ANYBODY:
            return None
        game = game_for(game_id=kwargs["game_id"], user=user)  # one query for the held seat and its account
        if game is None or not devices.is_shared(game, user):
            return None
        number = game.readers_seat
        if number is None or not devices.is_held(game, request.session):
            return _covered(request, game, str(match.url_name))
        request.held_seat = number  # type: ignore[attr-defined]
        is_form = request.method == "POST" and match.url_name not in FOR_THE_ACCOUNT
        if is_form and request.POST.get("for_seat", "") != str(number):
            return _refused(request, game, say(OF_ANOTHER_SEAT, name=find_seat(game, number).shown_name))
        return None


def _covered(request: HttpRequest, game: Game, name: str) -> HttpResponse:
    """The cover page, to which an open page of the former seat is redirected."""
    if request.method not in {"GET", "HEAD"}:
        return _refused(request, game, say(NOBODY_HOLDS))
    if name == "game_version":
        return private(JsonResponse({"version": game.version, "seat_version": 0, "unread": 0}))
    if name == "game":  # live.js sees that it is another page than an open board, and loads it
        return _cover_page(request, game)
    return _sent_to(game, status=403) if request.headers.get("HX-Request") else redirect("game", game_id=game.pk)


def _refused(request: HttpRequest, game: Game, reason: str) -> HttpResponse:
    if request.headers.get("HX-Request"):
        messages.error(request, reason)
        return _sent_to(game, status=409)
    return _cover_page(request, game, reason=reason)


def _sent_to(game: Game, *, status: int) -> HttpResponse:
    """The response to a script: it loads the cover page, so that nothing of the seat stays on the screen."""
    return private(HttpResponse(status=status, headers={"HX-Redirect": game.get_absolute_url()}))


def _cover_page(request: HttpRequest, game: Game, *, reason: str = "") -> HttpResponse:
    chairs = devices.chairs_of(game)
    account_seat = game.seats.filter(user=game.host_id).values_list("number", flat=True).first()
    context = {
        "game": game,
        "next": next((chair for chair in chairs if chair.number == account_seat and chair.is_asked), None),
        "chairs": chairs,
        "reason": reason,
        "live_url": game.get_absolute_url(),
        "socket_url": f"/ws/games/{game.pk}/",
        "version": f"{game.version}.0",
    }
    return private(render(request, "table/cover.html", context, status=409 if reason else 200))


@login_required
@require_POST
def hold_seat(request: HttpRequest, game_id: int) -> HttpResponse:
    """Lift the cover of a seat: from now on this browser's requests are read as that seat."""
    number = request.POST.get("seat", "")
    if not number.isdecimal() or len(number) > LONGEST_NUMBER:
        raise Http404(say("There is no such seat."))

    def lift(*, game_id: int, user: User) -> None:
        word = devices.lift(game_id=game_id, user=user, number=int(number))
        devices.keep_hold(request.session, game_id, word)

    # What the previous seat withdrew, and its messages, are not for this one.
    request.session.pop(WITHDRAWN, None)
    list(messages.get_messages(request))
    return call_service(request, game_id, lift, back=reverse("game", args=[game_id]))


@login_required
@require_POST
def cover_seat(request: HttpRequest, game_id: int) -> HttpResponse:
    """Cover the seat that the browser holds."""
    return call_service(request, game_id, devices.put_down)
