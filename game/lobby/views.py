"""The front page, the lobby, and the page that creates a game."""

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
from django.views.decorators.http import require_http_methods, require_safe

from accounts import ways_back
from accounts.models import User
from game.chat import writing
from game.engine.actions import Refused
from game.engine.language import say
from game.infra.idempotency import submit_once
from game.lobby import lobby as tables
from game.lobby.browse_page import browse_context
from game.lobby.browse_queries import NoSuchList, parse_list_query, version_of_list, version_of_lobby
from game.lobby.create_page import create_context
from game.lobby.forms import CreateGameForm, carried_choices
from game.lobby.front_page import front_tables
from game.lobby.game_words import game_cards
from game.lobby.lobby_page import lobby_context, pending_games
from game.lobby.showcase import showcase
from game.play import authority
from game.play.panel import private
from game.reputation import unlocks
from game.rulesets.registry import RULESETS
from game.site import features
from game.store.availability import week_hours
from game.store.pending import PendingDecisions

MAX_ID_DIGITS = 10
LIST_PARAMETERS = {"show", "mine", "game", "pace", "page", "may"}


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The lobby for signed-in users, the front page for everybody else."""
    if isinstance(request.user, User):
        return _own_games(request, request.user)
    game = showcase().after(_requested_turn(request))
    if request.headers.get("HX-Request"):
        return render(request, "pages/_showcase_step.html", {"game": game})
    return render(request, "pages/landing.html", {"game": game, "games": game_cards()} | front_tables())


def _requested_turn(request: HttpRequest) -> int:
    """The requested turn of the front page's game, by default its end."""
    turn = request.GET.get("turn", "")
    return int(turn) if turn.isdecimal() and len(turn) < MAX_ID_DIGITS else -1


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The reader's own games, or a list of the site's; a visitor begins with the open games."""
    if isinstance(request.user, User) and not LIST_PARAMETERS & set(request.GET):
        return _own_games(request, request.user)
    try:
        requested_list = parse_list_query(request.GET)
        # Before the list itself: a change between the two is then fetched by the open page.
        list_version = version_of_list(request.user, requested_list)
        context = browse_context(user=request.user, query=requested_list)
    except NoSuchList as error:
        return render(request, "lobby/no_list.html", {"why": str(error)}, status=404)
    context |= {"live_url": requested_list.url, "version": list_version}
    return render(request, "lobby/browse.html", context)


@never_cache
@require_safe
def version(request: HttpRequest) -> HttpResponse:
    """The version of a list of games: an open page reloads only when it changes."""
    try:
        if isinstance(request.user, User) and not LIST_PARAMETERS & set(request.GET):
            list_version = version_of_lobby(request.user)
        else:
            list_version = version_of_list(request.user, parse_list_query(request.GET))
    except NoSuchList as error:
        return JsonResponse({"detail": str(error)}, status=404)
    return private(JsonResponse({"version": list_version}))


def _own_games(request: HttpRequest, user: User) -> HttpResponse:
    """The first page of the lobby. It already knows the games for the head of the page."""
    list_version = version_of_lobby(user)
    context = lobby_context(user=user) | {"live_url": reverse("lobby"), "version": list_version}
    request.needs = pending_games(context, user)  # type: ignore[attr-defined]
    return render(request, "lobby/lobby.html", context)


@never_cache
@login_required
@require_safe
def to_next_game(request: HttpRequest) -> HttpResponse:
    """Go to the next game that waits for the reader, or to the lobby if none does."""
    assert isinstance(request.user, User)
    next_game = PendingDecisions(request.user).after(_previous_game_id(request))
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
        messages.info(request, say(authority.BOTS_ALONE))
        return ways_back.redirect_and_return(request, "account_signup")
    form = _create_form(request)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(submit_once(request, partial(_create_from_form, request.user, form)))
        except Refused as refused:
            form.add_error(None, str(refused))
    return render(request, "lobby/create.html", create_context(form), status=422 if request.method == "POST" else 200)


def _create_form(request: HttpRequest) -> CreateGameForm:
    """The form as it was submitted, or a new one with the choices made for another game."""
    key = _requested_ruleset(request) or features.offered_rulesets()[0]
    assert isinstance(request.user, User)
    host_fields: dict[str, Any] = {"zone": request.user.timezone, "week": week_hours(request.user)}
    host_fields["locks"] = unlocks.locked(RULESETS[key], request.user)
    if request.method == "POST":
        return CreateGameForm(key, request.POST, **host_fields)
    if "filled" in request.GET:
        return CreateGameForm(key, request.GET, **host_fields)
    return CreateGameForm(
        key, **host_fields, initial={"name": tables.usual_name(request.user)} | carried_choices(request.GET.dict())
    )


def _requested_ruleset(request: HttpRequest) -> str:
    """The ruleset that a request names, or an empty string."""
    key = (request.POST if request.method == "POST" else request.GET).get("game", "")
    if key and key not in RULESETS:
        raise Http404(say("There is no such game. Choose one of {games}.", games=", ".join(RULESETS)))
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
        bots=form.chosen_bots(),
        level=form.chosen_level(),
        is_open=values["is_open"],
        options=form.options(),
        ruleset=form.rules.key,
        timing=form.timing(),
        is_rated=values["is_rated"],
        least_reliability=values["least_reliability"] or 0,
        welcomes_newcomers=values["welcomes_newcomers"],
        waives_unlocks=values.get("waives_unlocks", False),
        companions=values["companions"].split(","),
    )
    if values["keeps_clock"]:
        tables.keep_clock(game_id=game.pk, user=host)
    if values["takes_bots"]:
        tables.change_game(game_id=game.pk, user=host, takes_bots=True)
    if not values["has_chat"]:
        writing.create_switched_off(game)
    return game.get_absolute_url()
