"""Proposing, agreeing, declining and withdrawing, from the page of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from game.play.panel import call_service
from game.store.proposals import VoteTopic


def view_of(service: Callable[..., Any], topic: VoteTopic) -> Callable[..., HttpResponse]:
    """A view that calls this service of `voting` for one topic."""

    @login_required
    @require_POST
    def view(request: HttpRequest, game_id: int, **place: Any) -> HttpResponse:
        return call_service(request, game_id, service, topic=topic, **place)

    return view
