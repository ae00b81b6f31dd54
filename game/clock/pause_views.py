"""Pausing a game and taking more time, from its page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from game.clock import extensions, pauses
from game.play.pages import ask


@login_required
@require_POST
def propose_pause(request: HttpRequest, game_id: int) -> HttpResponse:
    return ask(request, game_id, pauses.propose)


@login_required
@require_POST
def agree_to_pause(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, pauses.agree, number=number)


@login_required
@require_POST
def decline_pause(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, pauses.decline, number=number)


@login_required
@require_POST
def withdraw_pause(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, pauses.withdraw, number=number)


@login_required
@require_POST
def extend_phase(request: HttpRequest, game_id: int, serial: int) -> HttpResponse:
    return ask(request, game_id, extensions.extend, serial=serial)
