"""The past of a game: any moment at which it stopped, drawn as it was then, to view and not to play."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.boards.registry import board_of
from game.chat.seat_rows import chat_link, seat_rows_of
from game.engine.language import say
from game.history.moments import Past, past_of
from game.history.past import NoSuchMoment, course_of, history_at, log_until, seen_at, submitted_in
from game.play.pages import find_game, private
from game.play.panel import panel_context
from game.store.badges import badges_of
from game.store.eyes import eyes_among, own_among
from game.store.game import Game
from game.store.readers import Reader, id_of

LONGEST = 9  # digits of a phase's number


class UnreadableMoment(Exception):
    """What was asked for is no number of a phase."""


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """A past phase by its number in `at`; without one the newest."""
    game = find_played(request, game_id)
    try:
        return private(render(request, "history/history.html", _context(game, request.user, request.GET.get("at"))))
    except (UnreadableMoment, NoSuchMoment) as error:
        context = {"game": game, "why": str(error), "back": "game_history"}
        status = 400 if isinstance(error, UnreadableMoment) else 404
        return private(render(request, "history/no_such.html", context, status=status))


def find_played(request: HttpRequest, game_id: int) -> Game:
    """A game that has been started; before that it has nothing to show but its waiting room."""
    game = find_game(request, game_id)
    if not game.has_position:
        raise Http404(say("This game has not started yet."))
    return game


def _context(game: Game, user: Reader, asked: str | None) -> dict[str, Any]:
    """What the board shows, of another time and without anything to send."""
    course, chairs, board = course_of(game), seat_rows_of(game_id=game.pk, user=user), board_of(game.ruleset)
    stop = course.stops[-1 if asked is None else course.index_of(serial_of(asked))]
    user_id = id_of(user)
    seat = eyes_among(chairs, user_id)
    view, public, look = seen_at(game, course, stop, seat)
    seats = badges_of(chairs, user_id=user_id)
    flow = game.rules.flow(game.read_options())
    past: Past = past_of(course, stop, flow=flow, names=[place.name for place in seats], asked=asked)
    shown = {
        "game": game,
        "board": board,
        "seats": seats,
        "you": seats[seat] if seat is not None else None,
        "look": look,
        "view": view,
        "offers": [],
        "draft": None,
        "received": None,
        "deadline": None,
        "is_timed": True,
        "is_asked": False,
        "standstill": "",
        "history": history_at(game, board, public),
        "log": log_until(game, course, stop, seat=seat, seats=seats, flow=flow),
        "older": None,
        "push": None,
        "latest": None,
        "tab": "history",
        "chat": chat_link(game, own_among(chairs, user_id)),
        "past": past,
        "submitted": submitted_in(game, course, stop, view=view, seat=seat, chairs=chairs),
        "is_over": game.phase_row is None,
    }
    return shown | panel_context(shown, user=None)


def serial_of(asked: str) -> int:
    if not asked.isdecimal() or len(asked) > LONGEST:
        raise UnreadableMoment(say("The address names the phase by its number, as in ?at=12."))
    return int(asked)
