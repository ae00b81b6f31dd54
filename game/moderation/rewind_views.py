"""Players' answers to a rewind that a moderator proposes."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from game.moderation import rewind_votes
from game.play.pages import ask


@login_required
@require_POST
def agree_to_rewind(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, rewind_votes.agree, number=number)


@login_required
@require_POST
def decline_rewind(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    return ask(request, game_id, rewind_votes.decline, number=number)
