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

LONGEST_ID = 10  # digits
RENEWED = mark("The game has a new invitation link. The old one no longer works.")
NAMES_A_LIST = {"show", "mine", "game", "pace", "page", "may"}


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The lobby for those who are signed in, the front page for everybody else."""
    if isinstance(request.user, User):
        return _own_games(request, request.user)
    return render(request, "pages/landing.html", {"game": showcase().after(_turn(request)), "games": game_cards()})


def _turn(request: HttpRequest) -> int:
    """The turn at which the front page's game is looked at; its end where none is named."""
    asked = request.GET.get("turn", "")
    return int(asked) if asked.isdecimal() and len(asked) < LONGEST_ID else -1


@never_cache
@login_required
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    if not NAMES_A_LIST & set(request.GET):
        return _own_games(request, request.user)
    try:
        asked = asked_of(request.GET)
        context = browse_context(user=request.user, asked=asked)
    except NoSuchList as error:
        return render(request, "lobby/no_list.html", {"why": str(error)}, status=404)
    context |= {"live_url": asked.url}
    return render(request, "lobby/browse.html", context)


@never_cache
@login_required
@require_safe
def version(request: HttpRequest) -> HttpResponse:
    """Changes with what a list of games shows: a page that shows it already fetches nothing else."""
    assert isinstance(request.user, User)
    try:
        now = _version(request, request.user)
    except NoSuchList as error:
        return JsonResponse({"detail": str(error)}, status=404)
    return private(JsonResponse({"version": now}))


def _version(request: HttpRequest, user: User) -> str:
    return version_of_list(user, asked_of(request.GET)) if NAMES_A_LIST & set(request.GET) else version_of_lobby(user)


def _own_games(request: HttpRequest, user: User) -> HttpResponse:
    """The first page of the lobby, which knows already what the head of every page tells."""
    context = lobby_context(user=user) | {"live_url": reverse("lobby")}
    request.needs = needs_told(context, user)  # type: ignore[attr-defined]
    return render(request, "lobby/lobby.html", context)


@never_cache
@login_required
@require_safe
def to_next_game(request: HttpRequest) -> HttpResponse:
    """To the next game that waits for the reader, or to the lobby where none does."""
    assert isinstance(request.user, User)
    found = Needs(request.user).after(_game_they_come_from(request))
    if found is None:
        messages.info(request, say("No other game needs you."))
        return redirect("lobby")
    return redirect("game", game_id=found.game_id)


@never_cache
@require_safe
def needs(request: HttpRequest) -> HttpResponse:
    """What the head of every page says about games that need the reader, for the page's script."""
    if not request.user.is_authenticated:
        return HttpResponse(say("Sign in again."), status=403, content_type="text/plain")
    return render(request, "needs.html", {"here": _game_they_come_from(request)})


def _game_they_come_from(request: HttpRequest) -> int:
    after = request.GET.get("after", "")
    return int(after) if after.isdecimal() and len(after) < LONGEST_ID else 0


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_game(request: HttpRequest) -> HttpResponse:
    """A GET with the form's values answers what they would mean."""
    assert isinstance(request.user, User)
    if request.user.is_guest:
        messages.info(request, say(game_limits.BOTS_ALONE))
        return ways_back.leave_by(request, "account_signup")
    form = _create_form(request)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(made_once(request, partial(_create, request.user, form)))
        except Refused as refused:
            form.add_error(None, str(refused))
    return render(request, "lobby/create.html", create_context(form), status=422 if request.method == "POST" else 200)


def _create_form(request: HttpRequest) -> CreateGameForm:
    """The form as it was sent, or a fresh one that keeps what was chosen for another game."""
    key = _game_asked(request) or features.offered()[0]
    assert isinstance(request.user, User)
    own: dict[str, Any] = {"zone": request.user.timezone, "week": week_hours(request.user)}
    if request.method == "POST":
        return CreateGameForm(key, request.POST, **own)
    if "filled" in request.GET:
        return CreateGameForm(key, request.GET, **own)
    return CreateGameForm(key, **own, initial={"name": tables.usual_name(request.user)} | kept_of(request.GET.dict()))


def _game_asked(request: HttpRequest) -> str:
    """The game that a request names, if it names one."""
    key = (request.POST if request.method == "POST" else request.GET).get("game", "")
    if key and key not in RULESETS:
        raise Http404(say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    return key


@transaction.atomic
def _create(host: User, form: CreateGameForm) -> str:
    """Where the new game is."""
    chosen = form.cleaned_data
    game = tables.create_game(
        host=host,
        name=chosen["name"],
        seats=chosen["seats"],
        pace=chosen["pace"],
        bots=chosen["bots"],
        level=form.chosen_level(),
        is_open=chosen["is_open"],
        options=form.options(),
        ruleset=form.rules.key,
        timing=form.timing(),
        is_rated=chosen["is_rated"],
        least_reliability=chosen["least_reliability"] or 0,
        welcomes_newcomers=chosen["welcomes_newcomers"],
    )
    if chosen["keeps_clock"]:
        tables.keep_clock(game_id=game.pk, user=host)
    if chosen["takes_bots"]:
        tables.change_game(game_id=game.pk, user=host, takes_bots=True)
    if not chosen["has_chat"]:
        writing.begin_without(game)
    return game.get_absolute_url()


@login_required
@require_POST
def join_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.join_game, is_rated=_rated_as_seen(request))


def _rated_as_seen(request: HttpRequest) -> bool | None:
    """What the page with the button said of the game, if it said anything."""
    return {"yes": True, "no": False}.get(request.POST.get("rated", ""))


@login_required
@require_POST
def leave_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.leave_game, then="lobby")


@login_required
@require_POST
def add_bot(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.add_bot, **_level_asked(request))


@login_required
@require_POST
def fill_with_bots(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.fill_with_bots, **_level_asked(request))


def _level_asked(request: HttpRequest) -> dict[str, str]:
    """The level of bots that the room's form names; a game with one level does not ask."""
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
    return ask(request, game_id, tables.renew_invitation, said=RENEWED)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, game_id: int, token: str) -> HttpResponse:
    """The game to which one is invited, and how to join: before the game starts, and to a free seat of a running one. A
    person with the link need not have an account yet."""
    game = get_game(game_id=game_id) if access.is_invited(game_id=game_id, token=token) else None
    if game is None:
        raise Http404(say("There is no such game."))
    if own_seat(game_id=game_id, user=request.user) is not None:
        return redirect("game", game_id=game_id)
    refused = None
    if request.method == "POST":
        if not isinstance(request.user, User) or request.user.is_guest:
            return ways_back.leave_by(request, "account_login")
        try:
            _accept(request, request.user, game_id, token)
            return redirect("game", game_id=game_id)
        except Refused as error:
            refused = error
    context = invitation_context(game=game, user=request.user, seats=seats_of(game), token=token)
    context["refused"] = refused
    return private(render(request, "lobby/invitation.html", context, status=409 if refused else 200))


def _accept(request: HttpRequest, user: User, game_id: int, token: str) -> None:
    """Take the free seat that the form names, or sit down before the game begins. Raises `Refused`."""
    seat = request.POST.get("seat", "")
    if seat.isdecimal() and len(seat) < LONGEST_ID:
        takeover.take_seat(game_id=game_id, user=user, number=int(seat), token=token)
    else:
        tables.join_game(game_id=game_id, user=user, token=token, is_rated=_rated_as_seen(request))


@login_required
@require_POST
def set_rated(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.change_game, is_rated=request.POST.get("rated") == "on")


@login_required
@require_POST
def start_game(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, tables.start_game)
