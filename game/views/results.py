"""The results of a game: what each round of a turn brought, in tables and in the words of the log."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.engine.language import say
from game.past import Course, course_of
from game.readers import sight_of
from game.round_reports import reports_of
from game.views.board import private
from game.views.history import find_played

LONGEST = 6  # digits of a turn


class NoSuchTurn(Exception):
    """The turn that was asked for has not been played; `is_unreadable` where it is no number at all."""

    def __init__(self, text: str, *, is_unreadable: bool) -> None:
        super().__init__(text)
        self.is_unreadable = is_unreadable


@require_safe
def page(request: HttpRequest, game_id: int) -> HttpResponse:
    """The report of one turn, the newest where `turn` names none."""
    game = find_played(request, game_id)
    course = course_of(game)
    try:
        turn = _turn_of(course, request.GET.get("turn"))
    except NoSuchTurn as error:
        context = {"game": game, "why": str(error), "back": "game_results"}
        return private(render(request, "game/no_such.html", context, status=400 if error.is_unreadable else 404))
    sight = sight_of(game, request.user)
    context = sight.context("results") | {
        "turn": turn,
        "turns": _turns_of(course),
        "reports": reports_of(sight, course, turn),
        "is_over": sight.is_over,
    }
    return private(render(request, "game/results.html", context))


def _turns_of(course: Course) -> list[int]:
    return list(dict.fromkeys(stop.turn for stop in course.stops))


def _turn_of(course: Course, asked: str | None) -> int:
    turns = _turns_of(course)
    if asked is None:
        return turns[-1]
    if not asked.isdecimal() or len(asked) > LONGEST:
        raise NoSuchTurn(say("The address names the turn by its number, as in ?turn=3."), is_unreadable=True)
    if int(asked) not in turns:
        raise NoSuchTurn(
            say("Turn {turn} has not been played: the last is turn {last}.", turn=int(asked), last=turns[-1]),
            is_unreadable=False,
        )
    return int(asked)
