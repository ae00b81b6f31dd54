"""The board of one seat from the link in its player's email: read-only, without signing in."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.languages import speaking
from accounts.quiet_hours import zone_of
from game.boards.registry import board_of
from game.delivery import board_links
from game.delivery.board_links import BoardLink
from game.engine.position import without_inputs
from game.play.pages import private
from game.play.panel import panel_context
from game.store.badges import badges_of
from game.store.course import history_of
from game.store.game import Game
from game.store.readers import get_game
from game.store.seat_view_cache import look_at
from game.store.seating import seats_of
from game.table.board import read_log


@require_safe
def peek(request: HttpRequest, token: str) -> HttpResponse:
    link = board_links.read_board_link(token)
    game = get_game(game_id=link.seat.game_id) if link else None
    if link is None or game is None or not game.has_position:
        return private(render(request, "table/no_peek.html", status=404))
    return private(_render_board(request, game, link))


def _render_board(request: HttpRequest, game: Game, link: BoardLink) -> HttpResponse:
    """Render in the language and time zone of the seat's player, who got the link."""
    player = link.seat.user
    assert player is not None
    with speaking(player.language), timezone.override(zone_of(player)):
        return render(request, "table/peek.html", _link_context(game, link))


def _link_context(game: Game, link: BoardLink) -> dict[str, Any]:
    """The board as the seat sees it, without its sealed submissions and its draft; the log is the public one."""
    seat_rows = seats_of(game)
    look = look_at(game, link.eyes, without_inputs(game.load_position(), [link.eyes]))
    seats = badges_of(seat_rows, user_id=link.seat.user_id, states=game.seat_states)
    log, _ = read_log(game=game, places=seats, seat=None)
    context = {
        "game": game,
        "board": board_of(game.ruleset),
        "seats": seats,
        "you": seats[link.eyes],
        "look": look,
        "view": look.view,
        "offers": [],
        "draft": None,
        "received": None,
        "deadline": game.deadline_at,
        "is_timed": not game.is_running or game.deadline_at is not None,
        "is_asked": False,
        "standstill": "",
        "history": history_of(game),
        "log": log,
        "older": None,
        "push": None,
        "latest": log[0] if log else None,
        "chat": None,
        "live_url": game.get_absolute_url(),
        "reader": link.seat.shown_name,
        "until": link.until,
    }
    return context | panel_context(context, user=None)
