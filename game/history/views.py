"""The pages of a game's past: past moments, results, story, outcomes, draws, and explained figures."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from game.boards.drawing import shown_to
from game.boards.registry import board_of
from game.boards.sheets import first_columns
from game.chat.page import chat_link, seat_rows_of
from game.engine.language import say
from game.history.draws import draws_of, proof_of
from game.history.explanations import UNKNOWN, explanation_of
from game.history.moments import Past, past_of
from game.history.outcomes import outcomes_context
from game.history.past import Course, NoSuchMoment, course_of, history_at, log_until, seen_at, submitted_in
from game.history.round_reports import NoSuchTurn, check_turn, reports_of, turns_of
from game.history.stories import story_of
from game.history.turn_summaries import TurnSummary, summary_of_turn
from game.history.viewer import Viewer, viewer_of
from game.play.panel import find_game, panel_context, private
from game.store.badges import badges_of, name_in_game
from game.store.eyes import eyes_among, own_among
from game.store.game import Game, Status
from game.store.readers import Reader, forget_absence, id_of, own_seat

MAX_SERIAL_DIGITS = 9
MAX_TURN_DIGITS = 6


class Unreadable(Exception):
    """The address names no phase, turn or column in a form that can be read; the text is for the reader."""


@require_safe
def history(request: HttpRequest, game_id: int) -> HttpResponse:
    """A past phase by its serial in `at`, by default the newest."""
    game = find_played(request, game_id)
    try:
        return private(
            render(request, "history/history.html", _board_context(game, request.user, request.GET.get("at")))
        )
    except (Unreadable, NoSuchMoment) as error:
        return missing_page(request, game, error, back="game_history")


def find_played(request: HttpRequest, game_id: int) -> Game:
    """A started game. Before the start there is only the waiting room."""
    game = find_game(request, game_id)
    if not game.has_position:
        raise Http404(say("This game has not started yet."))
    return game


def missing_page(request: HttpRequest, game: Game, why: object, *, back: str) -> HttpResponse:
    """Why an address leads nowhere: 400 if it cannot be read, 404 if there is no such page."""
    context = {"game": game, "why": str(why), "back": back}
    status = 400 if isinstance(why, Unreadable) else 404
    return private(render(request, "history/no_such.html", context, status=status))


def _board_context(game: Game, user: Reader, serial_text: str | None) -> dict[str, Any]:
    """The board's context at another time, without anything to submit."""
    course, seat_rows, board = course_of(game), seat_rows_of(game_id=game.pk, user=user), board_of(game.ruleset)
    stop = course.stops[-1 if serial_text is None else course.index_of(parse_serial(serial_text))]
    user_id = id_of(user)
    seat = eyes_among(game, seat_rows, user_id)
    seen = seen_at(game, course, stop, seat)
    view, seat_view = seen.view, seen.seat_view
    seats = badges_of(seat_rows, ruleset=game.ruleset, user_id=user_id)
    flow = game.rules.flow(game.read_options())
    past: Past = past_of(course, stop, flow=flow, names=[*map(shown_to, seats)], requested=serial_text)
    context = {
        "game": game,
        "board": board,
        "seats": seats,
        "you": seats[seat] if seat is not None else None,
        "seat_view": seat_view,
        "view": view,
        "offers": [],
        "draft": None,
        "received": None,
        "deadline": None,
        "is_timed": True,
        "is_asked": False,
        "standstill": "",
        "history": history_at(game, seen),
        "log": log_until(game, course, stop, seat=seat, seats=seats, you=name_in_game(seats, user), flow=flow),
        "older": None,
        "push": None,
        "latest": None,
        "tab": "history",
        "chat": chat_link(game, own_among(game, seat_rows, user_id)),
        "past": past,
        "submitted": submitted_in(game, course, stop, view=view, seat=seat, rows=seat_rows),
        "is_over": game.phase_row is None,
    }
    return context | panel_context(context, user=None)


def parse_serial(text: str) -> int:
    if not text.isdecimal() or len(text) > MAX_SERIAL_DIGITS:
        raise Unreadable(say("The address names the phase by its number, as in ?at=12."))
    return int(text)


@require_safe
def results(request: HttpRequest, game_id: int) -> HttpResponse:
    """The report of one turn, by default the last that is over."""
    game = find_played(request, game_id)
    course = course_of(game)
    try:
        turn = _requested_turn(game, course, request.GET.get("turn"))
    except (Unreadable, NoSuchTurn) as error:
        return missing_page(request, game, error, back="game_results")
    viewer = viewer_of(game, request.user)
    context = viewer.context("results") | {
        "turn": turn,
        "turns": turns_of(course),
        "reports": [
            report._replace(tables=[*map(first_columns, report.tables)])
            for report in reports_of(viewer, course, turn, viewer.shown_names)
        ],
        "summary": _summary(viewer, course, turn),
        "is_over": viewer.is_over,
    }
    return private(render(request, "history/results.html", context))


def _summary(viewer: Viewer, course: Course, turn: int) -> TurnSummary | None:
    """The turn's summary from the reader's view; None for strangers and for the turn that is being played."""
    if viewer.seat is None:
        return None
    return summary_of_turn(
        game=viewer.game, board=viewer.board, seat=viewer.seat, names=tuple(viewer.names), turn=turn, course=course
    )


def _requested_turn(game: Game, course: Course, turn: str | None) -> int:
    if turn is None:
        *finished, newest = turns_of(course)
        return newest if game.is_over or not finished or finished[-1] < 1 else finished[-1]
    if not turn.isdecimal() or len(turn) > MAX_TURN_DIGITS:
        raise Unreadable(say("The address names the turn by its number, as in ?turn=3."))
    return check_turn(game.rules, course, int(turn))


@require_safe
def story(request: HttpRequest, game_id: int) -> HttpResponse:
    """The whole story on one page; 404 while the game runs, because it would reveal what is hidden."""
    game = find_played(request, game_id)
    if game.status != Status.FINISHED:
        raise Http404(say("The story of a game can be read once it is over."))
    viewer = viewer_of(game, request.user)
    return private(
        render(request, "history/story.html", viewer.context("story") | {"story": story_of(viewer, viewer.seat)})
    )


@require_safe
def explanation(request: HttpRequest, game_id: int, figure: str, subject: str) -> HttpResponse:
    """One figure of one company or player now, or at the start of the phase with serial `at`."""
    game = find_played(request, game_id)
    viewer, serial = viewer_of(game, request.user), request.GET.get("at")
    try:
        at = None if serial is None else parse_serial(serial)
        explanation = explanation_of(viewer, figure, subject, at, own=viewer.seat)
    except (Unreadable, NoSuchMoment) as error:
        return missing_page(request, game, error, back="game_spreadsheet")
    if explanation is None:
        return missing_page(request, game, say(UNKNOWN), back="game_spreadsheet")
    context = viewer.context("spreadsheet") | {"explanation": explanation, "at": serial}
    return private(render(request, "history/explanation.html", context))


@require_safe
def draws(request: HttpRequest, game_id: int) -> HttpResponse:
    """404 while the game runs: its secret would reveal draws to come."""
    game = _find_finished(request, game_id)
    context = viewer_of(game, request.user).context("draws") | {"proof": proof_of(game)}
    return private(render(request, "history/draws.html", context))


@require_safe
def draws_json(request: HttpRequest, game_id: int) -> HttpResponse:
    """The draws as JSON. The hashed text is the secret, a slash and `name`."""
    game = _find_finished(request, game_id)
    return private(JsonResponse(msgspec.to_builtins(draws_of(game))))


def _find_finished(request: HttpRequest, game_id: int) -> Game:
    game = find_played(request, game_id)
    if not game.is_over:
        raise Http404(say("The draws of a game can be checked once it is over."))
    return game


@login_required
@require_safe
def outcomes(request: HttpRequest, game_id: int) -> HttpResponse:
    """One turn's outcomes, newest first. Only players of the game have any."""
    game = find_game(request, game_id)
    turn_text = request.GET.get("turn", "")
    turn = int(turn_text) if turn_text.isdecimal() and len(turn_text) < 6 else None
    assert isinstance(request.user, User)
    context = outcomes_context(game=game, reader=request.user, turn=turn) if game.has_position else None
    if context is None:
        raise Http404(say("You have no seat in this game."))
    return private(render(request, "history/outcomes.html", context))


@login_required
@require_POST
def dismiss_briefing(request: HttpRequest, game_id: int) -> HttpResponse:
    """Remove the briefing from the board; the pages of outcomes keep its content."""
    seat = own_seat(game_id=game_id, user=request.user)
    if seat is None:
        raise Http404(say("You have no seat in this game."))
    forget_absence(seat)
    return redirect("game", game_id)
