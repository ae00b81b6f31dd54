"""The board of one seat for a reader of the link in its player's email: to view, without signing in."""

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
from game.delivery.board_links import Peek
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
    found = board_links.read(token)
    game = get_game(game_id=found.seat.game_id) if found else None
    if found is None or game is None or not game.has_position:
        return private(render(request, "table/no_peek.html", status=404))
    return private(_drawn(request, game, found))


def _drawn(request: HttpRequest, game: Game, found: Peek) -> HttpResponse:
    """In the language and the time zone of the seat's player, whose email led here."""
    player = found.seat.user
    assert player is not None
    with speaking(player.language), timezone.override(zone_of(player)):
        return render(request, "table/peek.html", _context(game, found))


def _context(game: Game, found: Peek) -> dict[str, Any]:
    """What the board shows the seat, less what it has submitted under seal and saved; its log is everybody's."""
    chairs = seats_of(game)
    look = look_at(game, found.eyes, without_inputs(game.load_position(), [found.eyes]))
    seats = badges_of(chairs, user_id=found.seat.user_id, states=game.seat_states)
    log, _ = read_log(game=game, places=seats, seat=None)
    shown = {
        "game": game,
        "board": board_of(game.ruleset),
        "seats": seats,
        "you": seats[found.eyes],
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
        "reader": found.seat.shown_name,
        "until": found.until,
    }
    return shown | panel_context(shown, user=None)
