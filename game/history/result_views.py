"""The results of a game: what each round of a turn brought, in tables and in the words of the log."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.engine.language import say
from game.history.past import Course, course_of
from game.history.round_reports import NoSuchTurn, check_turn, reports_of, turns_of
from game.history.viewer import sight_of
from game.history.views import find_played
from game.play.pages import private

MAX_TURN_DIGITS = 6


class UnreadableTurn(Exception):
    """The requested turn is not a number."""


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """The report of one turn, by default the newest."""
    game = find_played(request, game_id)
    course = course_of(game)
    try:
        turn = _requested_turn(course, request.GET.get("turn"))
    except (UnreadableTurn, NoSuchTurn) as error:
        context = {"game": game, "why": str(error), "back": "game_results"}
        status = 400 if isinstance(error, UnreadableTurn) else 404
        return private(render(request, "history/no_such.html", context, status=status))
    sight = sight_of(game, request.user)
    context = sight.context("results") | {
        "turn": turn,
        "turns": turns_of(course),
        "reports": reports_of(sight, course, turn),
        "is_over": sight.is_over,
    }
    return private(render(request, "history/results.html", context))


def _requested_turn(course: Course, turn: str | None) -> int:
    if turn is None:
        return turns_of(course)[-1]
    if not turn.isdecimal() or len(turn) > MAX_TURN_DIGITS:
        raise UnreadableTurn(say("The address names the turn by its number, as in ?turn=3."))
    return check_turn(course, int(turn))
