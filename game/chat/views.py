"""The chat of a game: its page, writing, muting, reporting, the host's switch, and the reader's own notes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limit_answers import add_headers, describe_refusal, describe_wait
from accounts.limits import TooMany
from accounts.models import User
from game.chat import reading, rules, writing
from game.chat.page import chat_context, muted_by, notes_context, version_of
from game.chat.rules import Access
from game.engine.actions import Refused
from game.engine.language import say_as
from game.infra.idempotency import submit_once
from game.play.panel import find_game, private
from game.store.game import Game
from game.store.readers import get_game, own_seat

MAX_NUMBER_DIGITS = 9
PLAYERS_ONLY = "Only the players of this game can read its chat."
REPORT_RECEIVED = "Reported. A moderator will look at it; the player is not told who reported."


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """The whole page, which counts as read; for live.js only the part that changes, or 304."""
    game, access = _find_chat(request, game_id)
    before = _parse_number(request.GET.get("before", ""))
    if request.htmx and "beside" not in request.GET:  # type: ignore[attr-defined]
        return _live_part(request, game, access)
    context = chat_context(game=game, user=request.user, before=before)
    if isinstance(request.user, User) and access.is_player and before is None:
        reading.mark_read(game_id=game.pk, user=request.user, number=context["newest"])
    return private(render(request, _template(request, "chat/chat.html"), context))


def _template(request: HttpRequest, whole: str) -> str:
    """The template of the page, or of the part next to a board."""
    return "chat/beside.html" if "beside" in request.GET else whole


@require_safe
def version(request: HttpRequest, game_id: int) -> HttpResponse:
    """Two versions that an open page compares before it fetches anything else."""
    game, access = _find_chat(request, game_id)
    return private(JsonResponse({"version": access.chat.version, "seat_version": game.version}))


@login_required
@require_POST
def say(request: HttpRequest, game_id: int) -> HttpResponse:
    """Write a message. A refused one comes back with the text as typed."""
    game, _ = _find_chat(request, game_id)
    text, refusal, limit_error = request.POST.get("text", ""), "", None
    try:
        writing.say(game_id=game.pk, user=_person(request), text=text, token=_token(request))
    except Refused as refused:
        refusal = str(refused)
    except TooMany as too_many:
        limit_error, refusal = too_many, f"{describe_refusal(too_many.usage)} {describe_wait(too_many.usage)}"
    if not refusal and not request.htmx:  # type: ignore[attr-defined]
        return redirect(reverse("chat", args=[game.pk]) + "#say")
    context = chat_context(game=game, user=request.user, text=text if refusal else "", refusal=refusal)
    template = "chat/_chat.html" if request.htmx else "chat/chat.html"  # type: ignore[attr-defined]
    response = private(render(request, template, context, status=429 if limit_error else 422 if refusal else 200))
    if limit_error:
        add_headers(response, limit_error)
    response["X-Version"] = context["version"]  # a page that already shows something newer drops this response
    return response


@login_required
@require_POST
def mark_read(request: HttpRequest, game_id: int) -> HttpResponse:
    """Record that the reader has seen the page up to this message."""
    game, access = _find_chat(request, game_id)
    number = _parse_number(request.POST.get("number", ""))
    if number is None or not access.is_player:
        return HttpResponse(gettext("Name the last message that you have read."), status=422, content_type="text/plain")
    reading.mark_read(game_id=game.pk, user=_person(request), number=number)
    return private(HttpResponse(status=204))


@login_required
@require_POST
def switch(request: HttpRequest, game_id: int) -> HttpResponse:
    """Switch the chat off or on, as the host."""
    return _call_service(request, game_id, writing.switch, is_on=request.POST.get("on") == "yes")


@login_required
@require_POST
def mute(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Hide a player's messages from the reader, or show them again."""
    return _call_service(request, game_id, reading.mute, seat_number=number, is_on=request.POST.get("on") == "yes")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Ask for the reason, then report a message to the moderators."""
    game, _ = _find_chat(request, game_id)
    message = reading.find_message(game=game, user=request.user, number=number)
    if message is None:
        raise Http404(gettext("There is no such message."))
    refusal, reason = "", request.POST.get("reason", "")
    if request.method == "POST":
        try:
            file_report = partial(reading.report, game_id=game.pk, user=_person(request), number=number, reason=reason)
            submit_once(request, lambda: str(file_report().pk))
            messages.success(request, REPORT_RECEIVED)
            return redirect("chat", game_id=game.pk)
        except Refused as refused:
            refusal = str(refused)
    name = message.author.username if message.author else say_as("seat", writing.FORMER_PLAYER)
    context = {"game": game, "message": message, "name": name, "reason": reason, "refusal": refusal}
    return private(render(request, "chat/chat_report.html", context, status=422 if refusal else 200))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notes(request: HttpRequest, game_id: int) -> HttpResponse:
    """The reader's own notes, also for former players, who see nothing else of the game."""
    user = _person(request)
    has_notes = reading.notebook_of(game_id=game_id, user=user) is not None
    game = get_game(game_id=game_id) if has_notes else None
    if game is None:
        raise Http404(gettext("There is no such game."))
    if request.method != "POST":
        return _notes_page(request, game)
    text, revision = request.POST.get("text", ""), _parse_number(request.POST.get("revision", "")) or 0
    try:
        reading.save_notes(game=game, user=user, text=text, revision=revision)
    except Refused as refused:
        return _notes_page(request, game, status=422, text=text, refusal=str(refused), revision=revision)
    if request.htmx:  # type: ignore[attr-defined]
        return _notes_page(request, game)
    messages.success(request, gettext("Notes saved."))
    has_chat = not game.is_solo and own_seat(game_id=game.pk, user=user) is not None
    return redirect(reverse("chat", args=[game.pk]) + "#notes" if has_chat else reverse("notes", args=[game.pk]))


def _notes_page(request: HttpRequest, game: Game, *, status: int = 200, **submission: Any) -> HttpResponse:
    context = notes_context(game=game, user=request.user, **submission)
    template = "chat/_notes_state.html" if request.htmx else "chat/notes.html"  # type: ignore[attr-defined]
    return private(render(request, _template(request, template), context, status=status))


def _find_chat(request: HttpRequest, game_id: int) -> tuple[Game, Access]:
    """The game, and what this reader may do with its chat. 403 for those who may not read it."""
    game = find_game(request, game_id)
    access = rules.access_to(game=game, user=request.user)
    if not access.is_reader:
        raise PermissionDenied(PLAYERS_ONLY)
    return game, access


def _live_part(request: HttpRequest, game: Game, access: Access) -> HttpResponse:
    version_facts = (
        game.pk,
        version_of(access.chat, game),
        request.user.pk,
        get_language(),
        access.refusal,
        sorted(muted_by(game, access)),
    )
    etag = f'W/"{blake2b(repr(version_facts).encode(), digest_size=12).hexdigest()}"'
    is_same = request.headers.get("If-None-Match") == etag
    response: HttpResponse = HttpResponseNotModified()
    if not is_same:
        response = render(request, "chat/chat_live.html", chat_context(game=game, user=request.user))
    response["ETag"], response["Vary"] = etag, "Cookie, HX-Request"
    return private(response)


def _call_service(request: HttpRequest, game_id: int, service: Callable[..., Any], **fields: Any) -> HttpResponse:
    """Call a service for the reader and return to the chat; a refusal is a 409 with the reason on the page."""
    game, _ = _find_chat(request, game_id)
    try:
        service(game_id=game.pk, user=request.user, **fields)
    except Refused as refused:
        context = chat_context(game=game, user=request.user, refusal=str(refused))
        return private(render(request, "chat/chat.html", context, status=409))
    return redirect("chat", game_id=game.pk)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _token(request: HttpRequest) -> str:
    token = request.POST.get("token", "")[:64]
    return token if token.isprintable() else ""


def _parse_number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS else None
