"""The past of a game: the board at any moment at which the game stopped, read-only."""

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

MAX_SERIAL_DIGITS = 9


class UnreadableMoment(Exception):
    """The requested phase serial is not a number."""


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """A past phase by its serial in `at`, by default the newest."""
    game = find_played(request, game_id)
    try:
        return private(
            render(request, "history/history.html", _board_context(game, request.user, request.GET.get("at")))
        )
    except (UnreadableMoment, NoSuchMoment) as error:
        context = {"game": game, "why": str(error), "back": "game_history"}
        status = 400 if isinstance(error, UnreadableMoment) else 404
        return private(render(request, "history/no_such.html", context, status=status))


def find_played(request: HttpRequest, game_id: int) -> Game:
    """A started game. Before the start there is only the waiting room."""
    game = find_game(request, game_id)
    if not game.has_position:
        raise Http404(say("This game has not started yet."))
    return game


def _board_context(game: Game, user: Reader, serial_text: str | None) -> dict[str, Any]:
    """The board's context at another time, without anything to submit."""
    course, seat_rows, board = course_of(game), seat_rows_of(game_id=game.pk, user=user), board_of(game.ruleset)
    stop = course.stops[-1 if serial_text is None else course.index_of(serial_of(serial_text))]
    user_id = id_of(user)
    seat = eyes_among(seat_rows, user_id)
    view, public, look = seen_at(game, course, stop, seat)
    seats = badges_of(seat_rows, user_id=user_id)
    flow = game.rules.flow(game.read_options())
    past: Past = past_of(course, stop, flow=flow, names=[place.name for place in seats], asked=serial_text)
    context = {
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
        "chat": chat_link(game, own_among(seat_rows, user_id)),
        "past": past,
        "submitted": submitted_in(game, course, stop, view=view, seat=seat, chairs=seat_rows),
        "is_over": game.phase_row is None,
    }
    return context | panel_context(context, user=None)


def serial_of(asked: str) -> int:
    if not asked.isdecimal() or len(asked) > MAX_SERIAL_DIGITS:
        raise UnreadableMoment(say("The address names the phase by its number, as in ?at=12."))
    return int(asked)
