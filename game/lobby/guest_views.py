"""First steps: playing in one click without an account, lessons, and the notes for newcomers."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import guests, limits
from accounts.guests import mark_notes_read
from accounts.limit_answers import network_of_request
from accounts.models import User
from game.boards.lessons import ALL, mark_of
from game.boards.registry import BOARDS
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra.idempotency import submit_once
from game.lobby.guests import first_game
from game.lobby.lessons import begin_lesson, lesson_lists
from game.rulesets.registry import RULESETS
from game.site import features
from game.store.game import Game

WELCOME = mark("You are playing as {name}, against bots.")
EMPTY_NOTE = '<div id="coach" data-region hidden></div>'


@never_cache
def play_now(request: HttpRequest) -> HttpResponse:
    """Start a game against bots for a signed-in person, or for a new guest. A GET redirects to the front page."""
    if request.method != "POST":
        return redirect("home")
    key = request.POST.get("game") or features.offered_rulesets()[0]
    if key not in RULESETS:
        raise Http404(say("There is no such game. Choose one of {games}.", games=", ".join(RULESETS)))
    check_guest_limit(request)
    try:
        game_key = submit_once(request, partial(_begin, request, key))
        return redirect(sign_in_guest(request, game_key, WELCOME))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("lobby" if isinstance(request.user, User) else "home")


@transaction.atomic
def _begin(request: HttpRequest, key: str) -> str:
    """Start the game and return its key. For a visitor, the guest is created in the same transaction."""
    user = _player(request)
    return str(first_game(user=user, ruleset=key).pk)


def _player(request: HttpRequest) -> User:
    """The signed-in user, or a new guest."""
    if isinstance(request.user, User):
        return request.user
    return guests.new_guest(request.POST.get("timezone", ""), network_of_request(request))


def sign_in_guest(request: HttpRequest, game_key: str, welcome: str = "") -> str:
    """Sign a visitor in as the guest who hosts the game with this key. Returns the game's address."""
    game = Game.objects.select_related("host").only("host").filter(pk=game_key).first()
    if game is None:
        return reverse("home")
    host = game.host
    if not isinstance(request.user, User) and host is not None and host.is_guest:
        guests.sign_in_guest(request, host)
        if welcome:
            messages.success(request, say(welcome, name=host), extra_tags="way-in")
    return game.get_absolute_url()


def check_guest_limit(request: HttpRequest) -> None:
    """Limit how many guests one address creates. Accounts and existing guests pass. Raises `limits.TooMany`."""
    if not isinstance(request.user, User):
        limits.spend("guest", network_of_request(request))


@login_required
@require_POST
def read_note(request: HttpRequest) -> HttpResponse:
    """Record that a note was read; a script gets an empty note in return."""
    assert isinstance(request.user, User)
    note_key = request.POST.get("note", "")
    if note_key not in {ALL, *(mark_of(key, note) for key, board in BOARDS.items() for note in board.notes)}:
        return HttpResponse(say("There is no such note."), status=422, content_type="text/plain")
    mark_notes_read(request.user, [note_key])
    if request.headers.get("HX-Request"):
        return HttpResponse(EMPTY_NOTE)
    next_url = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(next_url, {request.get_host()}, require_https=request.is_secure())
    return redirect(next_url if is_ours else "lobby")


@never_cache
@require_safe
def lessons(request: HttpRequest) -> HttpResponse:
    """Every lesson, with the reader's progress."""
    user = request.user if isinstance(request.user, User) else None
    return render(request, "lobby/lessons.html", {"page": "lessons", "games": lesson_lists(user)})


@never_cache
def start_lesson(request: HttpRequest, ruleset: str, key: str) -> HttpResponse:
    """Start a lesson, for a visitor as a new guest. A GET redirects to the list."""
    if request.method != "POST":
        return redirect("lessons")
    check_guest_limit(request)
    try:
        return redirect(sign_in_guest(request, submit_once(request, partial(_begin_lesson, request, ruleset, key))))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("lessons")


@transaction.atomic
def _begin_lesson(request: HttpRequest, ruleset: str, key: str) -> str:
    user = _player(request)
    return str(begin_lesson(user=user, ruleset=ruleset, key=key).pk)
