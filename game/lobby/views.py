"""The front page, the lobby, creating a game, and the waiting room's buttons."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import ways_back
from accounts.models import User
from game.chat import writing
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra.once import made_once
from game.lobby import lobby as tables
from game.lobby.browse import NoSuchList, asked_of, browse_context
from game.lobby.forms import CreateGameForm, kept_of
from game.lobby.list_versions import version_of_list, version_of_lobby
from game.lobby.lists import game_cards, lobby_context, needs_told
from game.lobby.showcase import showcase
from game.lobby.waiting_room import create_context, invitation_context
from game.play import game_limits
from game.play.pages import ask, private
from game.rulesets.registry import RULESETS
from game.seats import takeover
from game.site import features
from game.store import access
from game.store.availability import week_hours
from game.store.pending import Needs
from game.store.readers import get_game, own_seat
from game.store.seating import seats_of

MAX_ID_DIGITS = 10
LINK_RENEWED = mark("The game has a new invitation link. The old one no longer works.")
LIST_PARAMETERS = {"show", "mine", "game", "pace", "page", "may"}


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The lobby for signed-in users, the front page for everybody else."""
    if isinstance(request.user, User):
        return _own_games(request, request.user)
    return render(
        request, "pages/landing.html", {"game": showcase().after(_requested_turn(request)), "games": game_cards()}
    )


def _requested_turn(request: HttpRequest) -> int:
    """The requested turn of the front page's game, by default its end."""
    turn = request.GET.get("turn", "")
    return int(turn) if turn.isdecimal() and len(turn) < MAX_ID_DIGITS else -1


@never_cache
@login_required
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    if not LIST_PARAMETERS & set(request.GET):
        return _own_games(request, request.user)
    try:
        requested_list = asked_of(request.GET)
        context = browse_context(user=request.user, asked=requested_list)
    except NoSuchList as error:
        return render(request, "lobby/no_list.html", {"why": str(error)}, status=404)
    context |= {"live_url": requested_list.url}
    return render(request, "lobby/browse.html", context)


@never_cache
@login_required
@require_safe
def version(request: HttpRequest) -> HttpResponse:
    """The version of a list of games: an open page reloads only when it changes."""
    assert isinstance(request.user, User)
    try:
        list_version = _list_version(request, request.user)
    except NoSuchList as error:
        return JsonResponse({"detail": str(error)}, status=404)
    return private(JsonResponse({"version": list_version}))


def _list_version(request: HttpRequest, user: User) -> str:
    return (
        version_of_list(user, asked_of(request.GET)) if LIST_PARAMETERS & set(request.GET) else version_of_lobby(user)
    )


def _own_games(request: HttpRequest, user: User) -> HttpResponse:
    """The first page of the lobby. It already knows the games for the head of the page."""
    context = lobby_context(user=user) | {"live_url": reverse("lobby")}
    request.needs = needs_told(context, user)  # type: ignore[attr-defined]
    return render(request, "lobby/lobby.html", context)


@never_cache
@login_required
@require_safe
def to_next_game(request: HttpRequest) -> HttpResponse:
    """Go to the next game that waits for the reader, or to the lobby if none does."""
    assert isinstance(request.user, User)
    next_game = Needs(request.user).after(_previous_game_id(request))
    if next_game is None:
        messages.info(request, say("No other game needs you."))
        return redirect("lobby")
    return redirect("game", game_id=next_game.game_id)


@never_cache
@require_safe
def needs(request: HttpRequest) -> HttpResponse:
    """The note in the head of every page about games that need the reader, for the page's script."""
    if not request.user.is_authenticated:
        return HttpResponse(say("Sign in again."), status=403, content_type="text/plain")
    return render(request, "needs.html", {"here": _previous_game_id(request)})


def _previous_game_id(request: HttpRequest) -> int:
    game_id = request.GET.get("after", "")
    return int(game_id) if game_id.isdecimal() and len(game_id) < MAX_ID_DIGITS else 0


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_game(request: HttpRequest) -> HttpResponse:
    """A GET with the form's values shows what they would mean."""
    assert isinstance(request.user, User)
    if request.user.is_guest:
        messages.info(request, say(game_limits.BOTS_ALONE))
        return ways_back.leave_by(request, "account_signup")
    form = _create_form(request)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(made_once(request, partial(_create_from_form, request.user, form)))
        except Refused as refused:
            form.add_error(None, str(refused))
    return render(request, "lobby/create.html", create_context(form), status=422 if request.method == "POST" else 200)


def _create_form(request: HttpRequest) -> CreateGameForm:
    """The form as it was submitted, or a new one with the choices made for another game."""
    key = _requested_ruleset(request) or features.offered()[0]
    assert isinstance(request.user, User)
    host_fields: dict[str, Any] = {"zone": request.user.timezone, "week": week_hours(request.user)}
    if request.method == "POST":
        return CreateGameForm(key, request.POST, **host_fields)
    if "filled" in request.GET:
        return CreateGameForm(key, request.GET, **host_fields)
    return CreateGameForm(
        key, **host_fields, initial={"name": tables.usual_name(request.user)} | kept_of(request.GET.dict())
    )


def _requested_ruleset(request: HttpRequest) -> str:
    """The ruleset that a request names, or an empty string."""
    key = (request.POST if request.method == "POST" else request.GET).get("game", "")
    if key and key not in RULESETS:
        raise Http404(say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    return key


@transaction.atomic
def _create_from_form(host: User, form: CreateGameForm) -> str:
    """Create the game and return its address."""
    values = form.cleaned_data
    game = tables.create_game(
        host=host,
        name=values["name"],
        seats=values["seats"],
        pace=values["pace"],
        bots=values["bots"],
        level=form.chosen_level(),
        is_open=values["is_open"],
        options=form.options(),
        ruleset=form.rules.key,
        timing=form.timing(),
        is_rated=values["is_rated"],
        least_reliability=values["least_reliability"] or 0,
        welcomes_newcomers=values["welcomes_newcomers"],
    )
    if values["keeps_clock"]:
        tables.keep_clock(game_id=game.pk, user=host)
    if values["takes_bots"]:
        tables.change_game(game_id=game.pk, user=host, takes_bots=True)
    if not values["has_chat"]:
        writing.begin_without(game)
    return game.get_absolute_url()


@login_required
@require_POST
def join_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.join_game, is_rated=_displayed_rating(request))


def _displayed_rating(request: HttpRequest) -> bool | None:
    """Whether the page with the button showed the game as rated; None if it did not say."""
    return {"yes": True, "no": False}.get(request.POST.get("rated", ""))


@login_required
@require_POST
def leave_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.leave_game, then="lobby")


@login_required
@require_POST
def add_bot(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.add_bot, **_requested_level(request))


@login_required
@require_POST
def fill_with_bots(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.fill_with_bots, **_requested_level(request))


def _requested_level(request: HttpRequest) -> dict[str, str]:
    """The bot level from the waiting room's form; games with one level have no such field."""
    return {"level": request.POST["level"]} if "level" in request.POST else {}


@login_required
@require_POST
def remove_seat(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, tables.remove_seat, number=number)


@login_required
@require_POST
def invite_again(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, tables.invite_again, number=number)


@login_required
@require_POST
def renew_invitation(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.renew_invitation, said=LINK_RENEWED)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, game_id: int, token: str) -> HttpResponse:
    """The game behind an invitation link, and how to join: before the start, or at a free seat of a running game. The
    person may not have an account yet."""
    game = get_game(game_id=game_id) if access.is_invited(game_id=game_id, token=token) else None
    if game is None:
        raise Http404(say("There is no such game."))
    if own_seat(game_id=game_id, user=request.user) is not None:
        return redirect("game", game_id=game_id)
    refusal = None
    if request.method == "POST":
        if not isinstance(request.user, User) or request.user.is_guest:
            return ways_back.leave_by(request, "account_login")
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
        tables.join_game(game_id=game_id, user=user, token=token, is_rated=_displayed_rating(request))


@login_required
@require_POST
def set_rated(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.change_game, is_rated=request.POST.get("rated") == "on")


@login_required
@require_POST
def start_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.start_game)
